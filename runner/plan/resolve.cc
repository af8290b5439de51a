// SPDX-License-Identifier: Apache-2.0
// Path walking with a memory of the links.
// Place: runner/plan. Pure: asks Files.
#include "runner/plan/resolve.h"

#include <deque>

#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel
constexpr std::size_t kMaxPathBytes = 4096;

void push_front(std::deque<std::string>& names, std::string_view path) {
  const std::vector<std::string> parts = components(path);
  names.insert(names.begin(), parts.begin(), parts.end());
}

}  // namespace

std::optional<Resolved> resolve(const host::Files& files, std::string_view path) {
  if (!is_absolute(path) || path.size() > kMaxPathBytes) {
    return std::nullopt;
  }
  Resolved out;
  out.real = "/";
  std::deque<std::string> todo;
  push_front(todo, path);
  while (!todo.empty()) {
    const std::string name = std::move(todo.front());
    todo.pop_front();
    if (name == ".") {
      continue;
    }
    if (name == "..") {
      out.real = parent_of(out.real);
      continue;
    }
    const std::string next = join(out.real, name);
    const auto info = files.lstat(next);
    if (!info) {
      return std::nullopt;
    }
    if (!info->is_symlink()) {
      if (!todo.empty() && !info->is_directory()) {
        return std::nullopt;
      }
      out.real = next;
      continue;
    }
    const auto target = files.read_link(next);
    if (!target || target->empty() || target->size() > kMaxPathBytes ||
        out.links.size() >= kMaxLinks) {
      return std::nullopt;
    }
    out.links.push_back({next, *target});
    if (is_absolute(*target)) {
      out.real = "/";
    }
    push_front(todo, *target);
  }
  const auto info = files.lstat(out.real);
  if (!info) {
    return std::nullopt;
  }
  out.info = *info;
  return out;
}

std::optional<std::string> with_real_parent(const host::Files& files, const std::string& path) {
  const auto dir = resolve(files, parent_of(path));
  if (!dir || !dir->info.is_directory()) {
    return std::nullopt;
  }
  return join(dir->real, name_of(path));
}

std::string resolve_existing(const host::Files& files, const std::string& path) {
  std::string rest;
  std::string at = normalise(path);
  while (at != "/") {
    if (const auto found = resolve(files, at)) {
      return normalise(found->real + rest);
    }
    rest = "/" + name_of(at) + rest;
    at = parent_of(at);
  }
  return normalise(rest);
}

}  // namespace calaboose::plan
