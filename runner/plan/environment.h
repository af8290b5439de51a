// SPDX-License-Identifier: Apache-2.0
// The environment of a jailed server: built, never inherited (features H1 to H3).
// Place: runner/plan, private to it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/config/server_policy.h"
#include "runner/host/facts.h"
#include "runner/plan/profile.h"

namespace calaboose::plan {

struct EnvironmentRequest {
  std::string home;     // inside the jail
  std::string bin_dir;  // of the toolchain; may be empty
};

struct Environment {
  std::vector<std::string> entries;  // "NAME=value"
  std::vector<std::string> notes;    // names with origin, never values of `env`
};

/// Errors  kInvalidConfig: CB2106 (changes the loader or interpreter and comes from untrusted
/// configuration),
///         CB2107 (a name or value that no environment can hold).
Result<Environment> build_environment(const policy::ServerPolicy& policy,
                                      const host::HostFacts& facts, const Profile& profile,
                                      const EnvironmentRequest& request);

/// True for a variable that makes a loader, interpreter, shell or tool run or load something (H2,
/// J55).
bool changes_what_runs(std::string_view name);

}  // namespace calaboose::plan
