// SPDX-License-Identifier: Apache-2.0
// One jail: starts the helper, follows the set-up, and owns the init's pidfd until everything is
// reaped. Place: runner/jail.
#include "runner/jail/jail.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/jail/control.h"
#include "runner/jail/failure.h"
#include "runner/jail/notify.h"
#include "runner/jail/owner.h"
#include "runner/jail/spawn.h"

namespace calaboose::jail {
namespace {

constexpr Milliseconds kHelperGrace{500};
constexpr Milliseconds kKillGrace{2'000};

bool wait_readable(int fd, Deadline deadline) {
  for (;;) {
    pollfd event{fd, POLLIN, 0};
    const int rc = ::poll(&event, 1, deadline.poll_timeout_ms(SteadyClock::now()));
    if (rc > 0) {
      return true;
    }
    if (rc < 0 && errno != EINTR) {
      return false;
    }
    if (deadline.expired(SteadyClock::now())) {
      return false;
    }
  }
}

/// A child of ours, known by pidfd; reaped once.
class Child {
 public:
  explicit Child(Fd pidfd = Fd()) : pidfd_(std::move(pidfd)) {}

  const Fd& pidfd() const { return pidfd_; }

  bool known() const { return pidfd_.valid(); }

  void kill() {
    if (known() && !reaped_) {
      ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
    }
  }

  const siginfo_t& fate() const { return fate_; }

  /// True once it is reaped (or was by somebody else).
  bool reap(Deadline deadline) {
    while (known() && !reaped_) {
      fate_ = {};
      const int rc = ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &fate_, WEXITED | WNOHANG);
      if ((rc == 0 && fate_.si_pid != 0) || (rc != 0 && errno == ECHILD)) {
        reaped_ = true;
      } else if (rc != 0 && errno != EINTR) {
        return false;
      } else if (!wait_readable(pidfd_.get(), deadline)) {
        return false;
      }
    }
    return true;
  }

 private:
  Fd pidfd_;
  siginfo_t fate_{};
  bool reaped_ = false;
};

std::vector<std::string> layers_of(const Protections& p, bool notify, std::uint64_t steps) {
  std::vector<std::string> layers = {
      "user, mount, pid, ipc, uts, cgroup and network namespaces",
      "private root directory, read-only",
      "Landlock ABI " + std::to_string(p.landlock_abi),
      notify ? "seccomp allow list, refusals reported" : "seccomp allow list",
      "no new privileges, no capabilities",
      "resource limits"};
  if ((steps & bit(Step::kNoNestedNamespaces)) != 0) {
    layers.emplace_back("no nested user namespaces");
  }
  return layers;
}

class JailImpl final : public Jail {
 public:
  JailImpl(const plan::Plan& plan, Spawned spawned, Milliseconds setup_timeout)
      : plan_(plan),
        pid_(spawned.pid),
        helper_(std::move(spawned.pidfd)),
        control_(std::move(spawned.control)),
        stdin_(std::move(spawned.in)),
        stdout_(std::move(spawned.out)),
        stderr_(std::move(spawned.err)),
        deadline_(Deadline::after(setup_timeout)) {
    plan_.env.clear();  // not needed any more, and may hold secrets
    plan_.seccomp.clear();
  }

  ~JailImpl() override { end(); }

  /// Root, when no bind needs another owner: the helper's first wait is for these.
  Result<void> send_first_trees() { return send_trees(control_.get(), plan_, Fd()); }

  Result<Protections> await_exec() override {
    for (;;) {
      if (!wait_readable(control_.get(), deadline_)) {
        end();
        return Error(Errc::kDeadline, "the jail was not ready in time; nothing was executed")
            .with_id("CB4005");
      }
      Message message;
      Fd attached;
      switch (receive(control_.get(), message, attached)) {
        case Received::kNothing:
          continue;
        case Received::kEnd:
          end();
          return Error(Errc::kCannotEnforce,
                       "the jail's helper ended without a report; nothing was executed")
              .with_hint(
                  "it may have been killed for lack of memory, or by a system call filter around "
                  "the runner")
              .with_id("CB4004");
        case Received::kMessage:
          break;
      }
      if (message.kind == MessageKind::kExecuted) {
        return executed(message);
      }
      if (auto handled = handle(message, std::move(attached)); !handled.ok()) {
        end();
        return std::move(handled).error();
      }
    }
  }

  Fd take_stdin() override { return std::move(stdin_); }

  Fd take_stdout() override { return std::move(stdout_); }

  Fd take_stderr() override { return std::move(stderr_); }

  int control_fd() const override { return control_.get(); }

  std::optional<Exit> next_exit() override {
    if (!control_.valid()) {
      return std::nullopt;
    }
    for (;;) {
      Message message;
      Fd attached;
      switch (receive(control_.get(), message, attached)) {
        case Received::kNothing:
          return std::nullopt;
        case Received::kEnd:
          control_.reset();
          return fate_of_init();
        case Received::kMessage:
          break;
      }
      if (message.kind == MessageKind::kExit) {
        control_.reset();  // init has nothing more to say; what is left of the jail ends with it
        return Exit{message.step != Step::kNone, static_cast<int>(message.value)};
      }
    }
  }

  int notify_fd() const override { return listener_ ? listener_->fd() : -1; }

  std::optional<Denial> next_denial() override {
    return listener_ ? listener_->next(SteadyClock::now()) : std::nullopt;
  }

  void terminate() override {
    Message message;
    message.kind = MessageKind::kTerminate;
    if (control_.valid()) {
      send(control_.get(), message);
    }
  }

  void kill() override {
    helper_.kill();
    init_.kill();
  }

  bool await_gone(Milliseconds span) override {
    const Deadline deadline = Deadline::after(span);
    return helper_.reap(deadline) && init_.reap(deadline);
  }

 private:
  /// During the set-up only.
  Result<void> handle(const Message& message, Fd attached) {
    Message answer;
    switch (message.kind) {
      case MessageKind::kFailed:
        return describe_failure({message.step, message.error, message.value}, plan_);
      case MessageKind::kOwnerHolder:
        CALABOOSE_CHECK(write_maps(static_cast<pid_t>(message.value), 0, plan_));
        answer.kind = MessageKind::kOwnerMapsDone;
        send(control_.get(), answer);
        return send_trees(control_.get(), plan_, attached);
      case MessageKind::kWantMaps:
        CALABOOSE_CHECK(write_maps(pid_, plan::kJailUid, plan_));
        answer.kind = MessageKind::kMapsDone;
        send(control_.get(), answer);
        return {};
      case MessageKind::kInitStarted:
        init_ = Child(std::move(attached));
        return {};
      case MessageKind::kListener:
        listener_.emplace(std::move(attached));
        return {};
      default:
        return Error(Errc::kInternal, "the jail's helper sent a message out of turn")
            .with_id("CB4004");
    }
  }

  Result<Protections> executed(const Message& message) {
    if (!init_.known()) {
      end();
      return Error(Errc::kInternal, "the jail's init was not announced").with_id("CB4004");
    }
    helper_.reap(deadline_);
    Protections result;
    result.landlock_abi = static_cast<int>(message.value);
    result.seccomp = (message.steps & bit(Step::kSeccomp)) != 0;
    result.user_namespace = (message.steps & bit(Step::kNamespaces)) != 0;
    result.steps = static_cast<std::uint32_t>(__builtin_popcountll(message.steps));
    result.layers = layers_of(result, listener_.has_value(), message.steps);
    return result;
  }

  /// Init was killed, with everybody else.
  Exit fate_of_init() {
    init_.reap(Deadline::after(kKillGrace));
    const auto& fate = init_.fate();
    const bool signaled =
        fate.si_code == CLD_KILLED || fate.si_code == CLD_DUMPED || fate.si_pid == 0;
    return Exit{signaled, fate.si_pid == 0 ? SIGKILL : fate.si_status};
  }

  /// Whatever stage the set-up is in: the helper sees the end of our messages and ends itself with
  /// what it started; an init that it announced before is then known, too.
  void end() {
    if (control_.valid()) {
      ::shutdown(control_.get(), SHUT_WR);
    }
    if (!helper_.reap(Deadline::after(kHelperGrace))) {
      helper_.kill();
      helper_.reap(Deadline::after(kKillGrace));
    }
    learn_init();
    init_.kill();
    init_.reap(Deadline::after(kKillGrace));
    control_.reset();
    listener_.reset();
  }

  void learn_init() {
    Message message;
    Fd attached;
    while (control_.valid() && !init_.known() &&
           receive(control_.get(), message, attached) == Received::kMessage) {
      if (message.kind == MessageKind::kInitStarted) {
        init_ = Child(std::move(attached));
      }
    }
  }

  plan::Plan plan_;
  pid_t pid_;
  Child helper_;
  Child init_;
  Fd control_;
  Fd stdin_;
  Fd stdout_;
  Fd stderr_;
  std::optional<Listener> listener_;
  Deadline deadline_;
};

Result<void> check_ids(const plan::Plan& plan) {
  const auto uid = ::geteuid();
  if (plan.as_root ? uid != 0 : uid != plan.outer_uid) {
    return Error(Errc::kInternal, "the plan was made for another user").with_id("CB4010");
  }
  return {};
}

}  // namespace

std::string Exit::to_string() const {
  if (!signaled) {
    return "exited with status " + std::to_string(status);
  }
  const char* name = ::sigabbrev_np(status);
  return name == nullptr ? "was killed by signal " + std::to_string(status)
                         : "was killed by SIG" + std::string(name);
}

Result<std::unique_ptr<Jail>> Jail::start(const plan::Plan& plan, const Options& options) {
  const std::string bytes = plan::encode(plan);
  // What the helper will read, judged here first, where the answer can say what is wrong.
  if (auto read_back = plan::decode(bytes); !read_back.ok()) {
    return std::move(read_back).error();
  }
  CALABOOSE_CHECK(check_ids(plan));
  CALABOOSE_TRY(Spawned spawned, spawn_helper(plan, bytes, options));
  auto jail = std::make_unique<JailImpl>(plan, std::move(spawned), options.setup_timeout);
  if (plan.as_root && !needs_owner_mapping(plan)) {
    CALABOOSE_CHECK(jail->send_first_trees());
  }
  return std::unique_ptr<Jail>(std::move(jail));
}

}  // namespace calaboose::jail
