// SPDX-License-Identifier: Apache-2.0
// Merged texts -> ServerPolicy: follows references, makes paths absolute.
// Place: policy/config, inside resolve_server. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/config/merge.h"
#include "policy/config/resolve.h"

namespace calaboose::policy {

/// Name and scope are left to the caller.
Result<ServerPolicy> build_effective(const Config& config, const Merged& merged,
                                     const Environment& environment);

/// What a server of the command line is called: its package without version, else its program.
std::string default_name(std::string_view command, const std::vector<std::string>& args);

}  // namespace calaboose::policy
