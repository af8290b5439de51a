// SPDX-License-Identifier: Apache-2.0
// Turns records into lines of the log; texts of a peer become valid JSON on one line, bounded
// (A04). Place: runner/audit; internal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "runner/audit/audit.h"
#include "runner/audit/digest.h"

namespace calaboose::audit {

inline constexpr int kFormatVersion = 1;
inline constexpr std::size_t kMaxTextBytes = 1024;     // one text of a record, before escaping
inline constexpr std::size_t kMaxDetailBytes = 16384;  // Record::extra
inline constexpr std::size_t kMaxLineBytes =
    131072;  // one record with its newline; writers stay below

/// Appends any bytes as a JSON string: controls, invisible and bidirectional characters as \uxxxx,
/// NUL and invalid UTF-8 as U+FFFD; cut at `max_bytes` of input with "…".
void append_text(std::string& out, std::string_view text, std::size_t max_bytes = kMaxTextBytes);

/// Appends decimal digits.
void append_number(std::string& out, std::uint64_t value);

/// Appends an RFC 3339 time in UTC with microseconds, "2026-07-29T10:11:12.000345Z", and remembers
/// the second.
class TimeText {
 public:
  void append(std::string& out, std::int64_t unix_us);

 private:
  std::int64_t second_ = -1;
  std::string text_;
};

/// Builds one line at a time in a buffer that is reused. Threads: one at a time.
class LineEncoder {
 public:
  LineEncoder(std::string_view run, std::string_view server, std::string_view sid);

  /// The line with its newline; valid until the next call.
  std::string_view encode(const Record& record, std::uint64_t seq, const Digest& prev,
                          std::int64_t unix_us);

  /// What encode() returned last.
  std::string_view line() const { return line_; }

 private:
  void add_text(std::string_view name, std::string_view value);
  void add_detail(std::string_view extra);

  std::string identity_;  // the members that are equal in every record
  std::string line_;
  TimeText time_;
  json::Tape tape_;
};

}  // namespace calaboose::audit
