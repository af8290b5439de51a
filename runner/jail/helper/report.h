// SPDX-License-Identifier: Apache-2.0
// How the helper tells the supervisor where it is, and how it gives up.
// Place: runner/jail/helper.
#pragma once

#include <cstdint>

#include "runner/jail/protocol.h"

namespace calaboose::jail {

/// What the processes of the set-up share. The server's child runs in init's memory until execve
/// (CLONE_VM), so init sees what the child wrote here.
struct Progress {
  std::uint64_t steps = 0;
  bool failed = false;
  bool about_to_exec = false;
  std::uint32_t landlock_abi = 0;
};

extern Progress progress;

inline void done(Step step) {
  progress.steps |= bit(step);
}

/// Sends one message, with a descriptor if `fd` is not negative. False if the other side is gone.
bool send_message(const Message& message, int fd = -1, int socket = kControlFd);

/// Receives one message and at most `capacity` descriptors. False at the end of the other side or
/// on nonsense.
bool receive_message(Message& message, int* fds, std::uint32_t capacity, std::uint32_t& count,
                     int socket = kControlFd);

/// Reports the failed step with errno and ends this process. Nothing has been executed, and what
/// was mounted dies with the namespace.
[[noreturn]] void fail(Step step, std::uint32_t index = kNoIndex);
[[noreturn]] void fail_with(Step step, int error, std::uint32_t index = kNoIndex);

}  // namespace calaboose::jail
