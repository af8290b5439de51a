// SPDX-License-Identifier: Apache-2.0
// Builds the fixed part of the tree. Host files that say who or where the user is are replaced, not
// bound. Place: runner/plan. Pure.
#include "runner/plan/skeleton.h"

#include <utility>

#include "base/text.h"

namespace calaboose::plan {
namespace {

constexpr std::uint32_t kReadTree = kReadFile | kReadDir;
constexpr std::uint32_t kWorkTree = kReadFile | kReadDir | kWriteFile | kMake;

Mount make(Mount::Kind kind, std::string target, std::string reason) {
  Mount mount;
  mount.kind = kind;
  mount.target = std::move(target);
  mount.reason = std::move(reason);
  mount.origin = "built-in";
  return mount;
}

void file(std::vector<Mount>& mounts, std::string target, std::string data, std::string reason) {
  Mount mount = make(Mount::Kind::kFile, std::move(target), std::move(reason));
  mount.data = std::move(data);
  mount.mode = 0644;
  mounts.push_back(std::move(mount));
}

void link(std::vector<Mount>& mounts, std::string target, std::string to, std::string reason) {
  Mount mount = make(Mount::Kind::kSymlink, std::move(target), std::move(reason));
  mount.data = std::move(to);
  mounts.push_back(std::move(mount));
}

void add_etc(const std::string& home, std::vector<Mount>& mounts) {
  mounts.push_back(make(Mount::Kind::kDirectory, "/etc", "system files that programs expect"));
  file(mounts, "/etc/passwd",
       "mcp:x:1000:1000:MCP server:" + home +
           ":/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
       "the jail's own user; the host's accounts are not shown");
  file(mounts, "/etc/group", "mcp:x:1000:\nnogroup:x:65534:\n", "the jail's own group");
  file(mounts, "/etc/hosts", "127.0.0.1 localhost calaboose\n::1 localhost ip6-localhost\n",
       "the host's own list would tell and override names");
  file(mounts, "/etc/resolv.conf", "# no network\n", "there is no resolver");
  file(mounts, "/etc/nsswitch.conf",
       "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: "
       "files\n",
       "only the files above are asked");
}

void add_dev(const Profile& profile, const host::Files& files, std::vector<Mount>& mounts,
             std::vector<LandlockRule>& rules) {
  mounts.push_back(
      make(Mount::Kind::kDirectory, "/dev", "devices without any hardware behind them"));
  for (const char* name : {"null", "zero", "full", "random", "urandom"}) {
    Mount mount = make(Mount::Kind::kBind, std::string("/dev/") + name, "harmless device");
    mount.source = mount.target;
    mount.is_device = true;
    mount.writable = true;
    mount.executable = false;
    if (const auto info = files.lstat(mount.source)) {
      mount.device = info->device;
      mount.inode = info->inode;
      mount.mode = info->mode & 07777U;
    }
    rules.push_back({mount.target, kReadFile | kWriteFile});
    mounts.push_back(std::move(mount));
  }
  link(mounts, "/dev/fd", "/proc/self/fd", "the shells' name for open files");
  link(mounts, "/dev/stdin", "/proc/self/fd/0", "standard input by name");
  link(mounts, "/dev/stdout", "/proc/self/fd/1", "standard output by name");
  link(mounts, "/dev/stderr", "/proc/self/fd/2", "standard error by name");
  Mount shm = make(Mount::Kind::kTmpfs, "/dev/shm", profile.shm.reason);
  shm.size_bytes = profile.shm.size_bytes;
  shm.inodes = profile.shm.inodes;
  shm.mode = 01777;
  shm.writable = true;
  shm.executable = false;
  mounts.push_back(std::move(shm));
  rules.push_back({"/dev", kReadTree});
  rules.push_back({"/dev/shm", kWorkTree});
}

/// J63: node looks for modules that it finds nowhere else in these directories of the home. What a
/// server left there would be loaded at its next start.
Result<void> hide_planted_code(const std::string& host_dir, const std::string& jail_home,
                               const host::Files& files, Tree& tree) {
  for (const char* name : {"/.node_modules", "/.node_libraries"}) {
    const auto info = files.lstat(host_dir + name);
    if (!info) {
      continue;
    }
    if (info->is_symlink()) {
      return Error(Errc::kDenied, "the server left a link in its home where node looks for code: " +
                                      printable(host_dir + name, 512))
          .with_hint("look at it, and remove it to start the server again")
          .with_id("CB2113");
    }
    tree.mask_elsewhere(jail_home + name,
                        {"code left in the home is not loaded at the next start", "built-in"});
  }
  return {};
}

}  // namespace

void add_skeleton(const Profile& profile, const std::string& jail_home, std::uint64_t tmp_bytes,
                  const host::Files& files, std::vector<Mount>& mounts,
                  std::vector<LandlockRule>& rules) {
  rules.push_back({"/", kReadDir});
  add_etc(jail_home, mounts);
  rules.push_back({"/etc", kReadTree});
  add_dev(profile, files, mounts, rules);

  Mount proc = make(Mount::Kind::kProc, "/proc", profile.proc_reason);
  proc.pid_only = profile.proc_own_only;
  mounts.push_back(std::move(proc));
  rules.push_back({"/proc", kReadTree | (profile.proc_own_only ? 0U : kWriteFile)});

  Mount tmp = make(Mount::Kind::kTmpfs, "/tmp", profile.tmp.reason);
  tmp.size_bytes = tmp_bytes;
  tmp.inodes = profile.tmp.inodes;
  tmp.mode = 01777;
  tmp.writable = true;
  tmp.executable = profile.tmp.executable;
  mounts.push_back(std::move(tmp));
  rules.push_back({"/tmp", kWorkTree | (profile.tmp.executable ? kExecute : 0U)});
}

Result<void> add_home(const Profile& profile, const std::string& host_dir,
                      const std::string& jail_home, bool as_root, const host::Files& files,
                      Tree& tree) {
  Mount home = make(Mount::Kind::kBind, jail_home, profile.home_reason);
  home.source = host_dir;
  home.mode = 0040700;
  home.writable = true;
  home.executable = profile.home_executable;
  home.identity_mapped = as_root;
  home.ours = true;
  if (const auto info = files.lstat(host_dir)) {
    home.device = info->device;
    home.inode = info->inode;
  }
  tree.bind_elsewhere(std::move(home));
  return hide_planted_code(host_dir, jail_home, files, tree);
}

}  // namespace calaboose::plan
