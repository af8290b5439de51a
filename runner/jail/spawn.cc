// SPDX-License-Identifier: Apache-2.0
// posix_spawn of the helper. fork() from a supervisor with 300 MiB resident costs 16 ms; this costs
// 0.4. Place: runner/jail.
#include "runner/jail/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "runner/jail/helper_file.h"
#include "runner/jail/protocol.h"

namespace calaboose::jail {
namespace {

// Above the numbers that the helper wants, so that no dup2 overwrites another's source.
constexpr int kFirstFd = 16;

Error spawn_error(std::string_view what, int err) {
  Error cause = errno_error(what, err);
  return Error(Errc::kCannotEnforce, "cannot start the jail: " + cause.what()).with_id("CB4003");
}

bool lift(Fd& fd) {
  if (fd.get() < kFirstFd) {
    fd.reset(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFd));
  }
  return fd.valid();
}

struct Pipe {
  Fd ours;
  Fd theirs;
};

Result<Pipe> make_pipe(bool we_write, const plan::Plan& plan) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return spawn_error("pipe", errno);
  }
  Pipe pipe{Fd(ends[we_write ? 1 : 0]), Fd(ends[we_write ? 0 : 1])};
  if (::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK) != 0 || !lift(pipe.theirs)) {
    return spawn_error("pipe", errno);
  }
  // A server may open /dev/stdin and the like again, which asks for the pipe's owner.
  if (plan.as_root && ::fchown(pipe.theirs.get(), plan.outer_uid, plan.outer_gid) != 0) {
    return spawn_error("owner of a pipe", errno);
  }
  return pipe;
}

Result<Fd> seal(const std::string& bytes) {
  Fd fd(::memfd_create("calaboose-plan", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid() ||
      ::write(fd.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) !=
          0 ||
      !lift(fd)) {
    return spawn_error("the plan's memory file", errno);
  }
  return fd;
}

/// Signal mask empty, every disposition default (an ignored signal would survive execve), own
/// session.
class Attributes {
 public:
  Attributes() {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&value_);
    ::posix_spawnattr_setsigmask(&value_, &none);
    ::posix_spawnattr_setsigdefault(&value_, &all);
    ::posix_spawnattr_setflags(&value_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }

  ~Attributes() { ::posix_spawnattr_destroy(&value_); }

  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &value_; }

 private:
  posix_spawnattr_t value_;
};

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&value_); }

  ~FileActions() { ::posix_spawn_file_actions_destroy(&value_); }

  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void place(const Fd& fd, int number) {
    ::posix_spawn_file_actions_adddup2(&value_, fd.get(), number);
  }

  const posix_spawn_file_actions_t* get() const { return &value_; }

 private:
  posix_spawn_file_actions_t value_;
};

}  // namespace

Result<Spawned> spawn_helper(const plan::Plan& plan, const std::string& bytes,
                             const Options& options) {
  CALABOOSE_TRY(Fd helper, open_helper(options.helper_path));
  if (!lift(helper)) {
    return spawn_error("descriptor of calaboose-jail", errno);
  }
  CALABOOSE_TRY(Fd memory, seal(bytes));
  CALABOOSE_TRY(Pipe in, make_pipe(true, plan));
  CALABOOSE_TRY(Pipe out, make_pipe(false, plan));
  CALABOOSE_TRY(Pipe err, make_pipe(false, plan));
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return spawn_error("socketpair", errno);
  }
  // Asked on ourselves first: once the helper runs, a failure would leave processes to clean up.
  if (const Fd possible(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
      !possible.valid()) {
    return spawn_error("pidfd_open", errno);
  }
  Spawned result;
  result.control.reset(sockets[0]);
  Fd theirs(sockets[1]);
  if (!lift(theirs)) {
    return spawn_error("socketpair", errno);
  }

  FileActions actions;
  actions.place(in.theirs, 0);
  actions.place(out.theirs, 1);
  actions.place(err.theirs, 2);
  actions.place(theirs, kControlFd);
  actions.place(memory, kPlanFd);
  const Attributes attributes;
  const std::string path = "/proc/self/fd/" + std::to_string(helper.get());
  char name[] = "calaboose-jail";
  char* argv[] = {name, nullptr};
  char* environment[] = {nullptr};
  const int rc =
      ::posix_spawn(&result.pid, path.c_str(), actions.get(), attributes.get(), argv, environment);
  if (rc != 0) {
    return spawn_error("posix_spawn of calaboose-jail", rc);
  }
  // No race: nobody but us reaps this child.
  result.pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, result.pid, 0)));
  if (!result.pidfd.valid()) {
    const int error = errno;
    ::kill(result.pid, SIGKILL);
    ::waitpid(result.pid, nullptr, 0);
    return spawn_error("pidfd_open", error);
  }
  result.in = std::move(in.ours);
  result.out = std::move(out.ours);
  result.err = std::move(err.ours);
  return result;
}

}  // namespace calaboose::jail
