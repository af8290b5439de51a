// SPDX-License-Identifier: Apache-2.0
// Who a server is (design section 5), and the user that its jail belongs to outside.
// Place: runner/plan, private to it. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "policy/config/server_policy.h"
#include "runner/host/facts.h"
#include "runner/plan/build_plan.h"

namespace calaboose::plan {

/// `package`: the package's name without version, or the program's real path.
Identity identify(const policy::ServerPolicy& policy, const std::string& package);

/// Started by root: an id from 64000 to 64999 that no account of this machine has, the same for
/// each start of a server.
std::uint32_t outer_id_for(const std::string& sid, const host::Files& files);

}  // namespace calaboose::plan
