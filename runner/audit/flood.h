// SPDX-License-Identifier: Apache-2.0
// A bound on records that a server can cause at will (A07).
// Place: runner/audit; internal. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

namespace calaboose::audit {

/// Token bucket over a clock in microseconds. Threads: one at a time.
class FloodGate {
 public:
  FloodGate(std::uint32_t burst, std::uint32_t per_second)
      : burst_(burst), per_second_(per_second), tokens_(burst) {}

  /// True if one more record may be written now.
  bool admit(std::int64_t now_us) {
    if (now_us > last_us_) {
      const double gained = static_cast<double>(now_us - last_us_) * 1e-6 * per_second_;
      tokens_ = std::min(burst_, tokens_ + gained);
    }
    last_us_ = now_us;
    if (tokens_ < 1.0) {
      return false;
    }
    tokens_ -= 1.0;
    return true;
  }

 private:
  double burst_;
  double per_second_;
  double tokens_;
  std::int64_t last_us_ = 0;
};

}  // namespace calaboose::audit
