// SPDX-License-Identifier: Apache-2.0
// The supervisor's end of seccomp user notification: refuses, and says what was tried.
// Place: runner/jail.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "base/fd.h"
#include "runner/jail/jail.h"

namespace calaboose::jail {

inline constexpr std::uint32_t kMaxDenialsPerSecond = 1000;

/// Counts in windows of one second that begin with the first event after the last window.
class RateGate {
 public:
  /// One more event at `now`; true when it is one too many in its window.
  bool over(TimePoint now);

 private:
  std::optional<TimePoint> window_;
  std::uint32_t in_window_ = 0;
};

/// Answers every notified call with EPERM, never lets one continue, and looks at numbers only,
/// never at memory that an argument points to (J11). Once closed, the kernel answers such calls
/// with ENOSYS, so closing is safe (J64).
class Listener {
 public:
  explicit Listener(Fd fd) : fd_(std::move(fd)) {}

  int fd() const { return fd_.get(); }

  /// Does not block. `now` decides the rate.
  std::optional<Denial> next(TimePoint now);

 private:
  std::optional<Denial> answer();

  Fd fd_;
  std::vector<std::uint64_t> request_;  // sized as this kernel wants it
  RateGate gate_;
};

/// "tried to trace another process (ptrace): denied"
std::string denial_in_plain_words(std::string_view syscall, std::uint64_t second_argument);

}  // namespace calaboose::jail
