// SPDX-License-Identifier: Apache-2.0
// The options of one call as a layer: checked like the files, so that the texts are the same.
// Place: policy/config, inside resolve_server. Pure.
#pragma once

#include "base/result.h"
#include "policy/config/config.h"
#include "policy/config/resolve.h"

namespace calaboose::policy {

/// Errors  kUsage, CB2040: a bad value; CB2023: --env NAME of a variable that is not set.
Result<Layer> layer_of(const CommandLine& command_line, const Environment& environment);

/// A path as typed: ~, and relative to the working directory. Leading ".." are followed (the
/// working directory is a real path); a later ".." is an error, because a link before it would lead
/// elsewhere.
Result<std::string> typed_path(std::string_view option, std::string_view path,
                               const Environment& environment);

}  // namespace calaboose::policy
