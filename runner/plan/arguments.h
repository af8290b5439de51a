// SPDX-License-Identifier: Apache-2.0
// Finds the script among an interpreter's arguments.
// Place: runner/plan, private to it. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/command.h"

namespace calaboose::plan {

struct ScriptArgument {
  std::optional<std::size_t>
      index;           // in argv; none: code on the command line, stdin, a module, or a question
  std::string module;  // python -m NAME
};

/// argv[0] is the interpreter.
ScriptArgument find_script(Runtime runtime, const std::vector<std::string>& argv);

}  // namespace calaboose::plan
