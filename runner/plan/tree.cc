// SPDX-License-Identifier: Apache-2.0
// The jail's tree as a set of binds, links, protections and masks.
// Place: runner/plan. Pure: asks Files.
#include "runner/plan/tree.h"

#include <array>

#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

Mount bind_mount(const Resolved& resolved, Access access, const Why& why) {
  Mount mount;
  mount.kind = Mount::Kind::kBind;
  mount.target = resolved.real;
  mount.source = resolved.real;
  mount.device = resolved.info.device;
  mount.inode = resolved.info.inode;
  mount.mode = resolved.info.mode;
  mount.writable = access.writable;
  mount.executable = access.executable;
  mount.identity_mapped = access.identity_mapped;
  mount.reason = why.reason;
  mount.origin = why.origin;
  return mount;
}

bool is_directory(const Mount& mount) {
  return (mount.mode & 0170000U) == 0040000U;
}

/// Places that the tree makes itself: a link of the host there would replace them.
bool is_fixed_place(std::string_view target) {
  static constexpr std::array<std::string_view, 3> kWhole = {"/proc", "/dev", "/sys"};
  static constexpr std::array<std::string_view, 9> kExact = {"/",
                                                             "/etc",
                                                             "/tmp",
                                                             "/home",
                                                             "/etc/passwd",
                                                             "/etc/group",
                                                             "/etc/hosts",
                                                             "/etc/resolv.conf",
                                                             "/etc/nsswitch.conf"};
  for (const std::string_view root : kWhole) {
    if (is_inside(target, root)) {
      return true;
    }
  }
  for (const std::string_view exact : kExact) {
    if (target == exact) {
      return true;
    }
  }
  return false;
}

std::uint32_t landlock_access(const Mount& mount) {
  std::uint32_t access = kReadFile;
  if (mount.executable) {
    access |= kExecute;
  }
  if (mount.writable) {
    access |= kWriteFile;
  }
  if (is_directory(mount)) {
    access |= kReadDir;
    if (mount.writable) {
      access |= kMake;
    }
  }
  return access;
}

}  // namespace

bool Tree::Less::operator()(std::string_view a, std::string_view b) const {
  return path_less(a, b);
}

bool Tree::grant(const std::string& path, Access access, const Why& why) {
  const auto resolved = resolve(files_, path);
  if (!resolved) {
    return false;
  }
  recreate(resolved->links, why);
  bind(*resolved, access, why);
  return true;
}

void Tree::bind(const Resolved& resolved, Access access, const Why& why) {
  const std::uint32_t for_others = resolved.info.is_directory() ? 0005U : 0004U;
  if (as_root_ && resolved.info.uid == 0 && (resolved.info.mode & for_others) != for_others) {
    access.identity_mapped = true;
  }
  const auto [at, fresh] = binds_.try_emplace(resolved.real, bind_mount(resolved, access, why));
  if (fresh) {
    return;
  }
  Mount& mount = at->second;
  mount.writable = mount.writable || access.writable;
  mount.executable = mount.executable || access.executable;
  mount.identity_mapped = mount.identity_mapped || access.identity_mapped;
  if (access.writable) {
    mount.reason = why.reason;
    mount.origin = why.origin;
  }
}

void Tree::recreate(const std::vector<Link>& links, const Why& why) {
  for (const Link& link : links) {
    if (is_fixed_place(link.at)) {
      continue;
    }
    Mount mount;
    mount.kind = Mount::Kind::kSymlink;
    mount.target = link.at;
    mount.data = link.to;
    mount.reason = why.reason;
    mount.origin = why.origin;
    links_.try_emplace(link.at, std::move(mount));
  }
}

void Tree::protect(const std::string& path, const std::string& root, const Why& why) {
  const Mount* const around = bind_around(path);
  if (around == nullptr || !around->writable) {
    return;
  }
  Access access{false, around->executable, around->identity_mapped};
  const auto resolved = resolve(files_, path);
  if (!resolved || resolved->real != path) {
    return;
  }
  overlays_.insert_or_assign(path, bind_mount(*resolved, access, why));
  access.writable = true;
  for (const std::string& dir : ancestors(path)) {
    if (dir == root || !is_inside(dir, root)) {
      break;
    }
    const auto between = resolve(files_, dir);
    if (between && between->real == dir && binds_.find(dir) == binds_.end()) {
      overlays_.try_emplace(
          dir, bind_mount(*between, access, {"cannot be renamed away: holds " + path, why.origin}));
    }
  }
}

void Tree::mask(const std::string& path, const Why& why) {
  const auto resolved = resolve(files_, path);
  if (!resolved || !covers(resolved->real)) {
    return;
  }
  Mount mount;
  mount.kind = Mount::Kind::kMask;
  mount.target = resolved->real;
  mount.mode = resolved->info.is_directory() ? 0040555U : 0100444U;
  mount.reason = why.reason;
  mount.origin = why.origin;
  overlays_.insert_or_assign(resolved->real, std::move(mount));
}

void Tree::mask_elsewhere(const std::string& target, const Why& why) {
  Mount mount;
  mount.kind = Mount::Kind::kMask;
  mount.target = target;
  mount.reason = why.reason;
  mount.origin = why.origin;
  overlays_.insert_or_assign(target, std::move(mount));
}

const Mount* Tree::bind_around(std::string_view real) const {
  const Mount* best = nullptr;
  for (const auto& [target, mount] : binds_) {
    if (mount.source == target && is_inside(real, target)) {
      best = &mount;  // in path order, so the last one found is the deepest
    }
  }
  return best;
}

Mount* Tree::bind_at(const std::string& real) {
  const auto found = binds_.find(real);
  return found == binds_.end() ? nullptr : &found->second;
}

std::vector<std::string> Tree::bind_paths() const {
  std::vector<std::string> out;
  for (const auto& [target, mount] : binds_) {
    if (mount.source == target) {
      out.push_back(target);
    }
  }
  return out;
}

bool Tree::covers(std::string_view real) const {
  for (const auto& [target, mount] : overlays_) {
    if (mount.kind == Mount::Kind::kMask && is_inside(real, target)) {
      return false;
    }
  }
  return bind_around(real) != nullptr;
}

bool Tree::covers_writable(std::string_view real) const {
  const Mount* const around = bind_around(real);
  return around != nullptr && around->writable && covers(real);
}

void Tree::bind_elsewhere(Mount mount) {
  std::string target = mount.target;
  binds_.insert_or_assign(std::move(target), std::move(mount));
}

bool Tree::redundant(const Mount& mount) const {
  const Mount* outer = nullptr;
  for (const auto& [target, other] : binds_) {
    if (target != mount.target && is_inside(mount.target, target)) {
      outer = &other;
    }
  }
  return outer != nullptr && outer->source == outer->target && mount.source == mount.target &&
         outer->writable == mount.writable && outer->executable == mount.executable &&
         outer->identity_mapped == mount.identity_mapped;
}

void Tree::lay_out(std::vector<Mount>& mounts, std::vector<LandlockRule>& rules) const {
  for (const auto& [target, link] : links_) {
    if (bind_around(target) == nullptr) {
      mounts.push_back(link);
    }
  }
  std::map<std::string, const Mount*, Less> ordered;
  for (const auto& [target, mount] : binds_) {
    bool masked = false;
    for (const auto& [place, overlay] : overlays_) {
      masked = masked ||
               (overlay.kind == Mount::Kind::kMask && place != target && is_inside(target, place));
    }
    if (!masked && !redundant(mount)) {
      ordered.emplace(target, &mount);
      rules.push_back({target, landlock_access(mount)});
    }
  }
  std::vector<const Mount*> masks;
  for (const auto& [target, overlay] : overlays_) {
    if (overlay.kind == Mount::Kind::kMask) {
      masks.push_back(&overlay);
    } else {
      ordered.insert_or_assign(target, &overlay);
    }
  }
  const auto push = [&](const Mount& mount) {
    mounts.push_back(mount);
    mounts.back().mode &= 07777U;  // the kind of file was kept there while collecting
  };
  for (const auto& [target, mount] : ordered) {
    push(*mount);
  }
  // Masks last: nothing is mounted over them afterwards.
  for (const Mount* mask : masks) {
    push(*mask);
  }
}

}  // namespace calaboose::plan
