// SPDX-License-Identifier: Apache-2.0
// Sees through version managers: the real program behind a shim of pyenv, volta, asdf or mise.
// Place: runner/plan, private to it. Pure: reads the managers' version files, runs nothing.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "runner/plan/command.h"

namespace calaboose::plan {

/// The program that the shim at `program` would start in `request.cwd`; `program` itself when it is
/// no shim. Errors  kCommandNotFound: a shim whose version is not installed or cannot be read off
/// its files.
Result<std::string> behind_shim(const std::string& program, const CommandRequest& request,
                                const host::Files& files);

}  // namespace calaboose::plan
