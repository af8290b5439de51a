// SPDX-License-Identifier: Apache-2.0
// Cuts a byte stream into lines, with a bound on the length of one.
// Place: mcp/wire; between a pipe and a session. Pure. Spec: protocol.md section 4.
//
//   LineFramer framer;
//   framer.feed(chunk, [&](std::string_view line) { session.on_line(line, now); },
//               [&](std::string_view head) { session.on_line(head, now); });
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace calaboose::mcp {

/// Input    any bytes in any chunks; the lines do not depend on where the chunks were cut.
/// Output   on_line(view): one line without its newline and without one carriage return before it.
/// The view lies in
///          the chunk where the whole line does (no copy), and is valid during the call only.
///          on_overlong(head): once for a line of more than `max_line` bytes, as soon as that is
///          known; `head` is its beginning (at most kHeadBytes). The rest of that line is thrown
///          away as it comes, without being kept. Giving the head to a session as a line makes the
///          request that it answered fail at once.
/// Memory   at most max_line bytes, and kKeepBytes after a long line has gone.
/// Threads  none.
class LineFramer {
 public:
  static constexpr std::size_t kDefaultMaxLine = 16U << 20U;
  static constexpr std::size_t kHeadBytes = 256;
  static constexpr std::size_t kKeepBytes = 64U << 10U;

  explicit LineFramer(std::size_t max_line = kDefaultMaxLine) : max_line_(max_line) {}

  template <class OnLine, class OnOverlong>
  void feed(std::string_view chunk, OnLine&& on_line, OnOverlong&& on_overlong) {
    while (!chunk.empty()) {
      const void* newline = std::memchr(chunk.data(), '\n', chunk.size());
      if (newline == nullptr) {
        take_part(chunk, on_overlong);
        return;
      }
      const auto length =
          static_cast<std::size_t>(static_cast<const char*>(newline) - chunk.data());
      const std::string_view part = chunk.substr(0, length);
      chunk.remove_prefix(length + 1);
      if (pending_.empty() && !discarding_ && length <= max_line_) {
        on_line(without_return(part));
        continue;
      }
      take_part(part, on_overlong);
      if (!discarding_) {
        on_line(without_return(pending_));
      }
      start_line();
    }
  }

  /// The stream has ended: gives the last line if its newline never came.
  template <class OnLine>
  void finish(OnLine&& on_line) {
    if (!discarding_ && !pending_.empty()) {
      on_line(without_return(pending_));
    }
    start_line();
  }

  /// Bytes held back, waiting for a newline.
  std::size_t buffered() const { return pending_.size(); }

 private:
  template <class OnOverlong>
  void take_part(std::string_view part, OnOverlong&& on_overlong) {
    if (discarding_) {
      return;
    }
    if (part.size() <= max_line_ - pending_.size()) {
      pending_.append(part);
      return;
    }
    append_head(part);
    discarding_ = true;
    on_overlong(std::string_view(pending_));
    release();
  }

  static std::string_view without_return(std::string_view line) {
    if (!line.empty() && line.back() == '\r') {
      line.remove_suffix(1);
    }
    return line;
  }

  void append_head(std::string_view part);
  void start_line();
  void release();

  std::size_t max_line_;
  std::string pending_;      // a line whose end has not come
  bool discarding_ = false;  // inside an over-long line
};

}  // namespace calaboose::mcp
