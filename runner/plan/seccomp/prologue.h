// SPDX-License-Identifier: Apache-2.0
// The part of the filter that looks at arguments, put before the allow list.
// Place: runner/plan/seccomp; build time only.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace calaboose::plan::seccomp {

/// Checks the arguments of ioctl, clone, personality, socket and socketpair; falls through to the
/// next instruction for everything that it does not refuse. All comparisons are on the low 32 bits,
/// as the kernel's own are (J01). `arch` is the AUDIT_ARCH value; calls of another architecture
/// fall through. `denied` is the action for calls that only an attack makes (a user notification or
/// EPERM).
std::vector<sock_filter> argument_checks(std::uint32_t arch, std::uint32_t denied);

}  // namespace calaboose::plan::seccomp
