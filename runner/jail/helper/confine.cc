// SPDX-License-Identifier: Apache-2.0
// Privileges, limits, Landlock and seccomp of the server; each step must succeed or nothing is
// executed. Place: runner/jail/helper. Runs in init's memory (CLONE_VM), so it only touches the
// stack, `progress` and the kernel.
#include "runner/jail/helper/confine.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "runner/jail/helper/report.h"
#include "runner/jail/helper/sys.h"

namespace calaboose::jail {
namespace {

using plan::wire::PlanView;

// LandlockAccess of runner/plan/plan.h.
enum Access : std::uint32_t {
  kReadFile = 1,
  kReadDir = 2,
  kExecute = 4,
  kWriteFile = 8,
  kMake = 16,
  kIoctlDev = 32
};

constexpr std::uint64_t kFilesOnly =
    sys::kFsExecute | sys::kFsWriteFile | sys::kFsReadFile | sys::kFsTruncate | sys::kFsIoctlDev;

/// The keyring that came with the login session stays reachable across a user namespace (J20).
void leave_keyring() {
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0 && errno != ENOSYS) {
    fail(Step::kKeyring);
  }
  done(Step::kKeyring);
}

/// Both limits to `value`, or to the present hard limit where that is lower.
bool limit(__rlimit_resource resource, std::uint64_t value) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) {
    return false;
  }
  now.rlim_cur = now.rlim_max = now.rlim_max < value ? now.rlim_max : value;
  return ::setrlimit(resource, &now) == 0;
}

void set_limits(const PlanView& plan) {
  // J53: a piped core handler runs on the host and ignores a limit of 0; exactly 1 means "no dump"
  // to the kernel. Where the hard limit is already 0, main.cc has emptied the dump instead.
  const bool good = limit(RLIMIT_CORE, 1) &&
                    (plan.data_bytes == 0 || limit(RLIMIT_DATA, plan.data_bytes)) &&
                    (plan.file_bytes == 0 || limit(RLIMIT_FSIZE, plan.file_bytes)) &&
                    (plan.open_files == 0 || limit(RLIMIT_NOFILE, plan.open_files)) &&
                    (plan.tasks == 0 || limit(RLIMIT_NPROC, plan.tasks)) &&
                    limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_MEMLOCK, 64U << 10U);
  if (!good) {
    fail(Step::kLimits);
  }
  done(Step::kLimits);
}

/// The C library's own two signals, which its posix_spawn leaves ignored (and its sigaction refuses
/// to touch); all others were reset by the supervisor's posix_spawn.
bool reset_internal_signals() {
  constexpr int kInternal[] = {32, 33};
  const std::uint64_t action[4] =
      {};  // the kernel's struct sigaction: default, no flags, empty mask
  for (const int number : kInternal) {
    if (::syscall(SYS_rt_sigaction, number, action, nullptr, sizeof(action[0])) != 0) {
      return false;
    }
  }
  return true;
}

/// J59: nothing about the process depends on who started the runner.
void set_process_state() {
  ::umask(022);
  sigset_t none;
  ::sigemptyset(&none);
  cpu_set_t all;
  std::memset(&all, 0xFF, sizeof(all));
  // A lower niceness than the runner's own cannot be had without privilege; then it stays.
  const bool nice = ::setpriority(PRIO_PROCESS, 0, 0) == 0 || errno == EACCES || errno == EPERM;
  if (!nice || !reset_internal_signals() || ::setsid() < 0 ||
      ::sched_setaffinity(0, sizeof(all), &all) != 0 ||
      ::sigprocmask(SIG_SETMASK, &none, nullptr) != 0) {
    fail(Step::kProcessState);
  }
  done(Step::kProcessState);
}

/// J08: the directory is opened without following links, and must be reachable from the new root.
void enter_directory(const PlanView& plan) {
  char now[plan::wire::kMaxPath + 1];
  const int fd = sys::open_strict(AT_FDCWD, plan.cwd, O_PATH | O_DIRECTORY, false);
  if (fd < 0 || ::fchdir(fd) != 0 || ::syscall(SYS_getcwd, now, sizeof(now)) < 0) {
    fail(Step::kWorkingDirectory);
  }
  if (now[0] != '/') {
    fail_with(Step::kWorkingDirectory, EXDEV);  // "(unreachable)…"
  }
  done(Step::kWorkingDirectory);
}

std::uint64_t rights(std::uint32_t access) {
  std::uint64_t result = 0;
  result |= (access & kReadFile) != 0 ? sys::kFsReadFile : 0U;
  result |= (access & kReadDir) != 0 ? sys::kFsReadDir : 0U;
  result |= (access & kExecute) != 0 ? sys::kFsExecute : 0U;
  result |= (access & kWriteFile) != 0 ? sys::kFsWriteFile | sys::kFsTruncate : 0U;
  result |= (access & kMake) != 0
                ? sys::kFsRemoveDir | sys::kFsRemoveFile | sys::kFsMakeDir | sys::kFsMakeReg |
                      sys::kFsMakeSock | sys::kFsMakeFifo | sys::kFsMakeSym | sys::kFsRefer
                : 0U;
  result |= (access & kIoctlDev) != 0 ? sys::kFsIoctlDev : 0U;
  return result;
}

/// All rights that an ABI knows; those that it does not know are not restricted by it.
std::uint64_t known_rights(int abi) {
  std::uint64_t known = (1U << 13U) - 1;
  known |= abi >= 2 ? sys::kFsRefer : 0U;
  known |= abi >= 3 ? sys::kFsTruncate : 0U;
  known |= abi >= 5 ? sys::kFsIoctlDev : 0U;
  return known;
}

void add_rule(int ruleset, const plan::wire::RuleView& rule, std::uint64_t known,
              std::uint32_t index) {
  struct stat info = {};
  const int fd = ::open(rule.path, O_PATH | O_CLOEXEC);
  if (fd < 0 || ::fstat(fd, &info) != 0) {
    fail(Step::kLandlock, index);
  }
  sys::LandlockPath path{};
  path.allowed_access = rights(rule.access) & known;
  path.parent_fd = fd;
  if (!S_ISDIR(info.st_mode)) {
    path.allowed_access &= kFilesOnly;
  }
  constexpr unsigned kPathBeneath = 1;
  if (path.allowed_access != 0 &&
      ::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &path, 0) != 0) {
    fail(Step::kLandlock, index);
  }
  ::close(fd);
}

void restrict_files(const PlanView& plan) {
  constexpr unsigned kVersion = 1;
  const auto abi = static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, kVersion));
  if (abi < 1) {
    fail(Step::kLandlock);
  }
  sys::LandlockRuleset attributes{};
  attributes.handled_access_fs = known_rights(abi);
  attributes.scoped = abi >= 6 ? sys::kScopeAbstractUnix | sys::kScopeSignal : 0U;
  const auto ruleset =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0));
  if (ruleset < 0) {
    fail(Step::kLandlock);
  }
  for (std::uint32_t i = 0; i < plan.rule_count; ++i) {
    add_rule(ruleset, plan.rules[i], attributes.handled_access_fs, i);
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    fail(Step::kLandlock);
  }
  progress.landlock_abi = static_cast<std::uint32_t>(abi);
  done(Step::kLandlock);
}

void install_filter(const PlanView& plan) {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(plan.seccomp_size / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(plan.seccomp));
  const bool notify = (plan.flags & plan::wire::kFlagNotify) != 0;
  unsigned long flags = notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER | sys::kSeccompWaitKillable : 0U;
  long result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (result < 0 && errno == EINVAL && notify) {
    // Before Linux 5.19.
    flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  }
  if (result < 0) {
    fail(Step::kSeccomp);
  }
  done(Step::kSeccomp);
  if (notify) {
    Message message;
    message.kind = MessageKind::kListener;
    if (!send_message(message, static_cast<int>(result))) {
      fail(Step::kSeccomp);
    }
    ::close(static_cast<int>(result));
  }
}

}  // namespace

void drop_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    fail(Step::kNoNewPrivileges);
  }
  done(Step::kNoNewPrivileges);
  constexpr unsigned long kBits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                  SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                  SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECUREBITS, kBits, 0, 0, 0) != 0) {
    fail(Step::kCapabilities);
  }
  // Until the kernel says that there is no such capability; the first one always exists.
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;
       ++capability) {
  }
  if (errno != EINVAL) {
    fail(Step::kCapabilities);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0) {
    fail(Step::kCapabilities);
  }
  done(Step::kCapabilities);
}

void become_server(const PlanView& plan) {
  leave_keyring();
  set_limits(plan);
  set_process_state();
  enter_directory(plan);
  restrict_files(plan);
  if (::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {
    fail(Step::kDescriptors);
  }
  done(Step::kDescriptors);
  install_filter(plan);
  progress.about_to_exec = true;
  ::execve(plan.arguments[0], const_cast<char* const*>(plan.arguments),
           const_cast<char* const*>(plan.environment));
  fail(Step::kExecve);
}

}  // namespace calaboose::jail
