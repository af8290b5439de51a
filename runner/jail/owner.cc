// SPDX-License-Identifier: Apache-2.0
// Id maps and detached mounts, made with root's rights before the jail exists: inside its user
// namespace neither the maps could be written nor somebody else's private directory be reached.
// Place: runner/jail.
#include "runner/jail/owner.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "runner/jail/control.h"
#include "runner/jail/failure.h"

namespace calaboose::jail {
namespace {

using plan::Mount;
using plan::Plan;

int write_text(const std::string& path, const std::string& text) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid() ||
      ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return errno;
  }
  return 0;
}

mount_attr attributes_of(const Mount& m) {
  mount_attr attr{};
  attr.attr_set = MOUNT_ATTR_NOSUID;
  attr.attr_set |= m.is_device ? 0U : MOUNT_ATTR_NODEV;
  attr.attr_set |= m.writable ? 0U : MOUNT_ATTR_RDONLY;
  attr.attr_set |= m.executable ? 0U : MOUNT_ATTR_NOEXEC;
  attr.propagation = MS_PRIVATE;
  return attr;
}

int set_attributes(int tree, mount_attr& attr) {
  return ::mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof(attr)) == 0 ? 0
                                                                                           : errno;
}

/// Returns 0 or errno.
int apply(const Fd& source, const Fd& tree, const Mount& m, const struct stat& info,
          const Plan& plan, const Fd& owner_namespace) {
  mount_attr attr = attributes_of(m);
  const bool given = m.ours && info.st_uid == plan.outer_uid;  // by an earlier start, see below
  if (!m.identity_mapped || given) {
    return set_attributes(tree.get(), attr);
  }
  attr.attr_set |= MOUNT_ATTR_IDMAP;
  attr.userns_fd = static_cast<unsigned>(owner_namespace.get());
  const int error = set_attributes(tree.get(), attr);
  if (error == 0 || !m.ours) {
    return error;
  }
  if (::fchownat(source.get(), "", plan.outer_uid, plan.outer_gid, AT_EMPTY_PATH) != 0) {
    return error;
  }
  attr = attributes_of(m);
  return set_attributes(tree.get(), attr);
}

int make_tree(const Mount& m, const Plan& plan, const Fd& owner_namespace, Fd& tree) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const Fd source(
      static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, m.source.c_str(), &how, sizeof(how))));

  struct stat info = {};
  if (!source.valid() || ::fstat(source.get(), &info) != 0) {
    return errno;
  }
  if (info.st_dev != m.device || info.st_ino != m.inode) {
    return ESTALE;
  }
  tree.reset(::open_tree(source.get(), "",
                         AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!tree.valid()) {
    return errno;
  }
  return apply(source, tree, m, info, plan, owner_namespace);
}

}  // namespace

bool needs_owner_mapping(const Plan& plan) {
  return std::any_of(plan.mounts.begin(), plan.mounts.end(),
                     [](const Mount& m) { return m.identity_mapped; });
}

Result<void> write_maps(pid_t holder, std::uint32_t inside, const Plan& plan) {
  const std::string folder = "/proc/" + std::to_string(holder) + "/";
  const std::string from = std::to_string(inside) + " ";
  int error = write_text(folder + "setgroups", "deny");
  if (error == 0) {
    error = write_text(folder + "gid_map", from + std::to_string(plan.outer_gid) + " 1");
  }
  if (error == 0) {
    error = write_text(folder + "uid_map", from + std::to_string(plan.outer_uid) + " 1");
  }
  if (error != 0) {
    return describe_failure({Step::kIdMaps, error, kNoIndex}, plan);
  }
  return {};
}

Result<void> send_trees(int control, const Plan& plan, const Fd& owner_namespace) {
  std::vector<Fd> trees;
  std::vector<int> numbers;
  const auto flush = [&] {
    Message message;
    message.kind = MessageKind::kTrees;
    message.value = static_cast<std::uint32_t>(numbers.size());
    const bool sent = numbers.empty() || send(control, message, numbers);
    trees.clear();
    numbers.clear();
    return sent;
  };
  for (std::uint32_t i = 0; i < plan.mounts.size(); ++i) {
    const Mount& m = plan.mounts[i];
    if (m.kind != Mount::Kind::kBind) {
      continue;
    }
    Fd tree;
    if (const int error = make_tree(m, plan, owner_namespace, tree); error != 0) {
      return describe_failure({Step::kBind, error, i}, plan);
    }
    numbers.push_back(tree.get());
    trees.push_back(std::move(tree));
    if (numbers.size() == kMaxTreesPerMessage && !flush()) {
      return describe_failure({Step::kBind, EPIPE, i}, plan);
    }
  }
  if (!flush()) {
    return describe_failure({Step::kBind, EPIPE, kNoIndex}, plan);
  }
  return {};
}

}  // namespace calaboose::jail
