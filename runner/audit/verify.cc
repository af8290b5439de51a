// SPDX-License-Identifier: Apache-2.0
// Verification walks the lines once. Every hash is computed from the lines themselves, never taken
// from the file, and the signed head says where the walk must have arrived. Place: runner/audit.
#include "runner/audit/verify.h"

#include <fcntl.h>

#include "base/json/json.h"
#include "base/text.h"
#include "runner/audit/encode.h"
#include "runner/audit/files.h"
#include "runner/audit/head.h"

namespace calaboose::audit {
namespace {

/// The members of a record that carry the chain.
struct Links {
  std::uint64_t seq = 0;
  Digest prev{};
  bool valid = false;
};

class Walk {
 public:
  Walk(LineReader::Source log, const Head& head) : lines_(std::move(log)), head_(head) {}

  Result<Examination> run();

 private:
  Links read_links(std::string_view line);
  Digest expected_first() const;
  Result<bool> check_line(std::string_view line);
  Result<void> explain_break(std::string_view line, const Links& links);
  Result<bool> is_vouched_for(const Digest& hash);
  void finish(std::size_t torn_bytes);
  void tampered(std::uint64_t line, std::string reason);

  LineReader lines_;
  const Head& head_;
  json::Tape tape_;
  Examination found_;
  std::uint64_t number_ = 0;  // of the line at hand
};

void Walk::tampered(std::uint64_t line, std::string reason) {
  found_.result.status = Verification::Status::kTampered;
  found_.result.bad_line = line;
  found_.result.reason = std::move(reason);
}

Links Walk::read_links(std::string_view line) {
  json::Limits limits;
  limits.max_bytes = kMaxLineBytes;
  Links links;
  if (!tape_.parse(line, limits) || !tape_.root().is_object()) {
    return links;
  }
  const json::Value root = tape_.root();
  const auto seq = root.find("seq").int64();
  const json::Value prev = root.find("prev");
  // The digest is read from the raw text: a spelling with escapes is not ours.
  const std::string_view raw = prev.raw();
  const auto digest =
      prev.is_string() && raw.size() == 66 ? parse_digest(raw.substr(1, 64)) : std::nullopt;
  if (root.find("v").raw() != "1" || !seq || *seq < 1 || !digest) {
    return links;
  }
  links.seq = static_cast<std::uint64_t>(*seq);
  links.prev = *digest;
  links.valid = true;
  return links;
}

Digest Walk::expected_first() const {
  const json::Value root = tape_.root();
  return genesis(root.find("run").string_or(""), root.find("sid").string_or(""),
                 root.find("server").string_or(""));
}

/// True if the record after the line at hand, or the head, holds this hash: then the line is as it
/// was written and the break lies before it.
Result<bool> Walk::is_vouched_for(const Digest& hash) {
  if (number_ == head_.count) {
    return head_.last == hash;
  }
  CALABOOSE_TRY(const LineReader::Line next, lines_.next());
  if (next.status != LineReader::Status::kLine) {
    return false;
  }
  const Links links = read_links(next.text);
  return links.valid && links.prev == hash;
}

/// Names the line at which somebody was at work.
Result<void> Walk::explain_break(std::string_view line, const Links& links) {
  const std::string here = std::to_string(number_);
  if (links.seq > number_) {
    tampered(number_, "records are missing before line " + here + ": it holds record " +
                          std::to_string(links.seq));
    return {};
  }
  const Digest hash = sha256(line);
  if (number_ > 1 && hash == found_.last) {
    tampered(number_, "line " + here + " repeats the line before it");
    return {};
  }
  CALABOOSE_TRY(const bool vouched, is_vouched_for(hash));
  if (vouched && number_ > 1) {
    const std::string before = std::to_string(number_ - 1);
    tampered(number_ - 1, "record " + before + " was edited or inserted: record " + here +
                              " does not point back to it");
    return {};
  }
  tampered(number_, number_ == 1
                        ? "record 1 does not fit the start of its run"
                        : "record " + here + " does not point back to the record before it");
  return {};
}

/// False when the line breaks the chain; found_ then says why.
Result<bool> Walk::check_line(std::string_view line) {
  const Links links = read_links(line);
  if (!links.valid) {
    tampered(number_, "line " + std::to_string(number_) + " is not a record");
    return false;
  }
  if (number_ == 1 && tape_.root().find("run").string_or("") != head_.run) {
    tampered(1, "the head belongs to another log: run " + printable(head_.run, 64));
    return false;
  }
  const Digest expected = number_ == 1 ? expected_first() : found_.last;
  if (links.prev != expected) {
    CALABOOSE_CHECK(explain_break(line, links));
    return false;
  }
  if (links.seq != number_) {
    tampered(number_,
             "line " + std::to_string(number_) + " holds record " + std::to_string(links.seq));
    return false;
  }
  const Digest hash = sha256(line);
  if (number_ == head_.count && (hash != head_.last || lines_.offset() != head_.size)) {
    tampered(number_,
             "record " + std::to_string(number_) +
                 " is not the one that the head was signed for: it was edited, or the whole "
                 "chain was recomputed");
    return false;
  }
  if (number_ > head_.count && !head_.open) {
    tampered(number_, "line " + std::to_string(number_) + " was added after the log was closed");
    return false;
  }
  found_.last = hash;
  found_.good_bytes = lines_.offset();
  found_.result.records = number_;
  return true;
}

void Walk::finish(std::size_t torn_bytes) {
  Verification& result = found_.result;
  found_.torn_bytes = torn_bytes;
  if (result.records < head_.count) {
    tampered(result.records + 1, "the log was cut: it holds " + std::to_string(result.records) +
                                     " records, the head was signed for " +
                                     std::to_string(head_.count));
    return;
  }
  result.sealed = head_.count;
  const std::uint64_t unsealed = result.records - head_.count;
  if (torn_bytes > 0 && !head_.open) {
    tampered(result.records + 1, "bytes were added after the log was closed");
  } else if (torn_bytes > 0) {
    result.status = Verification::Status::kTornTail;
    result.reason = "the last line is incomplete (" + std::to_string(torn_bytes) +
                    " bytes): the writer was ended while it wrote";
  } else if (unsealed > 0) {
    result.status = Verification::Status::kUnsealedTail;
    result.reason = std::to_string(unsealed) +
                    " records were written after the last signed head: the log is in use, or its "
                    "writer was ended within a second of them";
  } else {
    result.status = Verification::Status::kIntact;
    result.reason = head_.open ? "every record is covered by the signed head"
                               : "every record is covered by the signed head; the log is closed";
  }
}

Result<Examination> Walk::run() {
  found_.run = head_.run;
  found_.last = head_.last;  // for a log without records
  for (;;) {
    CALABOOSE_TRY(const LineReader::Line line, lines_.next());
    switch (line.status) {
      case LineReader::Status::kEnd:
        finish(0);
        return std::move(found_);
      case LineReader::Status::kTorn:
        finish(line.text.size());
        return std::move(found_);
      case LineReader::Status::kTooLong:
        tampered(number_ + 1, "line " + std::to_string(number_ + 1) + " is longer than any record");
        return std::move(found_);
      case LineReader::Status::kLine:
        break;
    }
    ++number_;
    CALABOOSE_TRY(const bool good, check_line(line.text));
    if (!good) {
      return std::move(found_);
    }
  }
}

Examination tampered_head(std::string reason) {
  Examination found;
  found.result.status = Verification::Status::kTampered;
  found.result.reason = std::move(reason);
  return found;
}

}  // namespace

Result<Examination> examine(LineReader::Source log, std::string_view head_text,
                            const PublicKey& key) {
  auto head = check_head(head_text, key);
  if (!head.ok()) {
    return tampered_head(head.error().what());
  }
  if (head->count == 0 && head->size != 0) {
    return tampered_head("the head is damaged: it counts bytes but no records");
  }
  return Walk(std::move(log), *head).run();
}

Result<Examination> examine_file(int log_fd, const std::string& path, const PublicKey& key) {
  const std::string head_file = head_path(path);
  if (is_missing(head_file)) {
    return tampered_head("the head is missing: " + printable(head_file));
  }
  auto text = read_small_file(head_file, kMaxHeadBytes);
  if (!text.ok() && text.error().code() == Errc::kLimit) {
    return tampered_head("the head is damaged: it is too long");
  }
  if (!text.ok()) {
    return std::move(text).error();
  }
  return examine(LineReader::from_fd(log_fd), *text, key);
}

Result<Verification> verify(const std::string& path, const std::string& public_key_path,
                            const std::string& keys_dir) {
  CALABOOSE_TRY(
      const PublicKey key,
      load_public_key(public_key_path.empty() ? keys_dir + "/audit.pub" : public_key_path));
  CALABOOSE_TRY(const Fd fd, open_file(path, O_RDONLY));
  CALABOOSE_TRY(const Examination found, examine_file(fd.get(), path, key));
  return found.result;
}

}  // namespace calaboose::audit
