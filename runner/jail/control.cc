// SPDX-License-Identifier: Apache-2.0
// Messages with descriptors over SOCK_SEQPACKET.
// Place: runner/jail.
#include "runner/jail/control.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace calaboose::jail {

Received receive(int control, Message& message, Fd& attached) {
  iovec part{&message, sizeof(message)};
  alignas(cmsghdr) char buffer[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = buffer;
  header.msg_controllen = sizeof(buffer);
  ssize_t got = 0;
  do {
    got = ::recvmsg(control, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) {
    return Received::kNothing;
  }
  const cmsghdr* c = got > 0 ? CMSG_FIRSTHDR(&header) : nullptr;
  if (c != nullptr && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
      c->cmsg_len == CMSG_LEN(sizeof(int))) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(c), sizeof(fd));
    attached.reset(fd);
  }
  const bool whole = got == static_cast<ssize_t>(sizeof(message)) &&
                     (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
  return whole ? Received::kMessage : Received::kEnd;
}

bool send(int control, const Message& message, std::span<const int> fds) {
  Message copy = message;
  iovec part{&copy, sizeof(copy)};
  std::vector<char> buffer(fds.empty() ? 0 : CMSG_SPACE(fds.size_bytes()));
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!fds.empty()) {
    header.msg_control = buffer.data();
    header.msg_controllen = buffer.size();
    cmsghdr* c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(c), fds.data(), fds.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(control, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof(copy));
}

}  // namespace calaboose::jail
