// SPDX-License-Identifier: Apache-2.0
// Builds the jail's tree with the descriptor-based mount calls: a source is opened once without
// following links, compared with what was approved, cloned and attached by descriptor, so that
// nobody can swap a path in between (J26). Nothing is ever created outside file systems that this
// file made itself. Place: runner/jail/helper.
#include "runner/jail/helper/tree.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstring>

#include "runner/jail/helper/place.h"
#include "runner/jail/helper/report.h"
#include "runner/jail/helper/sys.h"

namespace calaboose::jail {
namespace {

using plan::wire::MountView;
using plan::wire::PlanView;

enum Kind : std::uint8_t { kDirectory, kFile, kSymlink, kBind, kTmpfs, kProc, kMask };

constexpr char kEmptyFile[] = ".empty-file";
constexpr char kEmptyDirectory[] = ".empty-directory";

int root = -1;  // the new root directory
bool have_empties = false;

bool is_directory(mode_t mode) {
  return (mode & S_IFMT) == S_IFDIR;
}

std::uint64_t attributes_of(const MountView& m) {
  std::uint64_t attributes = MOUNT_ATTR_NOSUID;
  attributes |= (m.flags & plan::wire::kMountDevice) == 0 ? MOUNT_ATTR_NODEV : 0U;
  attributes |= (m.flags & plan::wire::kMountWritable) == 0 ? MOUNT_ATTR_RDONLY : 0U;
  attributes |= (m.flags & plan::wire::kMountExecutable) == 0 ? MOUNT_ATTR_NOEXEC : 0U;
  return attributes;
}

/// J30: a device must be the one that its name says, whatever the host's /dev holds.
bool is_expected_device(const char* target, const struct stat& info) {
  struct Device {
    const char* path;
    unsigned minor;
  };

  constexpr Device kDevices[] = {{"/dev/null", 3},
                                 {"/dev/zero", 5},
                                 {"/dev/full", 7},
                                 {"/dev/random", 8},
                                 {"/dev/urandom", 9}};
  if ((info.st_mode & S_IFMT) != S_IFCHR || major(info.st_rdev) != 1) {
    return false;
  }
  for (const auto& device : kDevices) {
    if (std::strcmp(device.path, target) == 0) {
      return minor(info.st_rdev) == device.minor;
    }
  }
  return false;
}

/// The source as a detached mount: made here, or received from a supervisor that runs as root.
int open_bind(const MountView& m, const Trees& trees, std::uint32_t& next_tree, struct stat& info) {
  if (trees.count != 0) {
    if (next_tree == trees.count) {
      errno = EBADMSG;
      return -1;
    }
    const int tree = trees.fds[next_tree++];
    return ::fstat(tree, &info) == 0 ? tree : -1;
  }
  const int source = sys::open_strict(AT_FDCWD, m.source, O_PATH, false);
  if (source < 0 || ::fstat(source, &info) != 0) {
    return -1;
  }
  if (info.st_dev != m.device || info.st_ino != m.inode) {
    errno = ESTALE;
    return -1;
  }
  const int tree =
      ::open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  if (tree < 0 || !set_attributes(tree, attributes_of(m))) {
    return -1;
  }
  ::close(source);
  return tree;
}

void add_bind(const MountView& m, const Trees& trees, std::uint32_t& next_tree,
              std::uint32_t index) {
  struct stat info = {};
  const int tree = open_bind(m, trees, next_tree, info);
  if (tree < 0) {
    fail(Step::kBind, index);
  }
  if ((m.flags & plan::wire::kMountDevice) != 0 && !is_expected_device(m.target, info)) {
    fail_with(Step::kDevice, ENODEV, index);
  }
  if (!attach(tree, m.target, is_directory(info.st_mode))) {
    fail(Step::kBind, index);
  }
}

int make_tmpfs(std::uint64_t bytes, std::uint32_t inodes, std::uint32_t mode,
               std::uint64_t attributes) {
  char size_text[32];
  char inode_text[32];
  char mode_text[32];
  const int context = ::fsopen("tmpfs", FSOPEN_CLOEXEC);
  if (context < 0 ||
      ::fsconfig(context, FSCONFIG_SET_STRING, "size", sys::digits(bytes, 10, size_text), 0) != 0 ||
      ::fsconfig(context, FSCONFIG_SET_STRING, "nr_inodes", sys::digits(inodes, 10, inode_text),
                 0) != 0 ||
      ::fsconfig(context, FSCONFIG_SET_STRING, "mode", sys::digits(mode, 8, mode_text), 0) != 0 ||
      ::fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return -1;
  }
  const int tree = ::fsmount(context, FSMOUNT_CLOEXEC, static_cast<unsigned>(attributes));
  ::close(context);
  return tree >= 0 && remember_own(tree) ? tree : -1;
}

void add_tmpfs(const MountView& m, std::uint32_t index) {
  const int tree = make_tmpfs(m.size_bytes, m.inodes, m.mode, attributes_of(m));
  if (tree < 0 || !attach(tree, m.target, true)) {
    fail(Step::kTmpfs, index);
  }
}

void add_entry(const MountView& m, std::uint32_t index) {
  if (m.kind == kDirectory) {
    const int fd = open_target(m.target, true, m.mode);
    if (fd < 0) {
      fail(Step::kDirectory, index);
    }
    ::close(fd);
    return;
  }
  const char* name = nullptr;
  const int parent = open_parent(m.target + 1, name);
  if (parent < 0 || !is_own(parent)) {
    fail(Step::kDirectory, index);
  }
  if (m.kind == kSymlink) {
    if (::symlinkat(m.data, parent, name) != 0) {
      fail(Step::kDirectory, index);
    }
  } else {
    const int fd =
        ::openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, m.mode);
    if (fd < 0 || ::write(fd, m.data, m.data_size) != static_cast<ssize_t>(m.data_size)) {
      fail(Step::kDirectory, index);
    }
    ::close(fd);
  }
  ::close(parent);
}

/// What masks show: a read-only view, detached, of an empty file or directory. Both are removed
/// from the tree before it is entered.
int open_empty(bool directory) {
  if (!have_empties) {
    const int fd = ::openat(root, kEmptyFile, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
    have_empties = fd >= 0 && ::close(fd) == 0 && ::mkdirat(root, kEmptyDirectory, 0555) == 0;
  }
  constexpr auto kInert =
      MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  const int tree = ::open_tree(root, directory ? kEmptyDirectory : kEmptyFile,
                               OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  return have_empties && tree >= 0 && set_attributes(tree, kInert) ? tree : -1;
}

void add_mask(const MountView& m, std::uint32_t index) {
  struct stat info = {};
  const int place = open_below(root, m.target + 1);
  if (place < 0 || ::fstat(place, &info) != 0) {
    fail(Step::kMask, index);
  }
  ::close(place);
  const int tree = open_empty(is_directory(info.st_mode));
  if (tree < 0 || !attach(tree, m.target, is_directory(info.st_mode))) {
    fail(Step::kMask, index);
  }
}

/// Covers the entries of `names` that exist. The first cover is attached by descriptor; the others
/// are clones of it by path, one call each: this /proc is fresh and nobody else can reach it yet.
bool cover(const char* proc, const char* const* names, std::size_t count, bool directory) {
  char first[plan::wire::kMaxPath + 32] = "";
  char path[plan::wire::kMaxPath + 32];
  for (std::size_t i = 0; i < count; ++i) {
    std::strcat(std::strcat(std::strcpy(path, proc), "/"), names[i]);
    if (first[0] != '\0') {
      if (::mount(first + 1, path + 1, nullptr, MS_BIND, nullptr) != 0 && errno != ENOENT) {
        return false;
      }
      continue;
    }
    const int place = open_below(root, path + 1);
    if (place < 0 && errno == ENOENT) {
      continue;
    }
    ::close(place);
    const int tree = open_empty(directory);
    if (place < 0 || tree < 0 || !attach(tree, path, directory)) {
      return false;
    }
    std::strcpy(first, path);
  }
  return true;
}

/// J32: what a full /proc shows of the whole machine, and /proc/sys read-only.
bool mask_proc(const char* proc) {
  constexpr const char* kFiles[] = {"kcore",      "kallsyms",      "keys",       "key-users",
                                    "kmsg",       "sysrq-trigger", "timer_list", "sched_debug",
                                    "kpagecount", "kpageflags",    "kpagecgroup"};
  constexpr const char* kDirectories[] = {"acpi", "scsi"};
  if (!cover(proc, kFiles, sizeof(kFiles) / sizeof(kFiles[0]), false) ||
      !cover(proc, kDirectories, sizeof(kDirectories) / sizeof(kDirectories[0]), true)) {
    return false;
  }
  char path[plan::wire::kMaxPath + 32];
  std::strcat(std::strcpy(path, proc + 1), "/sys");
  constexpr unsigned long kFlags = MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  return ::mount(path, path, nullptr, MS_BIND, nullptr) == 0 &&
         ::mount(nullptr, path, nullptr, MS_REMOUNT | kFlags, nullptr) == 0;
}

void add_proc(const MountView& m, std::uint32_t index) {
  const bool pid_only = (m.flags & plan::wire::kMountPidOnly) != 0;
  const int context = ::fsopen("proc", FSOPEN_CLOEXEC);
  if (context < 0 ||
      (pid_only && (::fsconfig(context, FSCONFIG_SET_STRING, "subset", "pid", 0) != 0 ||
                    ::fsconfig(context, FSCONFIG_SET_STRING, "hidepid", "invisible", 0) != 0)) ||
      ::fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    fail(Step::kProc, index);
  }
  const int tree =
      ::fsmount(context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
  const int place = open_target(m.target, true, 0555);
  if (tree < 0 || place < 0 || !is_own(place)) {
    fail(Step::kProc, index);
  }
  ::close(place);
  ::close(context);
  if (!attach(tree, m.target, true) || (!pid_only && !mask_proc(m.target))) {
    fail(Step::kProc, index);
  }
}

void make_root() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    fail(Step::kPropagation);
  }
  done(Step::kPropagation);
  // Attached on top of "/" itself: paths from the old root do not see it, so it hides no source.
  root = make_tmpfs(1U << 20U, 4096, 0755, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  if (root < 0 || ::move_mount(root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) != 0 ||
      ::fchdir(root) != 0) {
    fail(Step::kRoot);
  }
  set_place_root(root);
  done(Step::kRoot);
}

void pivot() {
  if (have_empties && (::unlinkat(root, kEmptyFile, 0) != 0 ||
                       ::unlinkat(root, kEmptyDirectory, AT_REMOVEDIR) != 0)) {
    fail(Step::kMask);
  }
  if (::syscall(SYS_pivot_root, ".", ".") != 0 || ::umount2(".", MNT_DETACH) != 0 ||
      ::chdir("/") != 0) {
    fail(Step::kPivot);
  }
  done(Step::kPivot);
  mount_attr attr{};
  attr.attr_set = MOUNT_ATTR_RDONLY;
  if (::mount_setattr(AT_FDCWD, "/", 0, &attr, sizeof(attr)) != 0) {
    fail(Step::kReadOnlyRoot);
  }
  done(Step::kReadOnlyRoot);
}

}  // namespace

void enter_tree(const PlanView& plan, const Trees& trees) {
  make_root();
  std::uint32_t next_tree = 0;
  for (std::uint32_t i = 0; i < plan.mount_count; ++i) {
    const MountView& m = plan.mounts[i];
    switch (m.kind) {
      case kBind:
        add_bind(m, trees, next_tree, i);
        done((m.flags & plan::wire::kMountDevice) != 0 ? Step::kDevice : Step::kBind);
        break;
      case kTmpfs:
        add_tmpfs(m, i);
        done(Step::kTmpfs);
        break;
      case kProc:
        add_proc(m, i);
        done(Step::kProc);
        break;
      case kMask:
        add_mask(m, i);
        done(Step::kMask);
        break;
      default:
        add_entry(m, i);
        done(Step::kDirectory);
        break;
    }
  }
  pivot();
}

}  // namespace calaboose::jail
