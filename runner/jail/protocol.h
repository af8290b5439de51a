// SPDX-License-Identifier: Apache-2.0
// What the supervisor and calaboose-jail say to each other on the control socket (SOCK_SEQPACKET).
// Place: runner/jail; compiled into both sides. Plain data only.
#pragma once

#include <cstdint>

namespace calaboose::jail {

// Descriptors of the helper when it starts; 0, 1 and 2 are the server's.
inline constexpr int kControlFd = 3;
inline constexpr int kPlanFd = 4;

/// The steps of the set-up, in order. The numbers are part of the error ids (CB4100 + number): only
/// append.
enum class Step : std::uint32_t {
  kNone = 0,
  kPlan = 1,
  kGroups = 2,
  kOwnerMapping = 3,
  kNamespaces = 4,
  kIdMaps = 5,
  kIds = 6,
  kCloneInit = 7,
  kLifeline = 8,
  kHostname = 9,
  kLoopback = 10,
  kPropagation = 11,
  kRoot = 12,
  kDirectory = 13,
  kBind = 14,
  kDevice = 15,
  kTmpfs = 16,
  kProc = 17,
  kMask = 18,
  kPivot = 19,
  kReadOnlyRoot = 20,
  kNoNestedNamespaces = 21,  // second layer; the filter refuses them anyway
  kNoNewPrivileges = 22,
  kCapabilities = 23,
  kCloneServer = 24,
  kKeyring = 25,
  kLimits = 26,
  kProcessState = 27,
  kWorkingDirectory = 28,
  kLandlock = 29,
  kDescriptors = 30,
  kSeccomp = 31,
  kExecve = 32,
};

inline constexpr std::uint32_t kLastStep = 32;

constexpr std::uint64_t bit(Step step) {
  return std::uint64_t{1} << static_cast<std::uint32_t>(step);
}

enum class MessageKind : std::uint32_t {
  // helper to supervisor
  kFailed = 1,       // step, error, value: index of the mount or rule, or ~0
  kOwnerHolder = 2,  // root: + descriptor of a user namespace; value: pid that holds it
  kWantMaps = 3,     // root: the user namespace exists
  kInitStarted = 4,  // + pidfd of the jail's init
  kListener = 5,     // + seccomp notification descriptor
  kExecuted = 6,     // value: Landlock ABI; steps: which were done
  kExit = 7,         // step: 1 if by a signal; value: status or signal
  // supervisor to helper
  kOwnerMapsDone = 16,
  kTrees = 17,  // root: + descriptors of detached mounts, in the order of the plan's binds
  kMapsDone = 18,
  kTerminate = 19,  // SIGTERM to every process of the jail
};

struct Message {
  MessageKind kind{};
  Step step{};
  std::int32_t error = 0;
  std::uint32_t value = 0;
  std::uint64_t steps = 0;
};

static_assert(sizeof(Message) == 24);

inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};
inline constexpr std::uint32_t kMaxTreesPerMessage = 200;  // below the kernel's SCM_MAX_FD (253)

}  // namespace calaboose::jail
