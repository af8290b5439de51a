// SPDX-License-Identifier: Apache-2.0
// The jail's own file tree: fresh tmpfs root, the plan's mounts, pivot.
// Place: runner/jail/helper; runs in the jail's init before anything untrusted exists.
#pragma once

#include <cstdint>

#include "runner/plan/wire_view.h"

namespace calaboose::jail {

/// Detached mounts made by the supervisor (as root), in the order of the plan's binds.
struct Trees {
  int fds[plan::wire::kMaxMounts];
  std::uint32_t count = 0;
};

/// Builds the tree and makes it the root directory. Any failure ends the process with a report.
void enter_tree(const plan::wire::PlanView& plan, const Trees& trees);

}  // namespace calaboose::jail
