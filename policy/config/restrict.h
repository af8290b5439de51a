// SPDX-License-Identifier: Apache-2.0
// Applies the administrator's file to one effective policy: by intersection, never wider.
// Place: policy/config, last step of resolve_server. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/config/config.h"
#include "policy/config/server_policy.h"

namespace calaboose::policy {

/// What a command line says about the package that it runs.
struct PackageIdentity {
  std::string package;  // "npm:@scope/name", "pypi:name", an absolute path; empty: cannot be told
  std::string version;  // exact, or empty
  bool starts_others =
      false;  // a package runner, container engine or shell: what runs is decided by its arguments
};

/// Only plain forms are recognised (npx [-y] NAME[@VERSION], uvx NAME[@VERSION]); an unknown option
/// makes it unknown.
PackageIdentity package_identity(std::string_view command, const std::vector<std::string>& args);

/// Errors  kDenied CB2035 not among allowedServers, CB2036 version not pinned; kCannotEnforce
/// CB2037 something that this
///         version cannot check.
Result<void> restrict_by_managed(const Config& config, ServerPolicy& policy);

}  // namespace calaboose::policy
