// SPDX-License-Identifier: Apache-2.0
// The jail's process 1: builds the walls, starts the server, reaps, reports its end.
// Place: runner/jail/helper.
#pragma once

#include "runner/jail/helper/tree.h"
#include "runner/plan/wire_view.h"

namespace calaboose::jail {

/// Never returns; its end is the end of every process of the jail. `network`: socket on which the
/// helper hands over the jail's network namespace.
[[noreturn]] void run_init(const plan::wire::PlanView& plan, const Trees& trees, int network);

}  // namespace calaboose::jail
