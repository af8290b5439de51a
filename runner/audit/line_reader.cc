// SPDX-License-Identifier: Apache-2.0
// Lines with a cap: a log may be hostile, so one endless line must not fill the memory.
// Place: runner/audit.
#include "runner/audit/line_reader.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/audit/encode.h"

namespace calaboose::audit {

Result<LineReader::Line> LineReader::next() {
  constexpr std::size_t kChunk = 65536;
  for (;;) {
    const std::size_t newline = buffer_.find('\n', scanned_);
    if (newline != std::string::npos) {
      const std::string_view text = std::string_view(buffer_).substr(begin_, newline - begin_);
      begin_ = scanned_ = newline + 1;
      if (text.size() >= kMaxLineBytes) {
        return Line{Status::kTooLong, {}};
      }
      offset_ += text.size() + 1;
      return Line{Status::kLine, text};
    }
    if (buffer_.size() - begin_ >= kMaxLineBytes) {
      return Line{Status::kTooLong, {}};
    }
    if (at_end_) {
      const std::string_view rest = std::string_view(buffer_).substr(begin_);
      begin_ = scanned_ = buffer_.size();
      return Line{rest.empty() ? Status::kEnd : Status::kTorn, rest};
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t kept = buffer_.size();
    scanned_ = kept;
    buffer_.resize(kept + kChunk);
    auto got = source_(buffer_.data() + kept, kChunk);
    buffer_.resize(kept + (got.ok() ? *got : 0));
    if (!got.ok()) {
      return std::move(got).error();
    }
    at_end_ = *got == 0;
  }
}

LineReader::Source LineReader::from_fd(int fd) {
  return [fd, at = off_t{0}](char* buffer, std::size_t size) mutable -> Result<std::size_t> {
    for (;;) {
      const ssize_t got = ::pread(fd, buffer, size, at);
      if (got >= 0) {
        at += got;
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        return errno_error("cannot read the log", errno);
      }
    }
  };
}

LineReader::Source LineReader::from_text(std::string_view text) {
  return [text](char* buffer, std::size_t size) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(size, text.size());
    if (count > 0) {
      std::memcpy(buffer, text.data(), count);
    }
    text.remove_prefix(count);
    return count;
  };
}

}  // namespace calaboose::audit
