// SPDX-License-Identifier: Apache-2.0
// Attacks that are one system call each.
// Place: tests/victims.
#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "tests/victims/probe.h"

namespace probe {
namespace {

using T = const Targets&;

Result try_ioctl(unsigned long request) {
  char c = 'x';
  return of(syscall(SYS_ioctl, 0, request, &c));
}

/// A child that waits, for attacks that need a victim of our own.
pid_t waiting_child() {
  const pid_t pid = fork();
  if (pid == 0) {
    pause();
    _exit(0);
  }
  return pid;
}

Result against_child(long (*attack)(pid_t)) {
  const pid_t pid = waiting_child();
  const Result result = of(attack(pid));
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, __WALL);
  return result;
}

long seize(pid_t pid) {
  return ptrace(PTRACE_SEIZE, pid, nullptr, nullptr);
}

long read_memory(pid_t pid) {
  static char target[8];
  char here[8];
  iovec local{here, sizeof(here)};
  iovec remote{target, sizeof(target)};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

long take_descriptor(pid_t pid) {
  const auto pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  const long fd = syscall(SYS_pidfd_getfd, pidfd, 0, 0);
  const int error = errno;
  close(pidfd);
  if (fd >= 0) {
    close(static_cast<int>(fd));
  }
  errno = error;
  return fd;
}

long compare(pid_t pid) {
  return syscall(SYS_kcmp, getpid(), pid, 0, 0, 0);
}

#if defined(__x86_64__)
int x32_getpid() {
  const long result = syscall(0x40000000L | SYS_getpid);
  return result > 0 ? 1 : errno == ENOSYS ? 0 : 2;
}

int i386_getpid() {
  long result = 20;  // getpid of i386
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return result > 0 ? 1 : 0;
}
#endif

Result clone_with(unsigned long flags) {
  const long pid = syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) {
    _exit(0);
  }
  const Result result = of(pid);
  if (pid > 0) {
    waitpid(static_cast<pid_t>(pid), nullptr, 0);
  }
  return result;
}

Result clone3_plain(T) {
  clone_args args{};
  args.exit_signal = SIGCHLD;
  const long pid = syscall(SYS_clone3, &args, sizeof(args));
  if (pid == 0) {
    _exit(0);
  }
  const Result result = of(pid);
  if (pid > 0) {
    waitpid(static_cast<pid_t>(pid), nullptr, 0);
  }
  return result;
}

int unshare_user() {
  return unshare(CLONE_NEWUSER) == 0 ? 0 : errno;
}

Result open_socket(int family, int type, int protocol) {
  const int fd = socket(family, type, protocol);
  const Result result = of(fd);
  if (fd >= 0) {
    close(fd);
  }
  return result;
}

Result make_pair(int family) {
  int fds[2];
  const Result result = of(socketpair(family, SOCK_STREAM, 0, fds));
  if (result.outcome == "succeeded") {
    close(fds[0]);
    close(fds[1]);
  }
  return result;
}

}  // namespace

const std::vector<Row> kSystemRows = {
    {"J01", [](T) { return try_ioctl(TIOCSTI); }},
    {"J01.high", [](T) { return try_ioctl(TIOCSTI | (1UL << 32U)); }},
    {"J02", [](T) { return try_ioctl(TIOCLINUX); }},
    {"J03.take", [](T) { return try_ioctl(TIOCSCTTY); }},
    {"J10.seize", [](T) { return against_child(seize); }},
    {"J10.traceme",
     [](T) { return in_child([] { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0 ? 1 : 0; }); }},
    {"J10.memory", [](T) { return against_child(read_memory); }},
    {"J10.descriptor", [](T) { return against_child(take_descriptor); }},
    {"J10.compare", [](T) { return against_child(compare); }},
#if defined(__x86_64__)
    {"J14.x32", [](T) { return in_child(x32_getpid); }},
    {"J14.i386", [](T) { return in_child(i386_getpid); }},
#endif
    {"J15", clone3_plain},
    {"J16.unshare", [](T) { return in_child(unshare_user); }},
    {"J16.clone", [](T) { return clone_with(CLONE_NEWUSER); }},
    {"J16.setns", [](T) { return of(syscall(SYS_setns, -1, CLONE_NEWNET)); }},
    {"J17.unknown", [](T) { return of(syscall(700)); }},
    {"J17.mount_api", [](T) { return of(syscall(SYS_fsopen, "tmpfs", 0)); }},
    {"J17.mount_setattr", [](T) { return of(syscall(SYS_mount_setattr, -1, "", 0, nullptr, 0)); }},
    {"J18", [](T) { return of(syscall(SYS_io_uring_setup, 0, nullptr)); }},
    {"J19.bpf", [](T) { return of(syscall(SYS_bpf, -1, nullptr, 0)); }},
    {"J19.perf", [](T) { return of(syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0)); }},
    {"J19.userfaultfd", [](T) { return of(syscall(SYS_userfaultfd, -1)); }},
    {"J19.kexec", [](T) { return of(syscall(SYS_kexec_load, 0, -1, nullptr, -1)); }},
    {"J19.module", [](T) { return of(syscall(SYS_finit_module, -1, "", 0)); }},
    {"J19.acct", [](T) { return of(syscall(SYS_acct, "/nonexistent")); }},
    {"J19.swapon", [](T) { return of(syscall(SYS_swapon, "/nonexistent", 0)); }},
    {"J19.quotactl", [](T) { return of(syscall(SYS_quotactl, -1, nullptr, 0, nullptr)); }},
    {"J19.syslog", [](T) { return of(syscall(SYS_syslog, 99, nullptr, 0)); }},
    {"J19.handle", [](T) { return of(syscall(SYS_open_by_handle_at, -1, nullptr, 0)); }},
    {"J19.fanotify", [](T) { return of(syscall(SYS_fanotify_init, ~0U, 0)); }},
    {"J20.session", [](T) { return of(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -3, 0)); }},
    {"J20.add", [](T) { return of(syscall(SYS_add_key, "user", "calaboose-probe", "x", 1, -1)); }},
    {"J21.personality",
     [](T) { return in_child([] { return personality(READ_IMPLIES_EXEC) >= 0 ? 0 : errno; }); }},
    {"J21.query", [](T) { return of(personality(0xffffffff)); }},
#if defined(__x86_64__)
    {"J21.ldt", [](T) { return of(syscall(SYS_modify_ldt, 0, nullptr, 0)); }},
#endif
    {"J22.packet", [](T) { return open_socket(AF_PACKET, SOCK_DGRAM, 0); }},
    {"J22.vsock", [](T) { return open_socket(AF_VSOCK, SOCK_STREAM, 0); }},
    {"J22.alg", [](T) { return open_socket(AF_ALG, SOCK_SEQPACKET, 0); }},
    {"J22.key", [](T) { return open_socket(AF_KEY, SOCK_RAW, 2); }},
    {"J22.raw", [](T) { return open_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }},
    {"J22.raw6", [](T) { return open_socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6); }},
    {"J22.sctp", [](T) { return open_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP); }},
    {"J22.ping", [](T) { return open_socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }},
    {"J22.netlink_audit", [](T) { return open_socket(AF_NETLINK, SOCK_RAW, 9); }},
    {"J22.netlink_route", [](T) { return open_socket(AF_NETLINK, SOCK_RAW, 0); }},
    {"J22.tcp", [](T) { return open_socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }},
    {"J22.udp6", [](T) { return open_socket(AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, IPPROTO_UDP); }},
    {"J33.mount", [](T) { return of(mount("cgroup", "/tmp", "cgroup2", 0, nullptr)); }},
    {"J33.umount", [](T) { return of(umount2("/nonexistent", MNT_DETACH)); }},
    {"J61.socket", [](T) { return open_socket(AF_UNIX, SOCK_STREAM, 0); }},
    {"J61.pair", [](T) { return make_pair(AF_UNIX); }},
};

}  // namespace probe
