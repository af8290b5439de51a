// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/reporter.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"

namespace calaboose::gateway {

std::string StderrTail::feed(std::string_view chunk, TimePoint now) {
  std::string out;
  while (!chunk.empty()) {
    const std::size_t newline = chunk.find('\n');
    const std::string_view piece = chunk.substr(0, newline);
    const std::size_t room = kMaxLineBytes - std::min(kMaxLineBytes, partial_.size());
    partial_ += piece.substr(0, room);
    partial_overflow_ = partial_overflow_ || piece.size() > room;
    if (newline == std::string_view::npos) {
      break;
    }
    take_line(partial_, now, out);
    partial_.clear();
    partial_overflow_ = false;
    chunk.remove_prefix(newline + 1);
  }
  return out;
}

std::string StderrTail::finish(TimePoint now) {
  std::string out;
  if (!partial_.empty()) {
    take_line(partial_, now, out);
    partial_.clear();
  }
  return out;
}

void StderrTail::take_line(std::string_view line, TimePoint now, std::string& out) {
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  std::string shown = printable_block(line, kMaxLineBytes);
  if (partial_overflow_) {
    shown += "…";
  }
  ring_[next_] = shown;
  next_ = (next_ + 1) % kKeepLines;
  count_ = std::min(count_ + 1, kKeepLines);

  if (last_ != TimePoint{}) {
    const double seconds = std::chrono::duration<double>(now - last_).count();
    budget_ = std::min<double>(kBurstBytes, budget_ + seconds * kBytesPerSecond);
  }
  last_ = now;
  if (budget_ < static_cast<double>(shown.size() + 1)) {
    ++dropped_;
    return;
  }
  budget_ -= static_cast<double>(shown.size() + 1);
  out += shown;
  out += '\n';
}

std::vector<std::string> StderrTail::last_lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count_; ++i) {
    lines.push_back(ring_[(next_ + kKeepLines - count_ + i) % kKeepLines]);
  }
  return lines;
}

void Reporter::raw(std::string_view text) {
  // Nothing useful can be done when stderr is gone.
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Reporter::notice(std::string_view text) {
  std::string line = "calaboose: ";
  if (!server_.empty()) {
    line += printable(server_, 80) + ": ";
  }
  line += text;
  line += '\n';
  raw(line);
}

void Reporter::notice_of(const std::string& kind, std::string_view text) {
  if (++counts_[kind] <= kPerKind) {
    notice(text);
  }
}

void Reporter::summary() {
  for (const auto& [kind, count] : counts_) {
    if (count > kPerKind) {
      notice(std::to_string(count - kPerKind) + " more of this kind: " + kind);
    }
  }
  counts_.clear();
}

}  // namespace calaboose::gateway
