// SPDX-License-Identifier: Apache-2.0
// Tries each mechanism in a short-lived child and reports the errno.
// Place: runner/host, private to it.
#pragma once

#include <cstdint>
#include <vector>

namespace calaboose::host {

enum class Mechanism : std::uint32_t {
  kUserNamespace,
  kIdMap,
  kMountNamespace,
  kTmpfs,
  kMountByDescriptor,  // open_tree, mount_setattr
  kPidNamespace,
  kProc,
  kNetNamespace,
  kIpcNamespace,
  kUtsNamespace,
  kCgroupNamespace,
  kTimeNamespace,
  kLandlock,
  kSeccompFilter,
  kSeccompNotify,
  kDataLimit,
};

struct Tried {
  Mechanism mechanism{};
  std::int32_t error = 0;  // 0: it works; else errno
};

/// In the order in which a jail uses them. A mechanism that could not be tried, because one before
/// it failed or the child died, is missing.
std::vector<Tried> try_namespaces();
std::vector<Tried> try_filters();  // Landlock, seccomp, the data limit

}  // namespace calaboose::host
