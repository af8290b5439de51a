// SPDX-License-Identifier: Apache-2.0
// Writing and checking heads. A head has one spelling only: what is read is written again and
// compared, so a changed byte anywhere in the file is seen, also one that would not change its
// meaning. Place: runner/audit.
#include "runner/audit/head.h"

#include "base/json/json.h"
#include "base/text.h"
#include "runner/audit/encode.h"

namespace calaboose::audit {
namespace {

constexpr std::string_view kSignatureContext = "calaboose-audit-head/1\n";

std::string unsigned_part(const Head& head, std::string_view key_id) {
  std::string out = "{\"v\":1,\"run\":";
  append_text(out, head.run);
  out += ",\"count\":";
  append_number(out, head.count);
  out += ",\"size\":";
  append_number(out, head.size);
  out += ",\"last\":\"";
  append_hex(out, head.last);
  out += "\",\"t\":";
  append_text(out, head.time);
  out += ",\"open\":";
  out += head.open ? "true" : "false";
  out += ",\"key\":";
  append_text(out, key_id);
  return out;
}

std::string with_signature(std::string part, const Signature& signature) {
  part += ",\"sig\":\"";
  part += to_hex(signature);
  part += "\"}\n";
  return part;
}

Error damaged() {
  return Error(Errc::kInvalidInput,
               "the head is damaged: it is not in the form that the writer uses");
}

bool read_count(json::Value value, std::uint64_t& out) {
  const auto number = value.int64();
  if (!number || *number < 0) {
    return false;
  }
  out = static_cast<std::uint64_t>(*number);
  return true;
}

}  // namespace

std::string head_path(const std::string& log_path) {
  return log_path + ".head";
}

Result<std::string> sign_head(const Head& head, const SigningKey& key) {
  std::string part = unsigned_part(head, key.public_key().id());
  CALABOOSE_TRY(const Signature signature, key.sign(std::string(kSignatureContext) + part));
  return with_signature(std::move(part), signature);
}

Result<Head> check_head(std::string_view text, const PublicKey& key) {
  json::Tape tape;
  json::Limits limits;
  limits.max_bytes = kMaxHeadBytes;
  if (!tape.parse(text, limits) || !tape.root().is_object()) {
    return damaged();
  }
  const json::Value root = tape.root();
  Head head;
  head.run = root.find("run").string_or("");
  head.time = root.find("t").string_or("");
  head.open = root.find("open").boolean().value_or(false);
  const std::string key_id = root.find("key").string_or("");
  const auto last = parse_digest(root.find("last").string_or(""));
  Signature signature{};
  if (!last || !read_count(root.find("count"), head.count) ||
      !read_count(root.find("size"), head.size) ||
      !parse_hex(root.find("sig").string_or(""), signature.data(), signature.size())) {
    return damaged();
  }
  head.last = *last;
  const std::string part = unsigned_part(head, key_id);
  if (with_signature(part, signature) != text) {
    return damaged();
  }
  if (key_id != key.id()) {
    return Error(Errc::kInvalidInput, "the head was signed with another key (" +
                                          printable(key_id, 32) + ", expected " + key.id() + ")");
  }
  if (!key.verify(std::string(kSignatureContext) + part, signature)) {
    return Error(Errc::kInvalidInput, "the signature of the head does not fit");
  }
  return head;
}

}  // namespace calaboose::audit
