// SPDX-License-Identifier: Apache-2.0
// (policy, facts about the host) -> plan. All thinking about a jail happens here.
// Place: runner/plan. Pure: asks the file system only through HostFacts::files.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "policy/config/server_policy.h"
#include "runner/host/facts.h"
#include "runner/plan/plan.h"

namespace calaboose::plan {

/// Identity of a server (design section 5): keys home, grants, audit.
struct Identity {
  std::string sid;      // 64 hex digits: SHA-256 of scope, name and package
  std::string package;  // package name without version, real path of the binary, …
};

struct Built {
  Plan plan;
  Identity identity;
  std::string profile;  // the profile in force
  std::string home;     // on the host: data_home/servers/<sid>/home; the caller creates it (0700)
                        // before the start
  /// Paths among the arguments that are not granted, with the option that would grant them.
  std::vector<std::string> proposals;
  /// Names inside write grants that programs on the host obey by themselves (.git/hooks, .envrc, …)
  /// and that could not be protected, since they do not exist yet. The caller looks again when the
  /// server has ended and lists what appeared (J38).
  std::vector<std::string> unprotected;
};

/// Errors  kCommandNotFound; kInvalidConfig (a grant that is a symlink, our own folders, "/" or
/// $HOME, env that is refused,
///         hosts asked for in this version); kUsage. Each with hint and origin.
Result<Built> build_plan(const policy::ServerPolicy& policy, const host::HostFacts& facts);

/// Puts the identity of the home directory into the plan, once the caller has made it.
/// Errors  kIo: it does not exist, or it is not a directory of this user.
Result<void> pin_home(Built& built, const host::HostFacts& facts);

}  // namespace calaboose::plan
