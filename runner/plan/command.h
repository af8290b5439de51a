// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to one program with its arguments: PATH search, `#!` lines,
// version managers' shims, package runners. Place: runner/plan, private to it. Pure: asks Files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runner/host/facts.h"
#include "runner/plan/resolve.h"

namespace calaboose::plan {

enum class Runtime { kNone, kNode, kPython };

struct CommandRequest {
  std::string command;
  std::vector<std::string> args;
  std::string cwd;             // real path
  std::string search_path;     // PATH
  std::string python_version;  // PYENV_VERSION, if the policy sets it
};

struct Command {
  std::string program;  // absolute; its directory is a real path, its last name may be a link
  Resolved resolved;    // of `program`
  std::vector<std::string> argv;  // argv[0] is `program`
  Runtime runtime = Runtime::kNone;
  std::optional<std::size_t>
      script;  // index in argv of the file that the interpreter runs; absolute
  std::optional<Resolved> script_file;  // where it is
  std::string module;                   // python -m NAME
  std::vector<std::string> notes;
};

/// Errors  kCommandNotFound (no such program, script or interpreter); kUsage (package runners,
/// words that no program
///         can be started with).
Result<Command> resolve_command(const CommandRequest& request, const host::Files& files);

/// Which runtime a program's name stands for ("python3.11": kPython).
Runtime runtime_of(const std::string& program_name);

/// The first word of a PATH search that can be executed; relative entries are ignored. Nothing:
/// none.
std::optional<std::string> search_path(const host::Files& files, const std::string& path,
                                       const std::string& name, const std::string& skip_dir = "");

}  // namespace calaboose::plan
