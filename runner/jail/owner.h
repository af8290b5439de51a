// SPDX-License-Identifier: Apache-2.0
// What a supervisor that runs as root does for a jail: id maps, and the binds as detached mounts.
// Place: runner/jail.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/fd.h"
#include "base/result.h"
#include "runner/plan/plan.h"

namespace calaboose::jail {

/// True if any bind shows root's files as the jail's.
bool needs_owner_mapping(const plan::Plan& plan);

/// Writes "INSIDE OUTER 1" to both maps of the process that holds a new user namespace, and denies
/// setgroups in it.
Result<void> write_maps(pid_t holder, std::uint32_t inside, const plan::Plan& plan);

/// Opens every bind source without following links, compares it with what was approved, clones it
/// as a detached mount with its final flags, and sends all of them. `owner_namespace`: for binds
/// with identity_mapped, may be invalid otherwise. A bind whose file system cannot map owners
/// fails, except our own folder, which is given to the jail's user instead.
Result<void> send_trees(int control, const plan::Plan& plan, const Fd& owner_namespace);

}  // namespace calaboose::jail
