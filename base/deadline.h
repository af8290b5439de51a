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

  /// A span too long for the clock means never.
  static Deadline after(Milliseconds span, TimePoint now = SteadyClock::now()) {
    const auto most =
        std::chrono::floor<Milliseconds>(TimePoint::max() - std::max(now, TimePoint()));
    return span < most ? Deadline(now + span) : never();
  }

  bool expired(TimePoint now) const { return now >= when_; }

  TimePoint when() const { return when_; }

  /// Milliseconds left, rounded up, at least 0; `cap` when there is no end. For poll(2).
  int poll_timeout_ms(TimePoint now, int cap = 60'000) const {
    if (when_ == TimePoint::max()) {
      return cap;
    }
    if (expired(now)) {
      return 0;  // also keeps the difference below in range
    }
    const auto left = std::chrono::ceil<Milliseconds>(when_ - now).count();
    return static_cast<int>(std::min<decltype(left)>(left, cap));
  }

 private:
  explicit Deadline(TimePoint when) : when_(when) {}

  TimePoint when_;
};

}  // namespace calaboose
