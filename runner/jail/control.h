// SPDX-License-Identifier: Apache-2.0
// The supervisor's end of the control socket.
// Place: runner/jail.
#pragma once

#include <cstdint>
#include <span>

#include "base/fd.h"
#include "runner/jail/protocol.h"

namespace calaboose::jail {

enum class Received : std::uint8_t { kMessage, kNothing, kEnd };

/// Takes one message without waiting. `attached` gets the descriptor that came with it, if any;
/// more than one, or a message of another size, counts as the end.
Received receive(int control, Message& message, Fd& attached);

/// False if the other side is gone (or, on a full socket, does not read).
bool send(int control, const Message& message, std::span<const int> fds = {});

}  // namespace calaboose::jail
