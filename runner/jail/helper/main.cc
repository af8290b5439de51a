// SPDX-License-Identifier: Apache-2.0
// calaboose-jail: carries out one finished plan and decides nothing. Started only by the
// supervisor, with the control socket on 3, the plan on 4, and an empty environment. Place:
// runner/jail/helper; a static program without iostreams, exceptions or threads.
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "runner/jail/helper/init.h"
#include "runner/jail/helper/report.h"
#include "runner/jail/helper/sys.h"
#include "runner/jail/helper/tree.h"

namespace calaboose::jail {
namespace {

using plan::wire::PlanView;

constexpr std::uint64_t kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

PlanView plan_view;
Trees trees;

bool write_file(const char* path, const char* text, std::size_t size) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const bool good = ::write(fd, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  ::close(fd);
  errno = error;
  return good;
}

void read_plan_message() {
  struct stat info = {};
  if (::fstat(kPlanFd, &info) != 0) {
    fail(Step::kPlan);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* bytes = size == 0 || size > plan::wire::kMaxPlanBytes
                    ? MAP_FAILED
                    : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, kPlanFd, 0);
  if (bytes == MAP_FAILED) {
    fail_with(Step::kPlan, EFBIG);
  }
  ::close(kPlanFd);
  if (plan::wire::read_plan(static_cast<const char*>(bytes), size, plan_view) != nullptr) {
    fail_with(Step::kPlan, EBADMSG);
  }
  done(Step::kPlan);
}

/// Things that are inherited and that need our own /proc entries, which a change of ids takes away.
void prepare_inherited() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = files.rlim_max;  // one descriptor per bind; the server gets its own limit
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  rlimit core{};
  const bool needs_empty_dump = ::getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0;
  if (!write_file("/proc/self/oom_score_adj", "1000", 4) ||
      (needs_empty_dump && !write_file("/proc/self/coredump_filter", "0", 1))) {
    fail(Step::kLimits);
  }
}

bool request(MessageKind kind, MessageKind answer, std::uint32_t value = 0, int fd = -1) {
  Message message;
  message.kind = kind;
  message.value = value;
  std::uint32_t count = 0;
  return send_message(message, fd) && receive_message(message, nullptr, 0, count) &&
         message.kind == answer;
}

/// Lives until its parent ends it, or with it.
[[noreturn]] void hold_namespace(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  while (::getppid() == parent) {
    ::pause();
  }
  ::_exit(0);
}

/// Root: a user namespace in which owner 0 is the jail's user, for the mounts that show root's
/// files as the jail's. It lives as long as the child that waits in it, or a mount that uses it.
void offer_owner_mapping() {
  const pid_t self = ::getpid();
  clone_args args{};
  args.flags = CLONE_NEWUSER;
  args.exit_signal = SIGCHLD;
  const auto holder = static_cast<pid_t>(::syscall(SYS_clone3, &args, sizeof(args)));
  if (holder < 0) {
    fail(Step::kOwnerMapping);
  }
  if (holder == 0) {
    hold_namespace(self);
  }
  char number[32];
  char path[64] = "/proc/";
  std::strcat(std::strcat(path, sys::digits(static_cast<std::uint64_t>(holder), 10, number)),
              "/ns/user");
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  const int error = fd < 0 ? errno : EPIPE;
  const bool mapped = fd >= 0 && request(MessageKind::kOwnerHolder, MessageKind::kOwnerMapsDone,
                                         static_cast<std::uint32_t>(holder), fd);
  ::kill(holder, SIGKILL);
  ::syscall(SYS_wait4, holder, nullptr, 0, nullptr);
  if (!mapped) {
    fail_with(Step::kOwnerMapping, error);
  }
  ::close(fd);
  done(Step::kOwnerMapping);
}

void receive_trees() {
  std::uint32_t wanted = 0;
  for (std::size_t i = 0; i < plan_view.mount_count; ++i) {
    wanted += plan_view.mounts[i].kind == 3 ? 1U : 0U;
  }
  while (trees.count < wanted) {
    Message message;
    std::uint32_t count = 0;
    if (!receive_message(message, trees.fds + trees.count, wanted - trees.count, count) ||
        message.kind != MessageKind::kTrees || count == 0) {
      fail_with(Step::kBind, EPIPE);
    }
    trees.count += count;
  }
}

/// "1000 UID 1" for an ordinary user's own id: needs no privilege.
bool write_map(const char* path, std::uint32_t outer) {
  char number[32];
  char text[48] = "1000 ";
  std::strcat(std::strcat(text, sys::digits(outer, 10, number)), " 1\n");
  return write_file(path, text, std::strlen(text));
}

void enter_namespaces() {
  if (::unshare(static_cast<int>(kNamespaces)) != 0) {
    fail(Step::kNamespaces);
  }
  // Protects nothing by itself; kernels without it are fine.
  if (::unshare(CLONE_NEWTIME) != 0 && errno != EINVAL) {
    fail(Step::kNamespaces);
  }
  done(Step::kNamespaces);
}

void become_user() {
  if (!write_file("/proc/self/setgroups", "deny", 4) ||
      !write_map("/proc/self/gid_map", plan_view.outer_gid) ||
      !write_map("/proc/self/uid_map", plan_view.outer_uid)) {
    fail(Step::kIdMaps);
  }
  done(Step::kIdMaps);
}

void become_mapped_user() {
  if (!request(MessageKind::kWantMaps, MessageKind::kMapsDone)) {
    fail_with(Step::kIdMaps, EPIPE);
  }
  done(Step::kIdMaps);
  constexpr unsigned kInside = 1000;
  if (::syscall(SYS_setresgid, kInside, kInside, kInside) != 0 ||
      ::syscall(SYS_setresuid, kInside, kInside, kInside) != 0) {
    fail(Step::kIds);
  }
  done(Step::kIds);
}

/// An empty network namespace, with loopback up so that servers can use 127.0.0.1 among themselves.
/// Returns its descriptor.
int make_network() {
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (::unshare(CLONE_NEWNET) != 0) {
    fail(Step::kNamespaces);
  }
  const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int network =
      any < 0 || ::ioctl(any, SIOCSIFFLAGS, &request) != 0 ? -1 : ::ioctl(any, SIOCGSKNS);
  if (network < 0) {
    fail(Step::kLoopback);
  }
  return network;
}

/// Init becomes a child of the supervisor, which thus needs no trust in this process to learn of
/// its end. While init builds the tree, this process makes the network namespace, the slowest of
/// all, and hands it over.
[[noreturn]] void start_init() {
  int pidfd = -1;
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    fail(Step::kCloneInit);
  }
  clone_args args{};
  args.flags = CLONE_PARENT | CLONE_PIDFD;
  args.pidfd = reinterpret_cast<std::uint64_t>(&pidfd);
  const auto init = ::syscall(SYS_clone3, &args, sizeof(args));
  if (init < 0) {
    fail(Step::kCloneInit);
  }
  if (init == 0) {
    ::close(sockets[0]);
    done(Step::kCloneInit);
    run_init(plan_view, trees, sockets[1]);
  }
  ::close(sockets[1]);
  Message message;
  message.kind = MessageKind::kInitStarted;
  send_message(message, pidfd);
  const int network = make_network();
  const bool sent = send_message(message, network, sockets[0]);
  ::_exit(sent ? 0 : 1);
}

[[noreturn]] void run() {
  ::prctl(PR_SET_NAME, "calaboose-jail", 0, 0, 0);
  ::umask(0);
  if (::syscall(SYS_close_range, 5U, ~0U, 0U) != 0) {
    fail(Step::kDescriptors);
  }
  read_plan_message();
  prepare_inherited();
  const bool root = (plan_view.flags & plan::wire::kFlagRoot) != 0;
  if (root) {
    bool mapped = false;
    for (std::size_t i = 0; i < plan_view.mount_count; ++i) {
      mapped = mapped || (plan_view.mounts[i].flags & plan::wire::kMountIdentity) != 0;
    }
    if (::syscall(SYS_setgroups, 0, nullptr) != 0) {
      fail(Step::kGroups);
    }
    done(Step::kGroups);
    if (mapped) {
      offer_owner_mapping();
    }
    receive_trees();
  }
  enter_namespaces();
  root ? become_mapped_user() : become_user();
  start_init();
}

}  // namespace
}  // namespace calaboose::jail

int main() {
  struct stat info = {};
  if (::fstat(calaboose::jail::kControlFd, &info) != 0 || !S_ISSOCK(info.st_mode)) {
    constexpr char kUsage[] = "calaboose-jail is started by calaboose and is of no use by itself\n";
    (void)!::write(2, kUsage, sizeof(kUsage) - 1);
    return 2;
  }
  calaboose::jail::run();
}
