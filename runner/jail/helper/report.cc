// SPDX-License-Identifier: Apache-2.0
// Messages on the control socket.
// Place: runner/jail/helper.
#include "runner/jail/helper/report.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace calaboose::jail {

Progress progress;

bool send_message(const Message& message, int fd, int socket) {
  Message copy = message;
  iovec part{&copy, sizeof(copy)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (fd >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
    cmsghdr* c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(c), &fd, sizeof(int));
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof(copy));
}

bool receive_message(Message& message, int* fds, std::uint32_t capacity, std::uint32_t& count,
                     int socket) {
  iovec part{&message, sizeof(message)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxTreesPerMessage)] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof(control);
  count = 0;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof(message)) ||
      (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
    return false;
  }
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    const auto received = static_cast<std::uint32_t>((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    if (received > capacity - count) {
      return false;
    }
    std::memcpy(fds + count, CMSG_DATA(c), received * sizeof(int));
    count += received;
  }
  return true;
}

void fail_with(Step step, int error, std::uint32_t index) {
  Message message;
  message.kind = MessageKind::kFailed;
  message.step = step;
  message.error = error;
  message.value = index;
  message.steps = progress.steps;
  progress.failed = true;
  send_message(message);
  ::_exit(1);
}

void fail(Step step, std::uint32_t index) {
  fail_with(step, errno, index);
}

}  // namespace calaboose::jail
