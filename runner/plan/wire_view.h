// SPDX-License-Identifier: Apache-2.0
// The helper's reader of a plan: pointers into the message, no allocation, no library.
// Place: runner/plan; compiled into calaboose-jail and into the fuzz target. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runner/plan/wire_format.h"

namespace calaboose::plan::wire {

struct MountView {
  std::uint8_t kind;
  std::uint8_t flags;
  std::uint32_t mode;
  std::uint32_t inodes;
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t size_bytes;
  const char* target;
  const char* source;
  const char* data;
  std::size_t data_size;
};

struct RuleView {
  std::uint32_t access;
  const char* path;
};

/// About 280 KB: keep it in static storage.
struct PlanView {
  std::uint32_t flags;
  std::uint32_t outer_uid;
  std::uint32_t outer_gid;
  std::uint64_t data_bytes;
  std::uint64_t file_bytes;
  std::uint32_t open_files;
  std::uint32_t tasks;
  const char* server;
  const char* hostname;
  const char* cwd;
  std::size_t argument_count;
  std::size_t environment_count;
  std::size_t mount_count;
  std::size_t rule_count;
  const char* arguments[kMaxArguments + 1];      // ends with a null pointer
  const char* environment[kMaxEnvironment + 1];  // likewise
  MountView mounts[kMaxMounts];
  RuleView rules[kMaxRules];
  const char* seccomp;
  std::size_t seccomp_size;
};

/// Fills `view` with pointers into `bytes`, which must outlive it. Returns nullptr, or the name of
/// the first field that is malformed, too long or not allowed; `view` is then not to be used.
const char* read_plan(const char* bytes, std::size_t size, PlanView& view);

}  // namespace calaboose::plan::wire
