// SPDX-License-Identifier: Apache-2.0
// The helper's reader of a plan. It shares no code with decode() in wire.cc: the fuzz target holds
// them against each other, so that a mistake in one of them shows. Place: runner/plan; compiled
// into calaboose-jail. Pure.
#include "runner/plan/wire_view.h"

#include <cstring>

namespace calaboose::plan::wire {
namespace {

enum Kind : std::uint8_t { kDirectory, kFile, kSymlink, kBind, kTmpfs, kProc, kMask };

/// Takes fields from the front; after the first failure every further one fails too.
class Reader {
 public:
  Reader(const char* at, std::size_t left) : at_(at), left_(left) {}

  std::uint64_t number(std::size_t width) {
    if (left_ < width) {
      return fail();
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(at_[i])} << (8 * i);
    }
    advance(width);
    return value;
  }

  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }

  const char* blob(std::size_t limit, std::size_t& size) {
    size = u32();
    if (!ok_ || size > limit || left_ <= size || at_[size] != '\0') {
      fail();
      size = 0;
      return "";
    }
    const char* start = at_;
    advance(size + 1);
    return start;
  }

  const char* text(std::size_t limit) {
    std::size_t size = 0;
    const char* start = blob(limit, size);
    if (std::memchr(start, '\0', size) != nullptr) {
      fail();
      return "";
    }
    return start;
  }

  bool ok() const { return ok_; }

  bool at_end() const { return ok_ && left_ == 0; }

  std::uint64_t fail() {
    ok_ = false;
    left_ = 0;
    return 0;
  }

 private:
  void advance(std::size_t count) {
    at_ += count;
    left_ -= count;
  }

  const char* at_;
  std::size_t left_;
  bool ok_ = true;
};

/// Absolute, without empty, "." or ".." parts and without a slash at the end; "/" alone only where
/// `root` says so.
bool is_normal_path(const char* path, bool root) {
  if (path[0] != '/') {
    return false;
  }
  if (path[1] == '\0') {
    return root;
  }
  while (*path != '\0') {
    const char* part = path + 1;
    const char* end = std::strchr(part, '/');
    const std::size_t size =
        end == nullptr ? std::strlen(part) : static_cast<std::size_t>(end - part);
    const bool dots =
        (size == 1 && part[0] == '.') || (size == 2 && part[0] == '.' && part[1] == '.');
    if (size == 0 || size > 255 || dots) {
      return false;
    }
    path = part + size;
  }
  return true;
}

bool is_hostname(const char* name) {
  for (const char* c = name; *c != '\0'; ++c) {
    const bool good = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                      (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
    if (!good) {
      return false;
    }
  }
  return *name != '\0';
}

bool has_name(const char* variable) {
  const char* equals = std::strchr(variable, '=');
  return equals != nullptr && equals != variable;
}

const char* read_mount(Reader& in, MountView& m) {
  m.kind = static_cast<std::uint8_t>(in.number(1));
  m.flags = static_cast<std::uint8_t>(in.number(1));
  const auto zero = in.number(2);
  m.mode = in.u32();
  m.inodes = in.u32();
  m.device = in.number(8);
  m.inode = in.number(8);
  m.size_bytes = in.number(8);
  m.target = in.text(kMaxPath);
  m.source = in.text(kMaxPath);
  m.data = in.blob(kMaxFileData, m.data_size);
  if (!in.ok() || zero != 0 || m.kind > kLastMountKind) {
    return "mounts";
  }
  if ((m.flags & ~kAllMountFlags) != 0 || m.mode > kMaxMode) {
    return "mounts.flags";
  }
  if (!is_normal_path(m.target, false)) {
    return "mounts.target";
  }
  if (m.kind == kBind ? !is_normal_path(m.source, true) : m.source[0] != '\0') {
    return "mounts.source";
  }
  if (m.kind == kSymlink && (m.data_size == 0 || m.data_size > kMaxPath ||
                             std::memchr(m.data, '\0', m.data_size) != nullptr)) {
    return "mounts.data";
  }
  if (m.kind != kSymlink && m.kind != kFile && m.data_size != 0) {
    return "mounts.data";
  }
  if (m.kind == kTmpfs && (m.size_bytes == 0 || m.inodes == 0)) {
    return "mounts.size";  // to the kernel 0 means "without limit"
  }
  if (m.kind != kBind && (m.flags & (kMountDevice | kMountIdentity | kMountOurs)) != 0) {
    return "mounts.flags";
  }
  return nullptr;
}

const char* read_lists(Reader& in, PlanView& view) {
  view.argument_count = in.u32();
  if (!in.ok() || view.argument_count == 0 || view.argument_count > kMaxArguments) {
    return "argv";
  }
  for (std::size_t i = 0; i < view.argument_count; ++i) {
    view.arguments[i] = in.text(kMaxArgument);
  }
  view.arguments[view.argument_count] = nullptr;
  if (!in.ok() || !is_normal_path(view.arguments[0], false) ||
      std::strlen(view.arguments[0]) > kMaxPath) {
    return "argv";
  }
  view.environment_count = in.u32();
  if (!in.ok() || view.environment_count > kMaxEnvironment) {
    return "env";
  }
  for (std::size_t i = 0; i < view.environment_count; ++i) {
    view.environment[i] = in.text(kMaxArgument);
    if (!in.ok() || !has_name(view.environment[i])) {
      return "env";
    }
  }
  view.environment[view.environment_count] = nullptr;
  return nullptr;
}

const char* read_tree(Reader& in, PlanView& view) {
  view.mount_count = in.u32();
  if (!in.ok() || view.mount_count > kMaxMounts) {
    return "mounts";
  }
  for (std::size_t i = 0; i < view.mount_count; ++i) {
    if (const char* bad = read_mount(in, view.mounts[i]); bad != nullptr) {
      return bad;
    }
  }
  view.rule_count = in.u32();
  if (!in.ok() || view.rule_count > kMaxRules) {
    return "landlock";
  }
  for (std::size_t i = 0; i < view.rule_count; ++i) {
    RuleView& rule = view.rules[i];
    rule.access = in.u32();
    rule.path = in.text(kMaxPath);
    if (!in.ok() || rule.access == 0 || (rule.access & ~kAllLandlockAccess) != 0 ||
        !is_normal_path(rule.path, true)) {
      return "landlock";
    }
  }
  return nullptr;
}

}  // namespace

const char* read_plan(const char* bytes, std::size_t size, PlanView& view) {
  if (size > kMaxPlanBytes) {
    return "size";
  }
  Reader in(bytes, size);
  if (in.u32() != kMagic || in.u32() != 1) {
    return "version";
  }
  if (in.u32() != size) {
    return "size";
  }
  view.flags = in.u32();
  view.outer_uid = in.u32();
  view.outer_gid = in.u32();
  view.data_bytes = in.number(8);
  view.file_bytes = in.number(8);
  view.open_files = in.u32();
  view.tasks = in.u32();
  view.server = in.text(kMaxServerName);
  view.hostname = in.text(kMaxHostname);
  view.cwd = in.text(kMaxPath);
  if (!in.ok() || (view.flags & ~kAllFlags) != 0) {
    return "header";
  }
  // Never root outside, and never the "no id" of the kernel.
  if (view.outer_uid == 0 || view.outer_uid == UINT32_MAX || view.outer_gid == UINT32_MAX ||
      ((view.flags & kFlagRoot) != 0 && view.outer_gid == 0)) {
    return "outer ids";
  }
  if (!is_hostname(view.hostname)) {
    return "hostname";
  }
  if (!is_normal_path(view.cwd, true)) {
    return "cwd";
  }
  if (const char* bad = read_lists(in, view); bad != nullptr) {
    return bad;
  }
  if (const char* bad = read_tree(in, view); bad != nullptr) {
    return bad;
  }
  view.seccomp = in.blob(kMaxInstructions * kInstructionBytes, view.seccomp_size);
  if (!in.at_end() || view.seccomp_size == 0 || view.seccomp_size % kInstructionBytes != 0) {
    return "seccomp";
  }
  return nullptr;
}

}  // namespace calaboose::plan::wire
