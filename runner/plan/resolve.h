// SPDX-License-Identifier: Apache-2.0
// Follows a path on the host link by link, remembering each symbolic link that was met.
// Place: runner/plan; the links are recreated in the jail so that the spelling given still works.
// Pure: asks Files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/host/facts.h"

namespace calaboose::plan {

struct Link {
  std::string at;  // where the link is; its parent is free of links
  std::string to;  // what it says
};

struct Resolved {
  std::string real;         // no symbolic links, no ".."
  host::FileInfo info;      // of `real`
  std::vector<Link> links;  // in the order met; empty: the spelling is already the real path
};

/// Walks an absolute path as the kernel would, ".." included. Nothing: something on the way does
/// not exist, is not a directory, or more than 40 links were met.
std::optional<Resolved> resolve(const host::Files& files, std::string_view path);

/// The real path of the directory that contains the last name of `path`, plus that name: the
/// shortest spelling of a program that still ends in the same (possibly linked) name. Nothing if
/// the directory does not exist.
std::optional<std::string> with_real_parent(const host::Files& files, const std::string& path);

/// resolve() of the longest existing part, with the rest appended.
std::string resolve_existing(const host::Files& files, const std::string& path);

}  // namespace calaboose::plan
