// SPDX-License-Identifier: Apache-2.0
// The last steps before the server's program runs: limits, Landlock, seccomp, execve.
// Place: runner/jail/helper.
#pragma once

#include "runner/plan/wire_view.h"

namespace calaboose::jail {

/// No new privileges, all five capability sets empty, securebits locked. For init and, inherited,
/// for the server.
void drop_privileges();

/// Never returns: executes the server, or reports the failed step and ends.
[[noreturn]] void become_server(const plan::wire::PlanView& plan);

}  // namespace calaboose::jail
