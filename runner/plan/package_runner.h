// SPDX-License-Identifier: Apache-2.0
// npx and its relatives: a package that is already installed is run by its own program; nothing is
// ever fetched. Place: runner/plan, private to it. Pure.
#pragma once

#include <optional>

#include "base/result.h"
#include "runner/plan/command.h"

namespace calaboose::plan {

/// The request with `npx NAME …` (also `npm exec`, `bunx`, `pnpx`, …) replaced by the installed
/// package's program; nothing when the command is no package runner. Errors  kUsage (CB2102): the
/// package is not installed here, or the runner cannot be replaced (uvx, docker, …).
Result<std::optional<CommandRequest>> without_package_runner(const CommandRequest& request,
                                                             const host::Files& files);

}  // namespace calaboose::plan
