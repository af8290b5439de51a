// SPDX-License-Identifier: Apache-2.0
// Lines of a log with bounded memory.
// Place: runner/audit; internal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace calaboose::audit {

/// Reads lines from a source of bytes. Threads: one at a time.
class LineReader {
 public:
  /// Fills a buffer; 0 at the end. Errors end the reading.
  using Source = std::function<Result<std::size_t>(char* buffer, std::size_t size)>;

  enum class Status : std::uint8_t {
    kLine,     // a complete line
    kTorn,     // the last bytes, without a newline
    kTooLong,  // over kMaxLineBytes; nothing more can be read
    kEnd,
  };

  struct Line {
    Status status = Status::kEnd;
    std::string_view text;  // without newline; valid until the next call
  };

  explicit LineReader(Source source) : source_(std::move(source)) {}

  Result<Line> next();

  /// Bytes of all complete lines so far, with their newlines.
  std::uint64_t offset() const { return offset_; }

  /// Bytes of a descriptor from its start, independent of its position.
  static Source from_fd(int fd);
  /// Bytes of a text that outlives the reader.
  static Source from_text(std::string_view text);

 private:
  Source source_;
  std::string buffer_;
  std::size_t begin_ = 0;    // first byte of buffer_ not yet given out
  std::size_t scanned_ = 0;  // no newline between begin_ and here
  std::uint64_t offset_ = 0;
  bool at_end_ = false;
};

}  // namespace calaboose::audit
