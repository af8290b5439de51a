// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/pipes.h"

#include <unistd.h>

#include <cerrno>

namespace calaboose::gateway {

LineWriter::LineWriter(EventLoop& loop, int fd, EventLoop::Callback on_drained)
    : loop_(loop), fd_(fd), on_drained_(std::move(on_drained)) {}

void LineWriter::line(std::string_view text) {
  if (broken_) {
    return;
  }
  buffer_.append(text);
  buffer_ += '\n';
}

void LineWriter::flush() {
  while (sent_ < buffer_.size() && !broken_) {
    const ssize_t n = ::write(fd_, buffer_.data() + sent_, buffer_.size() - sent_);
    if (n > 0) {
      sent_ += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else if (n < 0 && errno == EAGAIN) {
      break;
    } else {
      broken_ = true;
    }
  }
  if (broken_ || sent_ == buffer_.size()) {
    buffer_.clear();
    sent_ = 0;
    watch_.reset();
    if (buffer_.capacity() > kLowWater) {
      buffer_.shrink_to_fit();
    }
  } else {
    if (sent_ > kLowWater) {
      buffer_.erase(0, sent_);
      sent_ = 0;
    }
    if (!watch_) {
      watch_ = loop_.watch(fd_, EventLoop::Interest::kWrite, [this] { flush(); });
    }
  }
  was_high_ = was_high_ || pending() >= kHighWater;
  if (was_high_ && pending() < kLowWater) {
    was_high_ = false;
    on_drained_();
  }
}

LineReader::LineReader(EventLoop& loop, int fd, std::size_t max_line_bytes, Events events)
    : fd_(fd), events_(std::move(events)), framer_(max_line_bytes), chunk_(kChunkBytes) {
  watch_ = loop.watch(fd, EventLoop::Interest::kRead, [this] { read_chunk(); });
}

void LineReader::pause() {
  if (watch_) {
    watch_->pause();
  }
}

void LineReader::resume() {
  if (watch_) {
    watch_->resume();
  }
}

// One read per turn: a peer that floods gets no more of the loop than its share. False when nothing
// was there.
bool LineReader::read_chunk() {
  const ssize_t n = ::read(fd_, chunk_.data(), chunk_.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
    return false;
  }
  if (n <= 0) {
    end();
    return false;
  }
  framer_.feed(std::string_view(chunk_.data(), static_cast<std::size_t>(n)), events_.on_line,
               events_.on_too_long);
  events_.on_turn_end();
  return true;
}

void LineReader::end() {
  if (ended_) {
    return;
  }
  ended_ = true;
  watch_.reset();
  framer_.finish(events_.on_line);
  events_.on_turn_end();
  events_.on_end();
}

void LineReader::drain() {
  // Bounded: a grandchild that inherited the pipe could otherwise go on for ever.
  for (int i = 0; i < 1024 && !ended_ && read_chunk(); ++i) {
  }
}

}  // namespace calaboose::gateway
