// SPDX-License-Identifier: Apache-2.0
// Absolute POSIX paths as text.
// Place: runner/plan. Pure.
#include "runner/plan/paths.h"

#include <algorithm>

namespace calaboose::plan {

bool is_absolute(std::string_view path) {
  return !path.empty() && path.front() == '/';
}

std::string absolute_path(std::string_view base, std::string_view path) {
  if (is_absolute(path)) {
    return normalise(path);
  }
  return normalise(std::string(base) + "/" + std::string(path));
}

std::string normalise(std::string_view path) {
  std::vector<std::string_view> kept;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string_view name = path.substr(at, slash - at);
    at = slash + 1;
    if (name.empty() || name == ".") {
      continue;
    }
    if (name != "..") {
      kept.push_back(name);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out;
  for (const std::string_view name : kept) {
    out += '/';
    out += name;
  }
  return out.empty() ? "/" : out;
}

std::string parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) {
    return "/";
  }
  return std::string(path.substr(0, slash));
}

std::string name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string join(std::string_view dir, std::string_view name) {
  std::string out(dir);
  if (out.empty() || out.back() != '/') {
    out += '/';
  }
  out += name;
  return out;
}

bool is_inside(std::string_view path, std::string_view root) {
  if (root == "/") {
    return is_absolute(path);
  }
  return path.substr(0, root.size()) == root &&
         (path.size() == root.size() || path[root.size()] == '/');
}

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) {
      out.emplace_back(path.substr(at, slash - at));
    }
    at = slash + 1;
  }
  return out;
}

std::vector<std::string> ancestors(std::string_view path) {
  std::vector<std::string> out;
  std::string at(path);
  while (at != "/" && !at.empty()) {
    at = parent_of(at);
    out.push_back(at);
  }
  return out;
}

bool path_less(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i] != b[i]) {
      // A slash ends a component, so it sorts before every other byte.
      if (a[i] == '/' || b[i] == '/') {
        return a[i] == '/';
      }
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]);
    }
  }
  return a.size() < b.size();
}

}  // namespace calaboose::plan
