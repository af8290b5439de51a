// SPDX-License-Identifier: Apache-2.0
// The system call filter, judged by an interpreter over every number and the arguments that matter.
// Place: tests/runner/jail.
#include <asm/ioctls.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "runner/plan/seccomp/program.h"
#include "tests/runner/jail/bpf.h"

namespace calaboose::plan {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArch = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t errno_action(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

std::uint32_t judge(SeccompVariant variant, int number,
                    std::initializer_list<std::uint64_t> args = {}, std::uint32_t arch = kArch) {
  seccomp_data call{};
  call.nr = number;
  call.arch = arch;
  std::size_t i = 0;
  for (const auto value : args) {
    call.args[i++] = value;
  }
  return testing::evaluate(seccomp_program(variant), call);
}

std::uint32_t judge(int number, std::initializer_list<std::uint64_t> args = {}) {
  return judge(SeccompVariant::kNotify, number, args);
}

struct Golden {
  std::set<int> allowed;
  std::set<int> refused;
};

/// "allow NUMBER NAME" and "refuse NUMBER NAME" lines; # starts a comment.
Golden read_golden() {
  Golden golden;
  std::ifstream in(CALABOOSE_SOURCE_DIR "/tests/runner/jail/seccomp_golden.txt");
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string verdict;
    int number = -1;
    words >> verdict >> number;
    if (verdict == "allow") {
      golden.allowed.insert(number);
    } else if (verdict == "refuse") {
      golden.refused.insert(number);
    }
  }
  return golden;
}

#if defined(__x86_64__)
// J17: what is allowed was reviewed; whatever is newer than the list does not exist in a jail.
TEST(SeccompProgram, J17MatchesTheReviewedListForEveryNumber) {
  const Golden golden = read_golden();
  ASSERT_GT(golden.allowed.size(), 250U);
  for (int number = 0; number <= 700; ++number) {
    // Arguments that pass the checks of the five calls which are judged by them.
    const bool is_socket = number == SYS_socket;
    const std::uint32_t got = judge(
        number,
        {is_socket ? std::uint64_t{AF_INET} : std::uint64_t{number == SYS_socketpair ? 1U : 0U},
         is_socket ? std::uint64_t{SOCK_STREAM} : 0U, 0, 0, 0, 0});
    const std::uint32_t expected = golden.allowed.count(number) != 0   ? SECCOMP_RET_ALLOW
                                   : golden.refused.count(number) != 0 ? SECCOMP_RET_USER_NOTIF
                                                                       : errno_action(ENOSYS);
    EXPECT_EQ(got, expected) << "number " << number;
  }
}

TEST(SeccompProgram, J14OtherArchitecturesDie) {
  for (const int number : {0, 1, 20, 39, SYS_ioctl, SYS_socket}) {
    EXPECT_EQ(judge(SeccompVariant::kNotify, number, {}, AUDIT_ARCH_I386),
              SECCOMP_RET_KILL_PROCESS);
    EXPECT_EQ(judge(SeccompVariant::kInit, number, {}, AUDIT_ARCH_I386), SECCOMP_RET_KILL_PROCESS);
    EXPECT_EQ(judge(SeccompVariant::kNotify, number, {}, AUDIT_ARCH_AARCH64),
              SECCOMP_RET_KILL_PROCESS);
  }
}

TEST(SeccompProgram, J14X32NumbersNeverRun) {
  for (int number = 0; number <= 700; ++number) {
    const auto got = judge(0x40000000 | number);
    EXPECT_TRUE(got == SECCOMP_RET_KILL_PROCESS || got == errno_action(ENOSYS))
        << number << " " << got;
  }
}
#endif

TEST(SeccompProgram, TheErrnoVariantDiffersOnlyInHowItRefuses) {
  for (int number = 0; number <= 700; ++number) {
    const auto notify = judge(SeccompVariant::kNotify, number);
    const auto expected = notify == SECCOMP_RET_USER_NOTIF ? errno_action(EPERM) : notify;
    EXPECT_EQ(judge(SeccompVariant::kErrno, number), expected) << number;
  }
}

TEST(SeccompProgram, J15J18ProbedCallsDoNotExist) {
  for (const int number :
       {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}) {
    EXPECT_EQ(judge(number), errno_action(ENOSYS));
  }
}

// J01, J02: the kernel looks at the low 32 bits of the request only, and so must the filter.
TEST(SeccompProgram, J01TerminalRequestsAreRefusedWithAnyUpperHalf) {
  for (const std::uint64_t upper : {0ULL, 1ULL << 32U, 0xFFFFFFFFULL << 32U, 1ULL << 63U}) {
    for (const int number : {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCSCTTY, TIOCCONS, TIOCVHANGUP}) {
      EXPECT_EQ(judge(SYS_ioctl, {0, upper | static_cast<unsigned>(number)}),
                SECCOMP_RET_USER_NOTIF)
          << std::hex << number;
    }
  }
  EXPECT_EQ(judge(SYS_ioctl, {0, TCGETS}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(judge(SYS_ioctl, {TIOCSTI, FIONREAD, TIOCSTI}), SECCOMP_RET_ALLOW);
}

TEST(SeccompProgram, J16CloneCannotMakeNamespaces) {
  for (const unsigned flag :
       {unsigned{CLONE_NEWNS}, unsigned{CLONE_NEWCGROUP}, unsigned{CLONE_NEWUTS},
        unsigned{CLONE_NEWIPC}, unsigned{CLONE_NEWUSER}, unsigned{CLONE_NEWPID},
        unsigned{CLONE_NEWNET}}) {
    EXPECT_EQ(judge(SYS_clone, {flag | 17}), SECCOMP_RET_USER_NOTIF) << std::hex << flag;
    EXPECT_EQ(judge(SYS_clone, {(1ULL << 40U) | flag}), SECCOMP_RET_USER_NOTIF);
  }
  EXPECT_EQ(judge(SYS_clone, {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}),
            SECCOMP_RET_ALLOW);
}

TEST(SeccompProgram, J21OnlyTheUsualPersonality) {
  EXPECT_EQ(judge(SYS_personality, {0}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(judge(SYS_personality, {0xFFFFFFFF}), SECCOMP_RET_ALLOW);
  EXPECT_EQ(judge(SYS_personality, {0x0400000}), SECCOMP_RET_USER_NOTIF);  // READ_IMPLIES_EXEC
  EXPECT_EQ(judge(SYS_personality, {0x0040000}), SECCOMP_RET_USER_NOTIF);  // ADDR_NO_RANDOMIZE
}

// J22, J61: every family and every type, judged against the short list of what exists.
TEST(SeccompProgram, J22EveryFamilyAndType) {
  for (std::uint64_t family = 0; family <= 64; ++family) {
    for (std::uint64_t type = 0; type <= 15; ++type) {
      const auto got = judge(SYS_socket, {family, type, 0});
      std::uint32_t expected = errno_action(EAFNOSUPPORT);
      if (family == AF_INET || family == AF_INET6) {
        expected =
            type == SOCK_STREAM || type == SOCK_DGRAM ? SECCOMP_RET_ALLOW : errno_action(EPERM);
      } else if (family == AF_NETLINK) {
        expected = SECCOMP_RET_ALLOW;
      }
      EXPECT_EQ(got, expected) << "family " << family << " type " << type;
    }
    const auto pair = judge(SYS_socketpair, {family, SOCK_STREAM, 0});
    EXPECT_EQ(pair, family == AF_UNIX ? SECCOMP_RET_ALLOW : errno_action(EAFNOSUPPORT)) << family;
  }
}

TEST(SeccompProgram, J22ProtocolsAndFlags) {
  struct Case {
    std::uint64_t family, type, protocol;
    std::uint32_t expected;
  };

  const std::uint64_t high = 1ULL << 32U;
  const Case cases[] = {
      {AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP, SECCOMP_RET_ALLOW},
      {AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP, SECCOMP_RET_ALLOW},
      {AF_INET, SOCK_STREAM, IPPROTO_SCTP, errno_action(EPROTONOSUPPORT)},
      {AF_INET, SOCK_STREAM, 262, errno_action(EPROTONOSUPPORT)},  // MPTCP
      {AF_INET, SOCK_STREAM, IPPROTO_UDP, errno_action(EPROTONOSUPPORT)},
      {AF_INET, SOCK_DGRAM, IPPROTO_ICMP, errno_action(EPROTONOSUPPORT)},
      {AF_INET6, SOCK_DGRAM, 136, errno_action(EPROTONOSUPPORT)},  // UDP-Lite
      {AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW, errno_action(EPERM)},
      {AF_NETLINK, SOCK_RAW, 0, SECCOMP_RET_ALLOW},
      {AF_NETLINK, SOCK_RAW, 9, errno_action(EPROTONOSUPPORT)},   // audit
      {AF_NETLINK, SOCK_RAW, 15, errno_action(EPROTONOSUPPORT)},  // kobject uevents
      // The upper halves do not count for the kernel.
      {high | AF_UNIX, SOCK_STREAM, 0, errno_action(EAFNOSUPPORT)},
      {high | AF_INET, high | SOCK_RAW, 0, errno_action(EPERM)},
      {high | AF_NETLINK, SOCK_RAW, high | 9, errno_action(EPROTONOSUPPORT)},
      {AF_INET, SOCK_STREAM, high | IPPROTO_SCTP, errno_action(EPROTONOSUPPORT)},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(judge(SYS_socket, {c.family, c.type, c.protocol}), c.expected)
        << c.family << " " << c.type << " " << c.protocol;
  }
}

TEST(SeccompProgram, InitMayOnlyWaitReadAndKill) {
  const std::set<int> allowed = {SYS_read,       SYS_poll,         SYS_ppoll,          SYS_wait4,
                                 SYS_waitid,     SYS_kill,         SYS_sendto,         SYS_recvfrom,
                                 SYS_sendmsg,    SYS_recvmsg,      SYS_close,          SYS_exit,
                                 SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall};
  for (int number = 0; number <= 700; ++number) {
    EXPECT_EQ(judge(SeccompVariant::kInit, number),
              allowed.count(number) != 0 ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS)
        << number;
  }
}

TEST(SeccompProgram, EveryNotifiedCallHasAName) {
  for (int number = 0; number <= 700; ++number) {
    if (judge(number) == SECCOMP_RET_USER_NOTIF) {
      EXPECT_FALSE(refused_syscall_name(static_cast<std::uint32_t>(number)).empty()) << number;
    }
  }
  EXPECT_EQ(refused_syscall_name(SYS_ptrace), "ptrace");
  EXPECT_EQ(refused_syscall_name(SYS_read), "");
}

TEST(SeccompProgram, FitsWhatTheKernelAccepts) {
  for (const auto variant :
       {SeccompVariant::kNotify, SeccompVariant::kErrno, SeccompVariant::kInit}) {
    const auto program = seccomp_program(variant);
    EXPECT_EQ(program.size() % sizeof(sock_filter), 0U);
    EXPECT_LE(program.size() / sizeof(sock_filter), 1024U);
  }
}

}  // namespace
}  // namespace calaboose::plan
