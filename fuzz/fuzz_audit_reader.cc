// SPDX-License-Identifier: Apache-2.0
// Hostile logs and heads against verifier and reader (A01-A04). Two ways to use the input, by its
// first byte:
//   even  log and head as they are, split at the length that the next two bytes give
//   odd   a real log is written and signed from the input, then one byte is changed (or, with 0,
//   nothing is)
// Oracles: nothing but a head that was really signed may verify, and what it covers must be in the
// log; an unchanged log verifies; a changed one never does; the reader shows no control characters.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runner/audit/encode.h"
#include "runner/audit/head.h"
#include "runner/audit/reader.h"
#include "runner/audit/verify.h"

namespace {

using namespace calaboose;         // NOLINT(google-build-using-namespace)
using namespace calaboose::audit;  // NOLINT(google-build-using-namespace)
using Status = Verification::Status;

void require(bool good) {
  if (!good) {
    std::abort();
  }
}

/// The test key: thirty-two sevens. Corpus files are signed with it.
const SigningKey& test_key() {
  static const SigningKey key = [] {
    RawKey seed{};
    seed.fill(7);
    return SigningKey::from_seed(seed).value();
  }();
  return key;
}

/// Checks the signature again by other means: text before `,"sig":"`, digits after it.
bool is_really_signed(std::string_view head) {
  constexpr std::string_view mark = ",\"sig\":\"";
  const std::size_t at = head.find(mark);
  if (at == std::string_view::npos || head.size() < at + mark.size() + 128) {
    return false;
  }
  Signature signature{};
  if (!parse_hex(head.substr(at + mark.size(), 128), signature.data(), signature.size())) {
    return false;
  }
  const std::string message = "calaboose-audit-head/1\n" + std::string(head.substr(0, at));
  return test_key().public_key().verify(message, signature);
}

void read_all(std::string_view log) {
  Reader reader = Reader::over(log);
  for (int i = 0; i < 10'000; ++i) {
    const auto entry = reader.next();
    if (!entry.ok() || !entry->has_value()) {
      return;
    }
    const std::string line = render_line(**entry);
    for (const char c : line) {
      require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    }
    const std::string record = render_record(**entry);
    for (const char c : record) {
      require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    }
  }
}

Verification check(std::string_view log, std::string_view head) {
  auto found = examine(LineReader::from_text(log), head, test_key().public_key());
  require(found.ok());
  const Verification& result = found->result;
  require(result.status == Status::kTampered ? !result.reason.empty() : result.bad_line == 0);
  require(found->good_bytes + found->torn_bytes <= log.size());
  return result;
}

void check_foreign(std::string_view log, std::string_view head) {
  const Verification result = check(log, head);
  if (result.status != Status::kTampered) {
    require(is_really_signed(head));
    require(result.sealed <= result.records);
  }
  read_all(log);
}

/// Records whose texts are slices of the input.
std::string write_log(std::string_view input, Head& head) {
  LineEncoder encoder("run-1", "server", "sid");
  head.run = "run-1";
  head.last = genesis("run-1", "sid", "server");
  head.time = "2026-07-29T10:11:12.000000Z";
  std::string log;
  while (!input.empty() && head.count < 16) {
    const std::size_t take =
        std::min<std::size_t>(input.size(), 1 + static_cast<unsigned char>(input[0]) % 64U);
    const std::string_view slice = input.substr(0, take);
    input.remove_prefix(take);
    Record record;
    record.kind = "msg";
    record.method = slice;
    record.reason = slice;
    record.body = slice;
    record.extra = slice;
    const std::string_view line =
        encoder.encode(record, ++head.count, head.last, 1'785'319'872'000'345);
    head.last = sha256(line.substr(0, line.size() - 1));
    log += line;
  }
  head.size = log.size();
  return log;
}

void check_own(std::string_view input) {
  if (input.size() < 4) {
    return;
  }
  const auto byte = [&input](std::size_t i) { return static_cast<unsigned char>(input[i]); };
  const std::size_t where = byte(0) * 256U + byte(1);
  const unsigned char change = byte(2);
  Head head;
  head.open = (byte(3) & 1U) != 0;
  std::string log = write_log(input.substr(4), head);
  std::string head_text = sign_head(head, test_key()).value();
  require(check(log, head_text).status == Status::kIntact);
  read_all(log);
  if (change == 0) {
    return;
  }
  std::string& target = log.empty() || (byte(3) & 2U) != 0 ? head_text : log;
  char& victim = target[where % target.size()];
  victim = static_cast<char>(static_cast<unsigned char>(victim) ^ change);
  require(check(log, head_text).status == Status::kTampered);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.size() < 3) {
    return 0;
  }
  const auto first = static_cast<unsigned char>(input[0]);
  const std::size_t split =
      static_cast<unsigned char>(input[1]) * 256U + static_cast<unsigned char>(input[2]);
  if (first % 2 == 1) {
    check_own(input.substr(1));
    return 0;
  }
  input.remove_prefix(3);
  const std::size_t cut = std::min(split, input.size());
  check_foreign(input.substr(0, cut), input.substr(cut));
  return 0;
}
