// SPDX-License-Identifier: Apache-2.0
// The owner's grants and denials of paths, and what stays protected inside a write grant.
// Place: runner/plan, private to it. Pure: asks Files.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "policy/config/server_policy.h"
#include "runner/host/facts.h"
#include "runner/plan/forbidden.h"
#include "runner/plan/tree.h"

namespace calaboose::plan {

struct GrantNotes {
  std::vector<std::string> notes;
  /// Auto-executed names inside write grants that do not exist yet: looked at again when the server
  /// has ended.
  std::vector<std::string> unprotected;
};

/// Adds `policy.paths` to the tree.
/// Errors  kInvalidConfig: does not exist (CB2104), is a link or behind one (CB2105), may not be
/// granted (CB2103).
Result<void> apply_grants(const policy::ServerPolicy& policy, const host::HostFacts& facts,
                          const Forbidden& forbidden, Tree& tree, GrantNotes& out);

/// Read-only names inside writable binds, then the policy's denials; call after every grant is in
/// the tree.
void apply_protections(const policy::ServerPolicy& policy, const host::HostFacts& facts, Tree& tree,
                       GrantNotes& out);

/// Names that programs on the host run or obey by themselves, relative to a granted directory.
const std::vector<std::string>& auto_executed_names();

}  // namespace calaboose::plan
