// SPDX-License-Identifier: Apache-2.0
// Argument checks by hand: libseccomp can neither say "anything but these" on one argument nor
// compare only the low half of it in such a rule, and a 64-bit comparison is bypassed by setting a
// high bit (CVE-2019-10063). Place: runner/plan/seccomp; build time only.
#include "runner/plan/seccomp/prologue.h"

#include <asm/ioctls.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace calaboose::plan::seccomp {
namespace {

static_assert(std::endian::native == std::endian::little, "argument offsets assume little endian");

// Every CLONE_NEW* flag that clone() can carry (CLONE_NEWTIME shares bits with the exit signal and
// needs clone3).
constexpr std::uint32_t kNamespaceFlags = 0x7E020000;
constexpr std::uint32_t kSocketTypeMask = 0xF;

constexpr std::uint32_t refuse(int err) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(err);
}

class Block {
 public:
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }

  void load_argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }

  void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }

  void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }

  /// Answers with `action` if the accumulator equals `value`.
  void answer_if(std::uint32_t value, std::uint32_t action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(action);
  }

  /// Answers with `action` if the accumulator equals none of `values`.
  void answer_unless(std::initializer_list<std::uint32_t> values, std::uint32_t action) {
    auto left = static_cast<std::uint8_t>(values.size());
    for (const auto value : values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, value, left, 0);
      --left;
    }
    answer(action);
  }

  /// Answers with `action` if any of `bits` is set.
  void answer_if_any_bit(std::uint32_t bits, std::uint32_t action) {
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(action);
  }

  /// Runs `body` only if the accumulator equals `value`; the accumulator is lost inside.
  void when(std::uint32_t value, const Block& body) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<std::uint8_t>(body.code.size()));
    code.insert(code.end(), body.code.begin(), body.code.end());
  }

  void skip(std::size_t count) { add(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(count)); }

  std::vector<sock_filter> code;

 private:
  void add(unsigned operation, std::uint32_t k, std::uint8_t yes = 0, std::uint8_t no = 0) {
    code.push_back(sock_filter{static_cast<std::uint16_t>(operation), yes, no, k});
  }
};

// J01, J02, J03: anything that types into, takes over or re-routes a terminal.
Block ioctl_checks(std::uint32_t denied) {
  Block b;
  b.load_argument(1);
  for (const int request : {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCSCTTY, TIOCCONS, TIOCVHANGUP}) {
    b.answer_if(static_cast<std::uint32_t>(request), denied);
  }
  return b;
}

Block clone_checks(std::uint32_t denied) {
  Block b;
  b.load_argument(0);
  b.answer_if_any_bit(kNamespaceFlags, denied);
  return b;
}

// J21: only "what is it" and "plain Linux".
Block personality_checks(std::uint32_t denied) {
  Block b;
  b.load_argument(0);
  b.answer_unless({0, 0xFFFFFFFF}, denied);
  return b;
}

// Internet sockets: streams by TCP and datagrams by UDP; so no raw, packet, SCTP, MPTCP, ping
// sockets (J22).
Block internet_checks() {
  Block stream;
  stream.load_argument(2);
  stream.answer_unless({0, IPPROTO_TCP}, refuse(EPROTONOSUPPORT));
  Block datagram;
  datagram.load_argument(2);
  datagram.answer_unless({0, IPPROTO_UDP}, refuse(EPROTONOSUPPORT));

  Block b;
  b.load_argument(1);
  b.mask(kSocketTypeMask);
  b.answer_unless({SOCK_STREAM, SOCK_DGRAM}, refuse(EPERM));
  b.when(SOCK_STREAM, stream);
  b.load_argument(1);
  b.mask(kSocketTypeMask);
  b.when(SOCK_DGRAM, datagram);
  return b;
}

// J22, J61: a pathname unix socket crosses every other wall, so the family does not exist in a
// jail.
Block socket_checks() {
  Block netlink;
  netlink.load_argument(2);
  netlink.answer_unless({NETLINK_ROUTE}, refuse(EPROTONOSUPPORT));

  Block b;
  b.load_argument(0);
  b.answer_unless({AF_INET, AF_INET6, AF_NETLINK}, refuse(EAFNOSUPPORT));
  b.when(AF_NETLINK, netlink);
  b.load_argument(0);
  const Block internet = internet_checks();
  b.when(AF_INET, internet);
  b.load_argument(0);
  b.when(AF_INET6, internet);
  return b;
}

Block socketpair_checks() {
  Block b;
  b.load_argument(0);
  b.answer_unless({AF_UNIX}, refuse(EAFNOSUPPORT));
  return b;
}

}  // namespace

std::vector<sock_filter> argument_checks(std::uint32_t arch, std::uint32_t denied) {
  const std::pair<std::uint32_t, Block> checks[] = {
      {__NR_ioctl, ioctl_checks(denied)},
      {__NR_clone, clone_checks(denied)},
      {__NR_personality, personality_checks(denied)},
      {__NR_socket, socket_checks()},
      {__NR_socketpair, socketpair_checks()},
  };
  // Each check ends by leaving the whole part, so the number is loaded once and stays in the
  // accumulator between them.
  Block body;
  body.load(offsetof(seccomp_data, nr));
  std::size_t rest = 0;
  for (const auto& [number, check] : checks) {
    rest += check.code.size() + 2;
  }
  for (const auto& [number, check] : checks) {
    rest -= check.code.size() + 2;
    Block with_exit = check;
    with_exit.skip(rest);
    body.when(number, with_exit);
  }

  Block all;
  all.load(offsetof(seccomp_data, arch));
  // "not our architecture" jumps over everything; the allow list then kills.
  all.code.push_back(sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 1, 0, arch});
  all.skip(body.code.size());
  all.code.insert(all.code.end(), body.code.begin(), body.code.end());
  return all.code;
}

}  // namespace calaboose::plan::seccomp
