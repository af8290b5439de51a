// SPDX-License-Identifier: Apache-2.0
// Absolute POSIX paths as text: joining, cutting, containment. Says nothing about what exists.
// Place: runner/plan. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace calaboose::plan {

/// True for a path that starts with "/".
bool is_absolute(std::string_view path);

/// `path` itself when absolute, else below `base`; then normalised. "~" means nothing here.
std::string absolute_path(std::string_view base, std::string_view path);

/// Without ".", "..", doubled or trailing slashes; "/" stays "/". Lexical: ".." removes the name
/// before it, which is not what the kernel does behind a symbolic link (resolve() asks the file
/// system). Requires an absolute path.
std::string normalise(std::string_view path);

std::string parent_of(std::string_view path);  // "/a/b" -> "/a"; "/a" and "/" -> "/"
std::string name_of(std::string_view path);    // "/a/b" -> "b"; "/" -> ""
std::string join(std::string_view dir, std::string_view name);

/// True if `path` is `root` or lies below it. Both normalised.
bool is_inside(std::string_view path, std::string_view root);

/// The names of a normalised path: "/a/b" -> {"a", "b"}.
std::vector<std::string> components(std::string_view path);

/// Directories strictly above `path`, nearest first, "/" last.
std::vector<std::string> ancestors(std::string_view path);

/// Parents sort before what lies in them: compares by component.
bool path_less(std::string_view a, std::string_view b);

}  // namespace calaboose::plan
