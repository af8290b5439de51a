// SPDX-License-Identifier: Apache-2.0
// Configuration texts -> Config: parses, validates, reports several problems at once.
// Place: policy/config; the CLI reads the files and calls this. Pure: takes texts, never paths.
//
//   LoadResult loaded = load_config({{"/etc/calaboose/config.jsonc", system_text,
//   SourceKind::kCalaboose, true, digest},
//                                    {"/home/u/.config/calaboose/config.jsonc", user_text, …}});
//   if (!loaded.ok()) { print(loaded.render()); return exit_code_of(loaded.error().code()); }
//   CALABOOSE_TRY(ServerPolicy policy, resolve_server(loaded.config, "tickets", command_line,
//   environment));
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "policy/config/config.h"

namespace calaboose::policy {

inline constexpr std::size_t kMaxConfigBytes = 1U << 20U;
inline constexpr std::size_t kMaxProblems = 20;
inline constexpr std::size_t kMaxServers = 256;
inline constexpr std::size_t kMaxListItems = 1024;
inline constexpr std::uint32_t kMaxConfigDepth = 32;

struct LoadResult {
  Config config;                // complete only if ok()
  std::vector<Error> problems;  // at most kMaxProblems, by source and position
  std::size_t more_problems = 0;

  bool ok() const { return problems.empty(); }

  /// One problem as it is; several as one Error whose text is render(). Requires !ok().
  Error error() const;
  /// All problems for a person, separated by empty lines, with a count at the end when there are
  /// several.
  std::string render() const;
};

/// `sources` stand in search order, the weakest first (/etc, then the user's file); managed files
/// may stand anywhere and are applied last. An empty list is an empty configuration.
///
/// Errors    kInvalidConfig with id, position, excerpt and hint, for everything in our own files
/// that is unknown, twice
///           there, of the wrong type or out of range; in hosts' files foreign keys become notes.
/// Cost      linear in the texts.
LoadResult load_config(const std::vector<SourceText>& sources);

/// Guesses what a file named by `--config` or `check config` is: ours if it has "version", "policy"
/// or "audit", a host's if it has `mcpServers` or `servers` without these, else ours.
SourceKind kind_of(std::string_view text);

}  // namespace calaboose::policy
