// SPDX-License-Identifier: Apache-2.0
// Starts the helper: plan in a sealed memory file, three pipes, control socket, empty environment.
// Place: runner/jail.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "runner/jail/jail.h"

namespace calaboose::jail {

struct Spawned {
  pid_t pid = -1;
  Fd pidfd;
  Fd control;
  Fd in;  // our ends of the server's pipes, non-blocking
  Fd out;
  Fd err;
};

/// `bytes`: the encoded plan. posix_spawn shares memory until exec, so its cost does not grow with
/// ours.
Result<Spawned> spawn_helper(const plan::Plan& plan, const std::string& bytes,
                             const Options& options);

}  // namespace calaboose::jail
