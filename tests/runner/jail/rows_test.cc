// SPDX-License-Identifier: Apache-2.0
// Every attack of the probe: its exact outcome in a jail, and the same program outside, where it
// must get further. Place: tests/runner/jail; kernel test.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tests/runner/jail/harness.h"

namespace calaboose::testing {
namespace {

struct Expected {
  const char* id;
  const char* inside;   // alternatives between |
  const char* outside;  // the same; nullptr: not tried outside, or depends on the machine
};

constexpr Expected kExpected[] = {
    {"J01", "EPERM", "ENOTTY|EINVAL"},
    {"J01.high", "EPERM", "ENOTTY|EINVAL"},
    {"J02", "EPERM", "ENOTTY|EINVAL"},
    {"J03.take", "EPERM", "ENOTTY|EINVAL"},
    {"J03.open", "ENOENT", "ENXIO|succeeded"},
    {"J04", "own group", "shared group"},
    {"J04.all", "ESRCH", nullptr},  // outside it would signal every process of the user
    {"J05.kill", "ESRCH", "succeeded"},
    {"J05.tgkill", "ESRCH", "succeeded"},
    {"J05.own", "ESRCH", "succeeded"},
    {"J06.self", "EACCES|EROFS|ETXTBSY", nullptr},
    {"J06.init", "EACCES", nullptr},
    {"J07", "0 1 2", nullptr},
    {"J09.environ", "ENOENT", "succeeded"},
    {"J09.maps", "ENOENT", "succeeded"},
    {"J09.cmdline", "ENOENT", "succeeded"},
    {"J09.init", "EACCES", nullptr},
    {"J09.init_fd", "EACCES", nullptr},
    {"J09.init_mem", "EACCES", nullptr},
    {"J09.processes", "own", "foreign"},
    {"J10.seize", "EPERM", "succeeded"},
    {"J10.traceme", "exit 0", "exit 1"},
    {"J10.memory", "EPERM", "succeeded"},
    {"J10.descriptor", "EPERM", "succeeded"},
    {"J10.compare", "EPERM", "succeeded"},
    {"J12", "static", "static"},
    {"J14.x32", "SIGSYS|exit 0", "exit 0|exit 1"},
    {"J14.i386", "SIGSYS", nullptr},
    {"J15", "ENOSYS", "succeeded"},
    {"J16.unshare", "exit 1", "exit 0"},
    {"J16.clone", "EPERM", "succeeded"},
    {"J16.setns", "EPERM", "EBADF"},
    {"J17.unknown", "ENOSYS", "ENOSYS"},
    {"J17.mount_api", "EPERM", nullptr},
    {"J17.mount_setattr", "EPERM", nullptr},
    {"J18", "ENOSYS", "EINVAL|EFAULT|EPERM"},
    {"J19.bpf", "EPERM", nullptr},
    {"J19.perf", "EPERM", "EFAULT|EACCES|EPERM|ENOENT"},
    {"J19.userfaultfd", "EPERM", "EINVAL|EPERM"},
    {"J19.kexec", "EPERM", nullptr},
    {"J19.module", "EPERM", nullptr},
    {"J19.acct", "EPERM", nullptr},
    {"J19.swapon", "EPERM", nullptr},
    {"J19.quotactl", "EPERM", nullptr},
    {"J19.syslog", "EPERM", nullptr},
    {"J19.handle", "EPERM", nullptr},
    {"J19.fanotify", "EPERM", "EINVAL|EPERM"},
    {"J20.session", "EPERM", "succeeded|ENOKEY"},
    {"J20.add", "EPERM", "succeeded"},
    {"J21.personality", "exit 1", "exit 0"},
    {"J21.query", "succeeded", "succeeded"},
    {"J21.ldt", "EPERM", "succeeded|ENOSYS"},
    {"J22.packet", "EAFNOSUPPORT", nullptr},
    {"J22.vsock", "EAFNOSUPPORT", nullptr},
    {"J22.alg", "EAFNOSUPPORT", nullptr},
    {"J22.key", "EAFNOSUPPORT", nullptr},
    {"J22.raw", "EPERM", nullptr},
    {"J22.raw6", "EPERM", nullptr},
    {"J22.sctp", "EPROTONOSUPPORT", nullptr},
    {"J22.ping", "EPROTONOSUPPORT", nullptr},
    {"J22.netlink_audit", "EPROTONOSUPPORT", "succeeded|EPROTONOSUPPORT"},
    {"J22.netlink_route", "succeeded", "succeeded"},
    {"J22.tcp", "succeeded", "succeeded"},
    {"J22.udp6", "succeeded", "succeeded|EAFNOSUPPORT"},
    {"J23", "1", "0"},
    {"J23.mounts", "nosuid", "suid"},
    {"J24", "none", nullptr},
    {"J24.securebits", "239", "0"},
    {"J24.filters", "2", "0"},
    {"J25.setuid", "EINVAL", nullptr},
    {"J25.setgroups", "EPERM", nullptr},
    {"J25.uid", "1000", nullptr},
    {"J29", "private", nullptr},
    {"J32.core_pattern", "EACCES|EROFS", nullptr},
    {"J32.sysrq", "ENOENT|EACCES|EROFS", nullptr},
    {"J32.kcore", "empty", nullptr},
    {"J32.kallsyms", "empty", "readable"},
    {"J32.keys", "empty", nullptr},
    {"J32.timer_list", "empty", nullptr},
    {"J32.kmsg", "empty", nullptr},
    {"J33.mount", "EPERM", nullptr},
    {"J33.umount", "EPERM", nullptr},
    {"J33.cgroup", "absent", "present"},
    {"J34.sys", "absent", "present"},
    {"J34.devices", "absent", "present"},
    {"J34.list", "fd full null random shm urandom zero", nullptr},
    {"J34.null", "succeeded", "succeeded"},
    {"J34.urandom", "succeeded", "succeeded"},
    {"J35.sockets", "absent", "present"},
    {"J35.variables", "absent", "present"},
    {"J36", "EAFNOSUPPORT", "succeeded"},
    {"J37", "pipes", nullptr},
    {"J40.loopback", "ECONNREFUSED", "succeeded"},
    {"J40.any", "ECONNREFUSED", "succeeded"},
    {"J40.outside", "ENETUNREACH", nullptr},
    {"J40.own", "succeeded", "succeeded"},
    {"J53", "no dump", nullptr},  // its own test below
    {"J53.limit", "1/1|0/0", nullptr},
    {"J54", "HOME PATH TMPDIR", nullptr},
    {"J55", "none", "LD_LIBRARY_PATH NODE_OPTIONS"},
    {"J59.umask", "18", "63"},
    {"J59.mask", "0000000000000000", "0000000000000800"},
    {"J59.ignored", "0000000000000000", "0000000000001000"},
    {"J59.nice", "0", nullptr},
    {"J59.affinity", nullptr, "1"},
    {"J59.cwd", "/home/jail", nullptr},
    {"J61.socket", "EAFNOSUPPORT", "succeeded"},
    {"J61.pair", "succeeded", "succeeded"},
    {"files.shadow", "absent", "present"},
    {"files.write_root", "EROFS|EACCES", nullptr},
    {"files.write_etc", "EROFS|EACCES", nullptr},
    {"files.write_home", "succeeded", nullptr},
    {"files.list_root", "dev etc home jail proc tmp", nullptr},
};

/// A TCP listener and an abstract unix listener of the host, for attacks that look for one.
class HostServices {
 public:
  HostServices()
      : tcp_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        local_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(at);
    ::bind(tcp_.get(), reinterpret_cast<sockaddr*>(&at), size);
    ::listen(tcp_.get(), 16);
    ::getsockname(tcp_.get(), reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    name_ = "calaboose-test-" + std::to_string(::getpid());
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    std::memcpy(un.sun_path + 1, name_.data(), name_.size());
    ::bind(local_.get(), reinterpret_cast<sockaddr*>(&un),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size()));
    ::listen(local_.get(), 16);
  }

  std::vector<std::string> targets() const {
    return {"port=" + std::to_string(port_), "abstract=" + name_};
  }

 private:
  Fd tcp_;
  Fd local_;
  int port_ = 0;
  std::string name_;
};

/// State that a jail must not inherit (J35, J54, J55, J59). Reversible without privilege, so no
/// niceness.
void make_odd_state() {
  ::umask(077);
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR2);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
  cpu_set_t one;
  CPU_ZERO(&one);
  ::sched_getaffinity(0, sizeof(one), &one);
  for (std::size_t cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &one) && seen++ > 0) {
      CPU_CLR(cpu, &one);
    }
  }
  ::sched_setaffinity(0, sizeof(one), &one);
  ::setenv("SSH_AUTH_SOCK", "/tmp/agent", 1);
  ::setenv("NODE_OPTIONS", "--require /tmp/evil.js", 1);
  ::setenv("LD_LIBRARY_PATH", "/tmp/evil", 1);
  ::setenv("SECRET_TOKEN", "hunter2", 1);
}

bool is_one_of(const std::string& got, const char* alternatives) {
  const std::string list = "|" + std::string(alternatives) + "|";
  return list.find("|" + got + "|") != std::string::npos;
}

std::vector<std::string> row_arguments(const HostServices& services, const char* Expected::*side) {
  std::vector<std::string> arguments = {"rows", "runner=" + std::to_string(::getpid())};
  for (const auto& target : services.targets()) {
    arguments.push_back(target);
  }
  for (const auto& expected : kExpected) {
    if (expected.*side != nullptr || (side == &Expected::inside)) {
      arguments.emplace_back(expected.id);
    }
  }
  return arguments;
}

class JailRows : public ::testing::TestWithParam<User> {};

TEST_P(JailRows, EveryAttackEndsAsExpectedInside) {
  const HostServices services;
  const Session run =
      run_jailed(GetParam(), row_arguments(services, &Expected::inside), {}, make_odd_state);
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.exit, "exited with status 0") << run.err;
  for (const auto& expected : kExpected) {
    ASSERT_EQ(run.rows.count(expected.id), 1U) << expected.id;
    const Row& row = run.rows.at(expected.id);
    if (expected.inside != nullptr) {
      EXPECT_TRUE(is_one_of(row.outcome, expected.inside))
          << expected.id << ": " << row.outcome << " " << row.detail << ", expected "
          << expected.inside;
    }
  }
  cpu_set_t all;
  CPU_ZERO(&all);
  ::sched_getaffinity(0, sizeof(all), &all);
  EXPECT_EQ(run.rows.at("J59.affinity").outcome, std::to_string(CPU_COUNT(&all)));
  EXPECT_EQ(run.rows.size(), std::size(kExpected));
}

TEST_P(JailRows, RefusedCallsAreToldInPlainWords) {
  const Session run =
      run_jailed(GetParam(), {"rows", "J10.seize", "J01.high", "J16.unshare", "J33.mount"});
  const std::vector<std::string> expected = {
      "program tried to type into or take over a terminal (ioctl TIOCSTI): denied",
      "program tried to trace another process (ptrace): denied",
      "program tried to make or enter a namespace (unshare): denied",
      "program tried to change the mounts (mount): denied"};
  EXPECT_EQ(run.denials, expected) << run.error;
}

TEST_P(JailRows, WithoutAListenerTheSameCallsAreRefused) {
  const Session run =
      run_jailed(GetParam(), {"rows", "J10.seize", "J01", "J15"}, [](plan::Plan& p) {
        p.seccomp = std::string(plan::seccomp_program(plan::SeccompVariant::kErrno));
        p.seccomp_notify = false;
      });
  EXPECT_EQ(run.rows.at("J10.seize").outcome, "EPERM") << run.error;
  EXPECT_EQ(run.rows.at("J01").outcome, "EPERM");
  EXPECT_EQ(run.rows.at("J15").outcome, "ENOSYS");
  EXPECT_TRUE(run.denials.empty());
}

// The other side: the same program gets further without a jail, so the rows above mean something.
TEST_P(JailRows, TheSameAttacksGetFurtherOutside) {
  const HostServices services;
  int signals = 0;
  const Session run =
      run_bare(GetParam(), row_arguments(services, &Expected::outside), signals, make_odd_state);
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(signals, 1) << "J04: outside the signal reaches the parent's group";
  for (const auto& expected : kExpected) {
    if (expected.outside == nullptr) {
      continue;
    }
    ASSERT_EQ(run.rows.count(expected.id), 1U) << expected.id;
    const Row& row = run.rows.at(expected.id);
    // The runner here is this test's own process, root's when the probe is not.
    const bool foreign =
        GetParam() == User::kUnprivileged && (std::string(expected.id).rfind("J05", 0) == 0 ||
                                              std::string(expected.id).rfind("J09", 0) == 0);
    EXPECT_TRUE(is_one_of(row.outcome, expected.outside) ||
                (foreign && is_one_of(row.outcome, "EPERM|EACCES|succeeded")))
        << expected.id << ": " << row.outcome << " " << row.detail << ", expected "
        << expected.outside;
  }
}

// J53: with the limit lifted, the same crash outside writes a file (where the machine's pattern
// names one).
TEST_P(JailRows, J53CrashDumpsOutsideOnly) {
  rlimit core{};
  ::getrlimit(RLIMIT_CORE, &core);
  const WorkDir work(GetParam());
  const auto lift = [&] {
    core.rlim_cur = core.rlim_max;
    ::setrlimit(RLIMIT_CORE, &core);
    (void)!::chdir(work.path().c_str());
  };
  int signals = 0;
  const Session outside = run_bare(GetParam(), {"rows", "J53"}, signals, lift);
  const Session inside = run_jailed(GetParam(), {"rows", "J53"}, {}, lift);
  EXPECT_EQ(inside.rows.at("J53").outcome, "no dump");
  if (core.rlim_max > 1'000'000) {
    EXPECT_EQ(outside.rows.at("J53").outcome, "dumped");
  }
}

INSTANTIATE_TEST_SUITE_P(Users, JailRows, ::testing::ValuesIn(users()),
                         [](const auto& row) { return user_name(row.param); });

}  // namespace
}  // namespace calaboose::testing
