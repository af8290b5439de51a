// SPDX-License-Identifier: Apache-2.0
// The finished, flat description of one jail: nothing is decided after this.
// Place: runner/plan; made by build_plan, sent to calaboose-jail as bytes. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace calaboose::plan {

/// One entry of the jail's tree, made in order on a fresh tmpfs root.
struct Mount {
  enum class Kind : std::uint8_t {
    kDirectory,  // mkdir -p with mode
    kFile,       // small read-only file with `data`
    kSymlink,    // target -> data
    kBind,       // source at target; identity checked (device, inode) after opening
    kTmpfs,      // size_bytes, inodes, mode
    kProc,       // full with sensitive files masked, or subset=pid (`pid_only`)
    kMask,       // an empty read-only file or directory over target
  };
  Kind kind = Kind::kDirectory;
  std::string target;  // absolute inside the jail, normalised, no ".."
  std::string source;  // kBind: absolute real path on the host, no symlinks
  std::string data;
  std::uint64_t device = 0;  // kBind: st_dev and st_ino of the source when it was approved
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t inodes = 0;
  std::uint32_t mode = 0755;
  bool writable = false;
  bool executable = true;  // false: noexec
  bool pid_only = false;
  bool is_device = false;  // kBind of a device node: without nodev
  bool identity_mapped =
      false;  // started as root: this bind's owner 0 appears as the jail's user (grants, home)
  bool ours = false;  // the source is a folder of ours (the home): where its file system cannot map
                      // owners, it may be given to the jail's user instead; a grant never is
  std::string reason;  // for `policy explain`; not sent to the helper
  std::string origin;  // likewise
};

/// Landlock access, by intent; the helper masks what the kernel's ABI does not know.
enum LandlockAccess : std::uint32_t {
  kReadFile = 1U << 0U,
  kReadDir = 1U << 1U,
  kExecute = 1U << 2U,
  kWriteFile = 1U << 3U,  // with truncate
  kMake = 1U << 4U,  // create, remove, rename regular files, directories, symlinks, fifos, sockets
  kIoctlDev = 1U << 5U,
};

struct LandlockRule {
  std::string path;  // inside the jail
  std::uint32_t access = 0;
};

struct Rlimits {  // 0: leave unchanged
  std::uint64_t data_bytes = 2ULL << 30U;
  std::uint64_t file_bytes = 1ULL << 30U;
  std::uint32_t open_files = 8192;
  std::uint32_t tasks = 512;
};

inline constexpr std::uint32_t kPlanVersion = 1;
inline constexpr std::uint32_t kJailUid = 1000;  // inside

struct Plan {
  std::string server;  // for messages
  std::string hostname = "calaboose";
  std::vector<std::string> argv;  // argv[0] is the absolute program inside the jail
  std::vector<std::string> env;   // "NAME=value", complete
  std::string cwd = "/";
  std::vector<Mount> mounts;
  std::vector<LandlockRule> landlock;
  Rlimits rlimits;
  std::string seccomp;          // BPF program, struct sock_filter[]
  bool seccomp_notify = true;   // the program answers its deny list by user notification
  std::uint32_t outer_uid = 0;  // the uid and gid outside that the jail's user is mapped to
  std::uint32_t outer_gid = 0;
  bool as_root = false;  // started by root: maps are written by the supervisor

  /// What `policy explain` prints besides the mounts: environment names with origin, profile,
  /// level.
  std::vector<std::string> notes;
};

/// Bytes for the helper: versioned, flat, little-endian, every count and length bounded (see
/// wire.cc).
std::string encode(const Plan& plan);

/// The reverse, used by tests and the fuzz target; the helper has its own reader of the same
/// format. Errors  kInvalidInput naming the field.
Result<Plan> decode(std::string_view bytes);

}  // namespace calaboose::plan
