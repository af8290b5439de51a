// SPDX-License-Identifier: Apache-2.0
// (configuration, server name, command line, environment) -> the effective policy of one server.
// Place: policy/config; used by every command that starts a server. Pure: files are read through a
// callback.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/config/config.h"
#include "policy/config/server_policy.h"

namespace calaboose::policy {

/// What references may read. No getenv below main: the caller fills it.
struct Environment {
  std::map<std::string, std::string> variables;  // the caller's own environment
  std::string home;                              // absolute; `~` and ${userHome}
  std::string cwd;                               // absolute, real; ${workspaceFolder}
  /// Reads a whole file for ${file:…}; must itself stop at kMaxSecretFileBytes + 1. Absent:
  /// ${file:} is refused.
  std::function<Result<std::string>(const std::string& path)> read_file;
};

inline constexpr std::size_t kMaxSecretFileBytes = 64U << 10U;

/// Options of one call, as typed; empty means not given. Checked here, so that the texts are the
/// same everywhere.
struct CommandLine {
  std::string command;  // after "--"; only without a server name
  std::vector<std::string> args;
  std::string name;                      // --name
  std::string profile;                   // --profile
  std::string minimum_level;             // --minimum-level
  std::string project;                   // --project ro | rw
  std::vector<std::string> allow_hosts;  // --allow-host
  std::vector<std::string> read;         // --read; relative to the working directory, ~ expanded
  std::vector<std::string> write;        // --write
  std::vector<std::string> env;          // --env NAME (the caller's value) or NAME=VALUE
  std::string cwd;                       // --cwd
  std::optional<std::chrono::milliseconds> timeout;
};

/// Merges built-in, `policy`, server entry and command line (in this order, later wins; within one
/// kind the files in search order), follows references, applies the managed file last.
///
/// `name` is the value of --server; empty: the target is command_line.command and the scope "cli".
///
/// Errors    kInvalidConfig no such server, a variable that is not set, …; kUsage a bad option;
/// kDenied a server that only
///           a file nobody accepted defines, a disabled one, one that the managed file does not
///           allow; kCannotEnforce a protection that this version does not have. Each with id,
///           origin and remedy.
/// Lifetime  the policy owns its strings.
Result<ServerPolicy> resolve_server(const Config& config, std::string_view name,
                                    const CommandLine& command_line,
                                    const Environment& environment);

}  // namespace calaboose::policy
