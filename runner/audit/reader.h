// SPDX-License-Identifier: Apache-2.0
// Reading logs for people: `audit tail`, `audit show`.
// Place: runner/audit; used by the command line. Reads only; verify() is what proves anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/json/json.h"
#include "base/result.h"
#include "runner/audit/line_reader.h"

namespace calaboose::audit {

/// One line of a log as it was read. `text` and `fields` are valid until the next read.
struct Entry {
  std::uint64_t line = 0;  // 1-based
  std::string_view text;   // JSON, without newline
  json::Value fields;      // missing when the line is not a JSON object
};

/// Goes through a log from its start, with bounded memory. A torn last line ends the reading
/// quietly; a line that is no JSON object is given with empty fields. Threads: one at a time.
class Reader {
 public:
  static Result<Reader> open(const std::string& path);
  /// Over a text that outlives the reader.
  static Reader over(std::string_view text);

  /// The next line, or nothing at the end. Errors: kIo, kLimit (a line longer than any record).
  Result<std::optional<Entry>> next();

 private:
  Reader(Fd fd, LineReader::Source source);

  Fd fd_;
  LineReader lines_;
  std::unique_ptr<json::Tape> tape_;  // entries point to it, so it must not move
  std::uint64_t number_ = 0;
};

/// What `audit show ID` looks for: "17" (record 17), "RUN:17" (of that run), "call:5" (all records
/// of call 5).
struct RecordId {
  std::string run;
  std::uint64_t seq = 0;
  std::uint64_t call = 0;

  /// Errors: kUsage with the three forms.
  static Result<RecordId> parse(std::string_view text);
  bool matches(const Entry& entry) const;
};

/// One line for people: time, direction, kind, method, tool, bytes, verdict, rule, reason; escaped;
/// no newline.
std::string render_line(const Entry& entry);

/// The whole record, one member a line, escaped; ends with a newline.
std::string render_record(const Entry& entry);

/// The last `count` lines of a log, rendered.
Result<std::vector<std::string>> tail(const std::string& path, std::size_t count);

/// All records that match, rendered with render_record(), at most `max_records`. Errors:
/// kInvalidInput when there is none.
Result<std::string> show(const std::string& path, const RecordId& id,
                         std::size_t max_records = 100);

/// The newest log of a directory by its name (new_log_name()). Errors: kInvalidInput when there is
/// none.
Result<std::string> find_latest_log(const std::string& dir);

}  // namespace calaboose::audit
