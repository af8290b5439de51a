// SPDX-License-Identifier: Apache-2.0
// A running jail, seen from the supervisor.
// Place: runner/jail; carries out a Plan through calaboose-jail. Main thread only (the helper's
// parent-death signal follows the thread that started it).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/fd.h"
#include "base/result.h"
#include "runner/plan/plan.h"

namespace calaboose::jail {

/// How the server ended.
struct Exit {
  bool signaled = false;
  int status = 0;                 // exit status, or signal number
  std::string to_string() const;  // "exited with status 3", "was killed by SIGKILL"
};

/// A system call that the filter refused.
struct Denial {
  std::string syscall;    // "ptrace"
  std::string process;    // comm of the caller, printable
  std::uint32_t pid = 0;  // in the caller's own outer numbering, 0 if unknown
  std::uint64_t args[6] = {};
  std::string in_plain_words;  // "tried to trace another process (ptrace): denied"
};

/// What was put in force, from the helper's step reports.
struct Protections {
  int landlock_abi = 0;
  bool seccomp = false;
  bool user_namespace = false;
  std::uint32_t steps = 0;
  std::vector<std::string> layers;  // for status and audit
};

struct Options {
  std::string helper_path;  // empty: calaboose-jail beside this program, or in libexec
  Milliseconds setup_timeout{5'000};
};

class Jail {
 public:
  /// Starts the helper (posix_spawn) and returns at once; the set-up runs on the other side.
  static Result<std::unique_ptr<Jail>> start(const plan::Plan& plan, const Options& options);
  /// Kills everything in the jail and reaps it.
  virtual ~Jail() = default;

  /// Waits until the server's program has been executed.
  /// Errors  kCannotEnforce (failing step, errno, likely cause, remedy); kCommandNotFound / kPeer
  /// if only the final
  ///         execve failed; kDeadline.
  virtual Result<Protections> await_exec() = 0;

  /// The three pipes, our ends; each can be taken once. Blocking mode as created: non-blocking.
  virtual Fd take_stdin() = 0;
  virtual Fd take_stdout() = 0;
  virtual Fd take_stderr() = 0;

  /// Readable when next_exit() may have something.
  virtual int control_fd() const = 0;
  virtual std::optional<Exit> next_exit() = 0;
  /// Readable when next_denial() may have something; -1 when there is no listener (any more).
  virtual int notify_fd() const = 0;
  /// Answers one refused call with EPERM and describes it. Over 1,000 a second the listener is
  /// closed (J64).
  virtual std::optional<Denial> next_denial() = 0;

  virtual void terminate() = 0;  // SIGTERM to all processes of the jail
  virtual void kill() = 0;       // SIGKILL to its init: the kernel ends all of them
  /// Waits until init is reaped.
  virtual bool await_gone(Milliseconds span) = 0;
};

}  // namespace calaboose::jail
