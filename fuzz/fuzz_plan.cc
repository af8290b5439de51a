// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a plan: both readers must agree, and what is accepted has exactly one
// encoding. Place: fuzz. Oracles: decode accepts exactly what the helper's reader accepts;
// encode(decode(x)) == x; both see the same fields; the helper's pointers stay inside the message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "runner/plan/plan.h"
#include "runner/plan/wire_view.h"

namespace {

using calaboose::plan::Mount;
using calaboose::plan::Plan;
using calaboose::plan::wire::PlanView;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// The pointer lies in the message and its text equals `text`; the byte after it is a NUL.
void same(const char* seen, const std::string& text, const std::string& message) {
  require(seen >= message.data() && seen + text.size() < message.data() + message.size());
  require(std::memcmp(seen, text.data(), text.size()) == 0 && seen[text.size()] == '\0');
}

void same_lists(const Plan& plan, const PlanView& view, const std::string& message) {
  require(view.argument_count == plan.argv.size() && view.environment_count == plan.env.size());
  for (std::size_t i = 0; i < plan.argv.size(); ++i) {
    same(view.arguments[i], plan.argv[i], message);
  }
  require(view.arguments[plan.argv.size()] == nullptr);
  for (std::size_t i = 0; i < plan.env.size(); ++i) {
    same(view.environment[i], plan.env[i], message);
  }
  require(view.environment[plan.env.size()] == nullptr);
  require(view.rule_count == plan.landlock.size());
  for (std::size_t i = 0; i < plan.landlock.size(); ++i) {
    require(view.rules[i].access == plan.landlock[i].access);
    same(view.rules[i].path, plan.landlock[i].path, message);
  }
}

void same_mounts(const Plan& plan, const PlanView& view, const std::string& message) {
  namespace wire = calaboose::plan::wire;
  require(view.mount_count == plan.mounts.size());
  for (std::size_t i = 0; i < plan.mounts.size(); ++i) {
    const Mount& m = plan.mounts[i];
    const auto& v = view.mounts[i];
    require(v.kind == static_cast<std::uint8_t>(m.kind) && v.mode == m.mode &&
            v.inodes == m.inodes);
    require(v.device == m.device && v.inode == m.inode && v.size_bytes == m.size_bytes);
    require(((v.flags & wire::kMountWritable) != 0) == m.writable);
    require(((v.flags & wire::kMountExecutable) != 0) == m.executable);
    require(((v.flags & wire::kMountPidOnly) != 0) == m.pid_only);
    require(((v.flags & wire::kMountDevice) != 0) == m.is_device);
    require(((v.flags & wire::kMountIdentity) != 0) == m.identity_mapped);
    require(((v.flags & wire::kMountOurs) != 0) == m.ours);
    same(v.target, m.target, message);
    same(v.source, m.source, message);
    require(v.data_size == m.data.size());
    same(v.data, m.data, message);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string message(reinterpret_cast<const char*>(data), size);
  if (message.size() >= 12 && message.size() <= 0xFFFFFFFF) {
    // The length field never survives a mutation; set it, except when the input says on purpose
    // that it is wrong.
    if (static_cast<unsigned char>(message[11]) != 0xFF) {
      for (std::size_t i = 0; i < 4; ++i) {
        message[8 + i] = static_cast<char>(static_cast<unsigned char>(message.size() >> (8 * i)));
      }
    }
  }
  static const auto view = std::make_unique<PlanView>();
  const char* refused = calaboose::plan::wire::read_plan(message.data(), message.size(), *view);
  const auto plan = calaboose::plan::decode(message);
  require(plan.ok() == (refused == nullptr));
  if (!plan.ok()) {
    require(!plan.error().what().empty());
    return 0;
  }
  require(calaboose::plan::encode(plan.value()) == message);
  require(view->outer_uid == plan->outer_uid && view->outer_uid != 0);
  require(view->outer_gid == plan->outer_gid);
  require(view->data_bytes == plan->rlimits.data_bytes &&
          view->file_bytes == plan->rlimits.file_bytes);
  require(view->open_files == plan->rlimits.open_files && view->tasks == plan->rlimits.tasks);
  same(view->server, plan->server, message);
  same(view->hostname, plan->hostname, message);
  same(view->cwd, plan->cwd, message);
  same_lists(plan.value(), *view, message);
  same_mounts(plan.value(), *view, message);
  require(view->seccomp_size == plan->seccomp.size());
  same(view->seccomp, plan->seccomp, message);
  return 0;
}
