// SPDX-License-Identifier: Apache-2.0
// The list of places that no grant may name.
// Place: runner/plan. Pure.
#include "runner/plan/forbidden.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "runner/plan/paths.h"
#include "runner/plan/resolve.h"

namespace calaboose::plan {
namespace {

/// Kernel interfaces and sockets of other programs: nothing below them either.
constexpr std::array<std::string_view, 5> kKernel = {"/proc", "/sys", "/dev", "/run", "/var/run"};

/// Shared by many programs: only what lies below can be granted.
constexpr std::array<std::string_view, 24> kShared = {
    "/",      "/bin",  "/sbin",    "/lib",  "/lib32",   "/lib64",   "/usr",       "/usr/local",
    "/etc",   "/var",  "/var/lib", "/tmp",  "/var/tmp", "/opt",     "/srv",       "/mnt",
    "/media", "/home", "/root",    "/boot", "/usr/bin", "/usr/lib", "/usr/share", "/snap"};

/// Written by package managers and read by every program on the machine.
constexpr std::array<std::string_view, 8> kSystem = {"/usr",   "/bin",   "/sbin", "/lib",
                                                     "/lib64", "/lib32", "/etc",  "/boot"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& list, std::string_view path) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

template <std::size_t N>
bool is_below(const std::array<std::string_view, N>& list, std::string_view path) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view root) { return is_inside(path, root); });
}

}  // namespace

Forbidden::Forbidden(const host::HostFacts& facts) {
  home_ = facts.home.empty() ? "" : resolve_existing(*facts.files, facts.home);
  for (const std::string& folder : {facts.data_home, facts.state_home, facts.config_home}) {
    if (!folder.empty()) {
      own_.push_back(resolve_existing(*facts.files, folder));
    }
  }
  std::size_t at = 0;
  while (at < facts.path.size() && path_dirs_.size() < 64) {
    const std::size_t colon = std::min(facts.path.find(':', at), facts.path.size());
    const std::string dir = facts.path.substr(at, colon - at);
    at = colon + 1;
    if (is_absolute(dir)) {
      path_dirs_.push_back(resolve_existing(*facts.files, dir));
    }
  }
}

bool Forbidden::automatic(const std::string& real) const {
  if (is_below(kKernel, real) || is_one_of(kShared, real) || is_inside(home_, real)) {
    return true;
  }
  for (const char* shared :
       {"/.local", "/.local/share", "/.config", "/.cache", "/.ssh", "/.gnupg"}) {
    if (real == home_ + shared) {
      return true;
    }
  }
  return std::any_of(own_.begin(), own_.end(), [&](const std::string& folder) {
    return is_inside(folder, real) || is_inside(real, folder);
  });
}

std::optional<std::string> Forbidden::reason_against(const std::string& real, bool write) const {
  if (real == "/") {
    return "it is the whole file system";
  }
  if (!home_.empty() && is_inside(home_, real)) {
    return real == home_ ? "it is your whole home directory" : "it contains your home directory";
  }
  for (const std::string& folder : own_) {
    if (is_inside(real, folder) || is_inside(folder, real)) {
      return "it holds calaboose's own files";
    }
  }
  if (is_below(kKernel, real)) {
    return "kernel interfaces and other programs' sockets are never shown to a server";
  }
  if (real == "/etc") {
    return "it is the whole system configuration; name the file that is needed";
  }
  if (real == "/home" || real == "/root" || real == "/var") {
    return "it belongs to the whole machine; name a directory below it";
  }
  if (write && is_below(kSystem, real)) {
    return "system directories are only ever readable";
  }
  if (write) {
    for (const std::string& dir : path_dirs_) {
      if (is_inside(real, dir)) {
        return "programs that you run by name are looked up there (it is on PATH)";
      }
    }
  }
  return std::nullopt;
}

}  // namespace calaboose::plan
