// SPDX-License-Identifier: Apache-2.0
// What the person at the terminal (or in the host's log window) is told while a server runs: on
// stderr, escaped, rate-limited, with a count of what was left out. Place: runner/gateway. One
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace calaboose::gateway {

/// Collects a server's stderr: passes it on line by line within a budget, keeps the last lines for
/// error messages.
class StderrTail {
 public:
  static constexpr std::size_t kKeepLines = 8;
  static constexpr std::size_t kMaxLineBytes = 1000;
  static constexpr std::size_t kBurstBytes = 256U << 10U;     // at once …
  static constexpr std::size_t kBytesPerSecond = 64U << 10U;  // … and then for long

  /// Takes a chunk; returns the text to pass on to our own stderr (escaped, whole lines).
  std::string feed(std::string_view chunk, TimePoint now);
  /// The unfinished last line, at the end.
  std::string finish(TimePoint now);
  /// The last lines, oldest first, escaped.
  std::vector<std::string> last_lines() const;

  std::uint64_t dropped_lines() const { return dropped_; }

 private:
  void take_line(std::string_view line, TimePoint now, std::string& out);

  std::string partial_;
  bool partial_overflow_ = false;
  std::array<std::string, kKeepLines> ring_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  double budget_ = kBurstBytes;
  TimePoint last_{};
  std::uint64_t dropped_ = 0;
};

class Reporter {
 public:
  static constexpr unsigned kPerKind =
      3;  // notices of one kind that are shown; the rest is counted

  explicit Reporter(std::string server) : server_(std::move(server)) {}

  const std::string& server() const { return server_; }

  /// One line on stderr: "calaboose: SERVER: text". The text is ours, foreign parts already
  /// escaped.
  void notice(std::string_view text);
  /// The same, at most kPerKind times per kind.
  void notice_of(const std::string& kind, std::string_view text);
  /// Text that is already complete lines.
  void raw(std::string_view text);
  /// At the end: how many of each kind were not shown.
  void summary();

 private:
  std::string server_;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace calaboose::gateway
