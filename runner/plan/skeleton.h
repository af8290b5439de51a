// SPDX-License-Identifier: Apache-2.0
// The part of the tree that every jail has: /etc, /dev, /proc, /tmp, the private home.
// Place: runner/plan, private to it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "runner/host/facts.h"
#include "runner/plan/plan.h"
#include "runner/plan/profile.h"
#include "runner/plan/tree.h"

namespace calaboose::plan {

/// Directories, synthetic files, devices, proc, tmp and shm, with their Landlock rules.
void add_skeleton(const Profile& profile, const std::string& jail_home, std::uint64_t tmp_bytes,
                  const host::Files& files, std::vector<Mount>& mounts,
                  std::vector<LandlockRule>& rules);

/// The server's private persistent home, `host_dir` seen as `jail_home`. Its identity is 0 while it
/// does not exist. Errors  kDenied (CB2113): the server planted a link where an interpreter would
/// load code from.
Result<void> add_home(const Profile& profile, const std::string& host_dir,
                      const std::string& jail_home, bool as_root, const host::Files& files,
                      Tree& tree);

}  // namespace calaboose::plan
