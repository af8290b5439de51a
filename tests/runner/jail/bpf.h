// SPDX-License-Identifier: Apache-2.0
// A classic BPF interpreter, as much of it as seccomp allows: judges a filter without installing
// it. Place: tests/runner/jail.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <string_view>

namespace calaboose::testing {

/// The filter's answer for one call. Aborts the test process on an instruction that seccomp would
/// refuse, on a jump outside the program, or if the program runs off its end.
std::uint32_t evaluate(std::string_view program, const seccomp_data& call);

}  // namespace calaboose::testing
