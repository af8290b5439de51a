// SPDX-License-Identifier: Apache-2.0
// Lines in from one descriptor, lines out to another, with bounded memory.
// Place: runner/gateway, on the EventLoop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/wire/framing.h"
#include "runner/gateway/event_loop.h"

namespace calaboose::gateway {

/// Sends lines; what the peer does not take at once waits in memory (the owner stops its source
/// above kHighWater).
class LineWriter {
 public:
  static constexpr std::size_t kHighWater = 4U << 20U;
  static constexpr std::size_t kLowWater = 1U << 20U;

  /// Writes to `fd`, which stays the caller's. `on_drained` is called when a backlog has gone below
  /// kLowWater.
  LineWriter(EventLoop& loop, int fd, EventLoop::Callback on_drained);

  /// Queues one line; nothing is sent before flush().
  void line(std::string_view text);
  /// Sends what the peer takes. A peer that is gone (EPIPE) turns broken() on; then everything is
  /// dropped.
  void flush();

  std::size_t pending() const { return buffer_.size() - sent_; }

  bool broken() const { return broken_; }

 private:
  EventLoop& loop_;
  int fd_;
  EventLoop::Callback on_drained_;
  std::string buffer_;
  std::size_t sent_ = 0;
  bool broken_ = false;
  bool was_high_ = false;
  std::unique_ptr<EventLoop::Watch> watch_;  // exists while there is a backlog
};

/// Reads lines.
class LineReader {
 public:
  struct Events {
    std::function<void(std::string_view line)> on_line;
    /// A line over the bound was dropped; its beginning still tells which request it answered.
    std::function<void(std::string_view head)> on_too_long;
    EventLoop::Callback on_turn_end;  // after each chunk: the moment to flush
    EventLoop::Callback on_end;       // end of file or error; nothing follows
  };

  LineReader(EventLoop& loop, int fd, std::size_t max_line_bytes, Events events);

  void pause();
  void resume();

  bool ended() const { return ended_; }

  /// Reads what is already there, without waiting; used after the process has exited.
  void drain();

 private:
  bool read_chunk();
  void end();

  static constexpr std::size_t kChunkBytes = 64U << 10U;

  int fd_;
  Events events_;
  mcp::LineFramer framer_;
  std::vector<char> chunk_;
  bool ended_ = false;
  std::unique_ptr<EventLoop::Watch> watch_;
};

}  // namespace calaboose::gateway
