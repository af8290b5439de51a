// SPDX-License-Identifier: Apache-2.0
// The children that try things. Each writes one record per mechanism into a pipe and ends; nothing
// survives it. Place: runner/host.
#include "runner/host/probes.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/deadline.h"
#include "base/fd.h"

namespace calaboose::host {
namespace {

constexpr Milliseconds kChildTimeout{3'000};
constexpr std::size_t kMaxRecords = 64;

/// 0 or errno of a call that answers -1 on failure.
int error_of(long result) {
  return result < 0 ? errno : 0;
}

/// Writes the record; true if it says that things work.
bool report(int pipe, Mechanism mechanism, int error) {
  const Tried record{mechanism, error};
  return ::write(pipe, &record, sizeof(record)) == static_cast<ssize_t>(sizeof(record)) &&
         error == 0;
}

int write_file(const char* path, const char* text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  const int error = error_of(::write(fd, text, std::strlen(text)));
  ::close(fd);
  return error;
}

int map_ids(unsigned uid, unsigned gid) {
  std::array<char, 64> text{};
  if (const int error = write_file("/proc/self/setgroups", "deny")) {
    return error;
  }
  std::snprintf(text.data(), text.size(), "1000 %u 1", gid);
  if (const int error = write_file("/proc/self/gid_map", text.data())) {
    return error;
  }
  std::snprintf(text.data(), text.size(), "1000 %u 1", uid);
  return write_file("/proc/self/uid_map", text.data());
}

/// A detached mount of a fresh file system: needs no place to put it.
int make_mount(const char* type) {
  const int context = static_cast<int>(::syscall(SYS_fsopen, type, 1U /* close on exec */));
  if (context < 0) {
    return errno;
  }
  if (::syscall(SYS_fsconfig, context, 6U /* create */, nullptr, nullptr, 0) != 0) {
    return errno;
  }
  return error_of(::syscall(SYS_fsmount, context, 1U /* close on exec */, 0U));
}

int clone_tree() {
  constexpr unsigned kClone = 1U | O_CLOEXEC | 0x8000U;  // OPEN_TREE_CLONE, AT_RECURSIVE
  const int tree = static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, "/", kClone));
  if (tree < 0) {
    return errno;
  }
  struct mount_attr attributes = {};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  return error_of(::syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | 0x8000U, &attributes,
                            sizeof(attributes)));
}

int loopback_up() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return errno;
  }
  struct ifreq request = {};
  std::memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP;
  return error_of(::ioctl(fd, SIOCSIFFLAGS, &request));
}

/// proc can only be mounted by a process inside the new pid namespace, which is the next child.
int proc_in_child() {
  const pid_t child = ::fork();
  if (child < 0) {
    return errno;
  }
  if (child == 0) {
    ::_exit(make_mount("proc"));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

void namespaces_body(int pipe) {
  const unsigned uid = ::geteuid();
  const unsigned gid = ::getegid();
  if (!report(pipe, Mechanism::kUserNamespace, error_of(::unshare(CLONE_NEWUSER))) ||
      !report(pipe, Mechanism::kIdMap, map_ids(uid, gid))) {
    return;
  }
  if (report(pipe, Mechanism::kMountNamespace, error_of(::unshare(CLONE_NEWNS)))) {
    report(pipe, Mechanism::kTmpfs, make_mount("tmpfs"));
    report(pipe, Mechanism::kMountByDescriptor, clone_tree());
  }
  const int net = error_of(::unshare(CLONE_NEWNET));
  report(pipe, Mechanism::kNetNamespace, net != 0 ? net : loopback_up());
  report(pipe, Mechanism::kIpcNamespace, error_of(::unshare(CLONE_NEWIPC)));
  report(pipe, Mechanism::kUtsNamespace, error_of(::unshare(CLONE_NEWUTS)));
  report(pipe, Mechanism::kCgroupNamespace, error_of(::unshare(CLONE_NEWCGROUP)));
  report(pipe, Mechanism::kTimeNamespace, error_of(::unshare(0x80 /* CLONE_NEWTIME */)));
  if (report(pipe, Mechanism::kPidNamespace, error_of(::unshare(CLONE_NEWPID)))) {
    report(pipe, Mechanism::kProc, proc_in_child());
  }
}

int landlock() {
  struct {
    std::uint64_t handled = LANDLOCK_ACCESS_FS_EXECUTE;
  } attributes;

  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0U);
  if (ruleset < 0) {
    return errno;
  }
  return error_of(::syscall(SYS_landlock_restrict_self, ruleset, 0U));
}

int install_filter(unsigned flags) {
  struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {1, &allow};
  return error_of(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

int data_limit() {
  constexpr std::size_t kLimit = 64U << 20U;
  const struct rlimit limit = {kLimit, kLimit};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0) {
    return errno;
  }
  void* const memory =
      ::mmap(nullptr, 2 * kLimit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? 0 : EOPNOTSUPP;  // the kernel let it through
}

void filters_body(int pipe) {
  report(pipe, Mechanism::kDataLimit, data_limit());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return;
  }
  report(pipe, Mechanism::kLandlock, landlock());
  constexpr unsigned kWaitKillable = 1U << 5U;
  report(pipe, Mechanism::kSeccompNotify,
         install_filter(SECCOMP_FILTER_FLAG_NEW_LISTENER | kWaitKillable));
  report(pipe, Mechanism::kSeccompFilter, install_filter(0));
}

std::vector<Tried> read_records(int pipe) {
  std::vector<Tried> out;
  const Deadline deadline = Deadline::after(kChildTimeout);
  while (out.size() < kMaxRecords) {
    struct pollfd wait = {pipe, POLLIN, 0};
    const int ready = ::poll(&wait, 1, deadline.poll_timeout_ms(SteadyClock::now()));
    if (ready < 0 && errno == EINTR) {
      continue;
    }
    Tried record;
    if (ready <= 0 ||
        ::read(pipe, &record, sizeof(record)) != static_cast<ssize_t>(sizeof(record))) {
      break;
    }
    out.push_back(record);
  }
  return out;
}

std::vector<Tried> in_child(void (*body)(int pipe)) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {};
  }
  const Fd reading(ends[0]);
  Fd writing(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    body(writing.get());
    ::_exit(0);
  }
  writing.reset();
  if (child < 0) {
    return {};
  }
  std::vector<Tried> out = read_records(reading.get());
  ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return out;
}

}  // namespace

std::vector<Tried> try_namespaces() {
  return in_child(&namespaces_body);
}

std::vector<Tried> try_filters() {
  return in_child(&filters_body);
}

}  // namespace calaboose::host
