// SPDX-License-Identifier: Apache-2.0
// Finding and making mount points without following links, on our own file systems only.
// Place: runner/jail/helper.
#include "runner/jail/helper/place.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "runner/jail/helper/sys.h"

namespace calaboose::jail {
namespace {

int root = -1;
constexpr std::uint32_t kMaxOwn = 64;

dev_t own[kMaxOwn];  // file systems made here
std::uint32_t own_count = 0;

}  // namespace

void set_place_root(int fd) {
  root = fd;
}

bool is_directory(mode_t mode) {
  return (mode & S_IFMT) == S_IFDIR;
}

bool remember_own(int fd) {
  struct stat info = {};
  if (own_count == kMaxOwn || ::fstat(fd, &info) != 0) {
    return false;
  }
  own[own_count++] = info.st_dev;
  return true;
}

bool is_own(int fd) {
  struct stat info = {};
  if (::fstat(fd, &info) != 0) {
    return false;
  }
  for (std::uint32_t i = 0; i < own_count; ++i) {
    if (own[i] == info.st_dev) {
      return true;
    }
  }
  errno = EROFS;  // a mount point is missing inside a granted directory: the host's files are not
                  // touched
  return false;
}

int open_below(int dir, const char* path) {
  return sys::open_strict(dir, path, O_PATH, true);
}

int open_parent(const char* relative, const char*& name) {
  int current = open_below(root, ".");
  const char* part = relative;
  for (const char* slash = std::strchr(part, '/'); slash != nullptr && current >= 0;
       slash = std::strchr(part, '/')) {
    char component[256];
    const auto size = static_cast<std::size_t>(slash - part);
    std::memcpy(component, part, size);  // the reader of the plan bounds a part to 255 bytes
    component[size] = '\0';
    int next = open_below(current, component);
    if (next < 0 && errno == ENOENT && is_own(current) &&
        ::mkdirat(current, component, 0755) == 0) {
      next = open_below(current, component);
    }
    const int error = errno;
    ::close(current);
    errno = error;
    current = next;
    part = slash + 1;
  }
  name = part;
  return current;
}

int open_target(const char* target, bool directory, std::uint32_t mode) {
  const char* relative = target + 1;
  const int existing = open_below(root, relative);
  if (existing >= 0 || errno != ENOENT) {
    return existing;
  }
  const char* name = nullptr;
  const int parent = open_parent(relative, name);
  if (parent < 0) {
    return -1;
  }
  int made = -1;
  if (is_own(parent)) {
    if (directory) {
      made = ::mkdirat(parent, name, mode) == 0 ? 0 : -1;
    } else {
      const int fd =
          ::openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
      made = fd < 0 ? -1 : ::close(fd);
    }
  }
  const int fd = made == 0 ? open_below(parent, name) : -1;
  const int error = errno;
  ::close(parent);
  errno = error;
  return fd;
}

bool attach(int tree, const char* target, bool directory) {
  const int place = open_target(target, directory, 0755);
  if (place < 0 ||
      ::move_mount(tree, "", place, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0) {
    return false;
  }
  ::close(place);
  ::close(tree);
  return true;
}

bool set_attributes(int tree, std::uint64_t attributes) {
  mount_attr attr{};
  attr.attr_set = attributes;
  attr.propagation = MS_PRIVATE;
  return ::mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof(attr)) == 0;
}

}  // namespace calaboose::jail
