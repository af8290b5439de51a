// SPDX-License-Identifier: Apache-2.0
// The jail's process 1. Needed because a program that is process 1 ignores SIGTERM by default and
// reaps nobody, and because the kernel kills a whole pid namespace with its first process: whoever
// ends init ends the jail. Place: runner/jail/helper.
#include "runner/jail/helper/init.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "runner/jail/helper/confine.h"
#include "runner/jail/helper/report.h"
#include "runner/jail/helper/sys.h"
#include "runner/plan/seccomp/programs.inc"

namespace calaboose::jail {
namespace {

using plan::wire::PlanView;

constexpr int kSignalFd = 4;

alignas(16) char server_stack[65'536];

/// J50: dies with the thread that started the helper; and if that one is already gone, the socket
/// says so.
void require_supervisor() {
  pollfd control{kControlFd, POLLRDHUP, 0};
  if (::poll(&control, 1, 0) < 0) {
    fail(Step::kLifeline);
  }
  if ((control.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0) {
    ::_exit(1);
  }
}

void tie_to_supervisor() {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
    fail(Step::kLifeline);
  }
  require_supervisor();
  done(Step::kLifeline);
}

void set_names(const PlanView& plan) {
  constexpr char kNone[] = "(none)";
  if (::setsid() < 0 || ::sethostname(plan.hostname, std::strlen(plan.hostname)) != 0 ||
      ::setdomainname(kNone, sizeof(kNone) - 1) != 0) {
    fail(Step::kHostname);
  }
  done(Step::kHostname);
}

/// The network namespace is made by the helper meanwhile: that takes as long as everything done
/// here.
void join_network(int network) {
  Message message;
  int fd = -1;
  std::uint32_t count = 0;
  if (!receive_message(message, &fd, 1, count, network) || count != 1) {
    fail_with(Step::kLoopback, EPIPE);  // the helper has reported why
  }
  if (::setns(fd, CLONE_NEWNET) != 0) {
    fail(Step::kLoopback);
  }
  ::close(fd);
  ::close(network);
  done(Step::kLoopback);
}

/// J16, second layer, where /proc/sys is writable: the filter refuses the calls anyway.
void forbid_nested_namespaces() {
  const int fd = ::open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  if (::write(fd, "0", 1) == 1) {
    done(Step::kNoNestedNamespaces);
  }
  ::close(fd);
}

int server_entry(void* plan) {
  become_server(*static_cast<const PlanView*>(plan));
}

/// Init is suspended until the child executes its program or ends, so the outcome is known exactly
/// when this returns.
pid_t start_server(const PlanView& plan) {
  const pid_t server = ::clone(server_entry, server_stack + sizeof(server_stack),
                               CLONE_VM | CLONE_VFORK | SIGCHLD, const_cast<PlanView*>(&plan));
  if (server < 0) {
    fail(Step::kCloneServer);
  }
  if (progress.failed) {
    ::_exit(1);
  }
  if (!progress.about_to_exec) {
    fail_with(Step::kCloneServer, ECHILD);
  }
  done(Step::kExecve);
  return server;
}

void confine_init() {
  sock_fprog program{};
  program.len = sizeof(plan::generated::kInitProgram) / sizeof(sock_filter);
  program.filter = reinterpret_cast<sock_filter*>(
      const_cast<plan::generated::Instruction*>(plan::generated::kInitProgram));
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    fail(Step::kSeccomp);
  }
}

[[noreturn]] void report_exit(int status) {
  Message message;
  message.kind = MessageKind::kExit;
  if (WIFSIGNALED(status)) {
    message.step = Step{1};
    message.value = static_cast<std::uint32_t>(WTERMSIG(status));
  } else {
    message.value = static_cast<std::uint32_t>(WEXITSTATUS(status));
  }
  send_message(message);
  ::_exit(0);
}

/// J51: everybody without a parent becomes ours and is reaped.
void reap(pid_t server) {
  for (;;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, WNOHANG);
    if (pid <= 0) {
      return;
    }
    if (pid == server) {
      report_exit(status);
    }
  }
}

[[noreturn]] void serve(pid_t server) {
  pollfd events[2] = {{kControlFd, POLLIN, 0}, {kSignalFd, POLLIN, 0}};
  for (;;) {
    if (::poll(events, 2, -1) < 0 && errno != EINTR) {
      ::_exit(1);
    }
    if (events[1].revents != 0) {
      signalfd_siginfo info{};
      if (::read(kSignalFd, &info, sizeof(info)) < 0 && errno != EAGAIN) {
        ::_exit(1);
      }
      reap(server);
    }
    if (events[0].revents != 0) {
      Message message;
      const auto got = ::recv(kControlFd, &message, sizeof(message), MSG_DONTWAIT);
      if (got == static_cast<ssize_t>(sizeof(message)) && message.kind == MessageKind::kTerminate) {
        ::kill(-1, SIGTERM);
      } else if (got >= 0 || (errno != EAGAIN && errno != EINTR)) {
        ::_exit(0);  // the supervisor is gone: so is the jail
      }
    }
  }
}

int watch_children() {
  sigset_t all;
  sigset_t child;
  ::sigfillset(&all);
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  if (::sigprocmask(SIG_SETMASK, &all, nullptr) != 0) {
    return -1;
  }
  return ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

}  // namespace

void run_init(const PlanView& plan, const Trees& trees, int network) {
  tie_to_supervisor();
  set_names(plan);
  forbid_nested_namespaces();
  enter_tree(plan, trees);
  join_network(network);
  // Nobody may look at this process, which still holds the environment: not the jail, nor others of
  // the same user.
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    fail(Step::kNoNewPrivileges);
  }
  drop_privileges();
  const int signals = watch_children();
  if (signals < 0) {
    fail(Step::kCloneServer);
  }
  require_supervisor();
  const pid_t server = start_server(plan);
  // The server's pipes are the server's alone, so that their ends are seen; only the life line and
  // signals remain.
  if (::dup2(signals, kSignalFd) < 0 || ::syscall(SYS_close_range, 0U, 2U, 0U) != 0 ||
      ::syscall(SYS_close_range, 5U, ~0U, 0U) != 0) {
    fail(Step::kDescriptors);
  }
  Message executed;
  executed.kind = MessageKind::kExecuted;
  executed.value = progress.landlock_abi;
  executed.steps = progress.steps;
  confine_init();
  if (!send_message(executed)) {
    ::_exit(1);
  }
  serve(server);
}

}  // namespace calaboose::jail
