// SPDX-License-Identifier: Apache-2.0
// Automatic grants of a command line (design section 6): the interpreter with its own directories,
// a plain program with its loader and library directories, the script's package. Place:
// runner/plan, private to it. Pure: asks Files.
#pragma once

#include <string>
#include <vector>

#include "runner/host/facts.h"
#include "runner/plan/command.h"
#include "runner/plan/forbidden.h"
#include "runner/plan/tree.h"

namespace calaboose::plan {

struct ToolchainResult {
  std::string bin_dir;  // for PATH; empty: none of its own
  std::vector<std::string> notes;
};

/// The interpreter (Runtime other than kNone) with everything it was installed with.
ToolchainResult grant_toolchain(const Command& command, const host::Files& files,
                                const Forbidden& forbidden, Tree& tree);

/// The program file, its ELF loader and the directories of its libraries.
ToolchainResult grant_program(const Command& command, const host::Files& files,
                              const Forbidden& forbidden, Tree& tree);

struct PackageResult {
  std::string name;  // package.json's or pyproject.toml's; empty: none
  std::string root;  // empty: the script alone
  std::vector<std::string> notes;
};

/// The first script argument's package (nearest package.json or pyproject.toml), its enclosing
/// node_modules or environment; the file alone where there is none.
PackageResult grant_package(const Command& command, const host::Files& files,
                            const Forbidden& forbidden, Tree& tree);

}  // namespace calaboose::plan
