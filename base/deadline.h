// SPDX-License-Identifier: Apache-2.0
// An absolute point in time by which something must be done; passed down, never restarted.
// Place: base; pure state machines take the time as an argument and never read the clock.
#pragma once

#include <algorithm>
#include <chrono>

namespace calaboose {

using SteadyClock = std::chrono::steady_clock;
using TimePoint = SteadyClock::time_point;
using Milliseconds = std::chrono::milliseconds;

class Deadline {
 public:
  static Deadline never() { return Deadline(TimePoint::max()); }
  static Deadline at(TimePoint when) { return Deadline(when); }
  static Deadline after(Milliseconds span, TimePoint now = SteadyClock::now()) {
    return Deadline(now + span);
  }

  bool expired(TimePoint now) const { return now >= when_; }
  TimePoint when() const { return when_; }

  /// Milliseconds left, rounded up, at least 0; `cap` when there is no end. For poll(2).
  int poll_timeout_ms(TimePoint now, int cap = 60'000) const {
    if (when_ == TimePoint::max()) {
      return cap;
    }
    const auto left = std::chrono::ceil<Milliseconds>(when_ - now).count();
    return static_cast<int>(std::clamp<decltype(left)>(left, 0, cap));
  }

 private:
  explicit Deadline(TimePoint when) : when_(when) {}

  TimePoint when_;
};

}  // namespace calaboose
