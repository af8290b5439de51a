// SPDX-License-Identifier: Apache-2.0
// Plan to bytes and back (layout: wire_format.h).
// Place: runner/plan. Pure.
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runner/plan/plan.h"
#include "runner/plan/wire_format.h"

namespace calaboose::plan {
namespace {

using namespace wire;  // NOLINT(google-build-using-namespace): the constants of this very format

class Writer {
 public:
  void number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
      out_.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
    }
  }

  void u8(std::uint8_t value) { number(value, 1); }

  void u32(std::uint64_t value) { number(value, 4); }

  void u64(std::uint64_t value) { number(value, 8); }

  void bytes(std::string_view text) {
    u32(text.size());
    out_.append(text);
    out_.push_back('\0');
  }

  void bytes(const std::vector<std::string>& list) {
    u32(list.size());
    for (const auto& text : list) {
      bytes(text);
    }
  }

  void patch_size() {
    const std::size_t size = out_.size();
    for (std::size_t i = 0; i < 4; ++i) {
      out_[8 + i] = static_cast<char>(static_cast<unsigned char>(size >> (8 * i)));
    }
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

std::uint8_t flags_of(const Mount& m) {
  unsigned flags = 0;
  flags |= m.writable ? kMountWritable : 0U;
  flags |= m.executable ? kMountExecutable : 0U;
  flags |= m.pid_only ? kMountPidOnly : 0U;
  flags |= m.is_device ? kMountDevice : 0U;
  flags |= m.identity_mapped ? kMountIdentity : 0U;
  flags |= m.ours ? kMountOurs : 0U;
  return static_cast<std::uint8_t>(flags);
}

void encode_mount(Writer& out, const Mount& m) {
  out.u8(static_cast<std::uint8_t>(m.kind));
  out.u8(flags_of(m));
  out.number(0, 2);
  out.u32(m.mode);
  out.u32(m.inodes);
  out.u64(m.device);
  out.u64(m.inode);
  out.u64(m.size_bytes);
  out.bytes(m.target);
  out.bytes(m.source);
  out.bytes(m.data);
}

/// Reads fields; the first bad one sets the error and everything after it reads as empty.
class Parser {
 public:
  explicit Parser(std::string_view in) : in_(in) {}

  std::uint64_t number(std::size_t width, std::string_view field) {
    if (in_.size() < width) {
      fail(field, "is cut off");
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = width; i > 0; --i) {
      value = (value << 8U) | static_cast<unsigned char>(in_[i - 1]);
    }
    in_.remove_prefix(width);
    return value;
  }

  std::uint32_t u32(std::string_view field) { return static_cast<std::uint32_t>(number(4, field)); }

  std::uint32_t count(std::size_t limit, std::string_view field) {
    const auto value = u32(field);
    if (value > limit) {
      fail(field, "has too many entries");
      return 0;
    }
    return value;
  }

  std::string bytes(std::size_t limit, std::string_view field) {
    const std::size_t size = u32(field);
    if (failed()) {
      return {};
    }
    if (size > limit) {
      fail(field, "is too long");
      return {};
    }
    if (in_.size() < size + 1 || in_[size] != '\0') {
      fail(field, "is cut off");
      return {};
    }
    std::string value(in_.substr(0, size));
    in_.remove_prefix(size + 1);
    return value;
  }

  std::string text(std::size_t limit, std::string_view field) {
    std::string value = bytes(limit, field);
    require(value.find('\0') == std::string::npos, field, "contains a NUL");
    return value;
  }

  void require(bool condition, std::string_view field, std::string_view problem) {
    if (!condition) {
      fail(field, problem);
    }
  }

  void fail(std::string_view field, std::string_view problem) {
    if (problem_.empty()) {
      problem_ = "plan: " + std::string(field) + " " + std::string(problem);
    }
    in_ = {};
  }

  bool failed() const { return !problem_.empty(); }

  bool at_end() const { return in_.empty(); }

  Error error() const { return Error(Errc::kInvalidInput, problem_).with_id("CB4010"); }

 private:
  std::string_view in_;
  std::string problem_;
};

/// Absolute and in one spelling only: that of the kernel's own answers.
bool is_normal(std::string_view path) {
  if (path.empty() || path.front() != '/') {
    return false;
  }
  path.remove_prefix(1);
  for (;;) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.size() > 255) {
      return false;
    }
    if (slash == std::string_view::npos) {
      return true;
    }
    path.remove_prefix(slash + 1);
  }
}

bool is_normal_or_root(std::string_view path) {
  return path == "/" || is_normal(path);
}

void check_mount(Parser& in, const Mount& m) {
  using Kind = Mount::Kind;
  in.require(m.mode <= kMaxMode, "mounts.mode", "is not a mode");
  in.require(is_normal(m.target), "mounts.target", "is not a normalised absolute path");
  if (m.kind == Kind::kBind) {
    in.require(is_normal_or_root(m.source), "mounts.source", "is not a normalised absolute path");
  } else {
    in.require(m.source.empty(), "mounts.source", "belongs to binds only");
    in.require(!m.is_device && !m.identity_mapped && !m.ours, "mounts.flags",
               "belong to binds only");
  }
  if (m.kind == Kind::kSymlink) {
    in.require(
        !m.data.empty() && m.data.size() <= kMaxPath && m.data.find('\0') == std::string::npos,
        "mounts.data", "is not a link target");
  } else if (m.kind != Kind::kFile) {
    in.require(m.data.empty(), "mounts.data", "belongs to files and links only");
  }
  if (m.kind == Kind::kTmpfs) {
    in.require(m.size_bytes != 0 && m.inodes != 0, "mounts.size", "has no limit");
  }
}

Mount decode_mount(Parser& in) {
  Mount m;
  const auto kind = in.number(1, "mounts.kind");
  in.require(kind <= kLastMountKind, "mounts.kind", "is unknown");
  m.kind = static_cast<Mount::Kind>(in.failed() ? 0 : kind);
  const auto flags = in.number(1, "mounts.flags");
  in.require((flags & ~std::uint64_t{kAllMountFlags}) == 0, "mounts.flags", "are unknown");
  m.writable = (flags & kMountWritable) != 0;
  m.executable = (flags & kMountExecutable) != 0;
  m.pid_only = (flags & kMountPidOnly) != 0;
  m.is_device = (flags & kMountDevice) != 0;
  m.identity_mapped = (flags & kMountIdentity) != 0;
  m.ours = (flags & kMountOurs) != 0;
  in.require(in.number(2, "mounts") == 0, "mounts", "has a reserved field that is not zero");
  m.mode = in.u32("mounts.mode");
  m.inodes = in.u32("mounts.inodes");
  m.device = in.number(8, "mounts.device");
  m.inode = in.number(8, "mounts.inode");
  m.size_bytes = in.number(8, "mounts.size");
  m.target = in.text(kMaxPath, "mounts.target");
  m.source = in.text(kMaxPath, "mounts.source");
  m.data = in.bytes(kMaxFileData, "mounts.data");
  check_mount(in, m);
  return m;
}

void decode_head(Parser& in, std::size_t size, Plan& plan) {
  in.require(in.u32("magic") == kMagic, "magic", "is not ours");
  in.require(in.u32("version") == kPlanVersion, "version", "is another one");
  in.require(in.u32("size") == size, "size", "does not match");
  const auto flags = in.u32("flags");
  in.require((flags & ~kAllFlags) == 0, "flags", "are unknown");
  plan.seccomp_notify = (flags & kFlagNotify) != 0;
  plan.as_root = (flags & kFlagRoot) != 0;
  plan.outer_uid = in.u32("outer uid");
  plan.outer_gid = in.u32("outer gid");
  constexpr auto kNoId = std::numeric_limits<std::uint32_t>::max();
  in.require(plan.outer_uid != 0 && plan.outer_uid != kNoId, "outer uid", "is root or no uid");
  in.require(plan.outer_gid != kNoId && !(plan.as_root && plan.outer_gid == 0), "outer gid",
             "is root's or no gid");
  plan.rlimits.data_bytes = in.number(8, "limits");
  plan.rlimits.file_bytes = in.number(8, "limits");
  plan.rlimits.open_files = in.u32("limits");
  plan.rlimits.tasks = in.u32("limits");
  plan.server = in.text(kMaxServerName, "server");
  plan.hostname = in.text(kMaxHostname, "hostname");
  constexpr std::string_view kHostCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
  in.require(!plan.hostname.empty() &&
                 plan.hostname.find_first_not_of(kHostCharacters) == std::string::npos,
             "hostname", "is not a host name");
  plan.cwd = in.text(kMaxPath, "cwd");
  in.require(is_normal_or_root(plan.cwd), "cwd", "is not a normalised absolute path");
}

void decode_lists(Parser& in, Plan& plan) {
  auto left = in.count(kMaxArguments, "argv");
  in.require(left > 0, "argv", "is empty");
  for (; left > 0 && !in.failed(); --left) {
    plan.argv.push_back(in.text(kMaxArgument, "argv"));
  }
  in.require(
      !plan.argv.empty() && is_normal(plan.argv.front()) && plan.argv.front().size() <= kMaxPath,
      "argv", "does not start with an absolute path");
  for (left = in.count(kMaxEnvironment, "env"); left > 0 && !in.failed(); --left) {
    plan.env.push_back(in.text(kMaxArgument, "env"));
    const auto equals = plan.env.back().find('=');
    in.require(equals != std::string::npos && equals != 0, "env", "has an entry without a name");
  }
  for (left = in.count(kMaxMounts, "mounts"); left > 0 && !in.failed(); --left) {
    plan.mounts.push_back(decode_mount(in));
  }
  for (left = in.count(kMaxRules, "landlock"); left > 0 && !in.failed(); --left) {
    LandlockRule rule;
    rule.access = in.u32("landlock.access");
    in.require(rule.access != 0 && (rule.access & ~kAllLandlockAccess) == 0, "landlock.access",
               "is empty or unknown");
    rule.path = in.text(kMaxPath, "landlock.path");
    in.require(is_normal_or_root(rule.path), "landlock.path", "is not a normalised absolute path");
    plan.landlock.push_back(std::move(rule));
  }
}

}  // namespace

std::string encode(const Plan& plan) {
  Writer out;
  out.u32(kMagic);
  out.u32(kPlanVersion);
  out.u32(0);  // size, patched below
  out.u32((plan.seccomp_notify ? kFlagNotify : 0U) | (plan.as_root ? kFlagRoot : 0U));
  out.u32(plan.outer_uid);
  out.u32(plan.outer_gid);
  out.u64(plan.rlimits.data_bytes);
  out.u64(plan.rlimits.file_bytes);
  out.u32(plan.rlimits.open_files);
  out.u32(plan.rlimits.tasks);
  out.bytes(plan.server);
  out.bytes(plan.hostname);
  out.bytes(plan.cwd);
  out.bytes(plan.argv);
  out.bytes(plan.env);
  out.u32(plan.mounts.size());
  for (const auto& mount : plan.mounts) {
    encode_mount(out, mount);
  }
  out.u32(plan.landlock.size());
  for (const auto& rule : plan.landlock) {
    out.u32(rule.access);
    out.bytes(rule.path);
  }
  out.bytes(plan.seccomp);
  out.patch_size();
  return out.take();
}

Result<Plan> decode(std::string_view bytes) {
  Parser in(bytes);
  in.require(bytes.size() <= kMaxPlanBytes, "size", "is too large");
  Plan plan;
  decode_head(in, bytes.size(), plan);
  decode_lists(in, plan);
  plan.seccomp = in.bytes(kMaxInstructions * kInstructionBytes, "seccomp");
  in.require(!plan.seccomp.empty() && plan.seccomp.size() % kInstructionBytes == 0, "seccomp",
             "is not a program");
  in.require(in.at_end(), "end", "is followed by more bytes");
  if (in.failed()) {
    return in.error();
  }
  return plan;
}

}  // namespace calaboose::plan
