// SPDX-License-Identifier: Apache-2.0
// What an ELF program says about its loader and libraries.
// Place: runner/plan, private to it. Pure; the bytes are foreign: every offset is checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calaboose::plan {

struct ElfInfo {
  std::string interpreter;            // PT_INTERP; empty: static
  std::vector<std::string> needed;    // DT_NEEDED, at most 256
  std::vector<std::string> run_path;  // DT_RPATH and DT_RUNPATH, split at ":", $ORIGIN not expanded
};

/// Reads the first bytes of a file. Nothing: not a 64-bit little-endian ELF file. What lies beyond
/// `head` is left out: a missing dynamic section only means empty lists.
std::optional<ElfInfo> parse_elf(std::string_view head);

}  // namespace calaboose::plan
