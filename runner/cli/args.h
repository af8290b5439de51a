// SPDX-License-Identifier: Apache-2.0
// The command line: one table of commands and options gives parsing, suggestions and --help.
// Place: runner/cli. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace calaboose::cli {

struct OptionSpec {
  std::string_view name;   // "--read"
  std::string_view value;  // "PATH"; empty: a switch
  std::string_view help;
  bool repeatable = false;
  std::string_view choices = {};  // "text|json": anything else is refused
};

enum class Target : std::uint8_t {
  kNone,
  kServer
};  // kServer: takes the jail options and `-- COMMAND [ARG…]`

struct CommandSpec {
  std::string_view name;       // "tools", "audit verify"
  std::string_view group;      // heading in --help
  std::string_view arguments;  // "TOOL [JSON|-]"
  std::string_view summary;
  std::string_view details;  // shown by `calaboose NAME --help`
  std::span<const OptionSpec> options;
  Target target = Target::kNone;
  unsigned min_arguments = 0;
  unsigned max_arguments = 0;
};

/// What was typed, checked against the table.
struct Args {
  const CommandSpec* command = nullptr;  // null: plain help
  bool help = false;
  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  std::vector<std::string> server_command;  // after "--"
  bool has_separator = false;

  bool has(std::string_view name) const { return options.find(name) != options.end(); }

  std::optional<std::string> one(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
};

/// All commands, in the order of --help.
std::span<const CommandSpec> commands();
/// Options that every command has, and those of a server target.
std::span<const OptionSpec> common_options();
std::span<const OptionSpec> target_options();

/// Errors  kUsage with a hint (unknown command or option, missing or surplus value, unknown
/// choice).
Result<Args> parse_args(const std::vector<std::string>& words);

std::string help_text();
std::string help_text(const CommandSpec& command);

}  // namespace calaboose::cli
