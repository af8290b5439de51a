// SPDX-License-Identifier: Apache-2.0
// Modes that end when they should not, or do not end when they should (J47-J49).
// Place: tests/support/servers.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server.h"

namespace calaboose::misbehaving {
namespace {

[[noreturn]] void wait_for_ever() {
  for (;;) {
    ::pause();
  }
}

class ExitAtOnce final : public Server {
  void at_start() override {
    (void)mini::write_all(STDERR_FILENO,
                          "Error: cannot find module 'left-pad'\n"
                          "    at load (server.js:1:1)\n"
                          "giving up\n");
    ::_exit(7);
  }
};

class ExitAfterInitialize final : public Server {
  void on_discover(const Message& message) override {
    send(mini::error_response(message.id, -32601, "Method not found"));
  }

  void on_initialize(const Message& message) override {
    Server::on_initialize(message);
    ::_exit(3);
  }
};

class Crash final : public Server {
  void on_call(const Message& /*message*/) override {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
};

class CloseStdout final : public Server {
  void on_call(const Message& /*message*/) override { ::close(STDOUT_FILENO); }
};

class NeverReadsStdin final : public Server {
  void at_start() override { wait_for_ever(); }
};

class StopsReading final : public Server {
  void on_call(const Message& /*message*/) override { wait_for_ever(); }
};

/// Neither the end of stdin nor a polite signal ends it.
class IgnoresSigterm final : public Server {
  void at_start() override {
    for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) {
      ::signal(number, SIG_IGN);
    }
  }

  int at_end() override { wait_for_ever(); }
};

/// A grandchild in a session of its own that wants to outlive everything; made at start, and one
/// more for each call.
class Orphans final : public Server {
  void at_start() override { leave_orphan(); }

  void on_call(const Message& message) override {
    send_text(message, std::to_string(leave_orphan()));
  }

  /// The orphan's process id.
  static pid_t leave_orphan() {
    int report[2] = {-1, -1};
    if (::pipe(report) != 0) {
      return -1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
      ::setsid();
      if (::fork() == 0) {
        const pid_t self = ::getpid();
        (void)!::write(report[1], &self, sizeof self);
        for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
          ::signal(number, SIG_IGN);
        }
        // It keeps stdin, stdout and stderr: the runner must not wait for their end.
        ::close(report[0]);
        ::close(report[1]);
        wait_for_ever();
      }
      ::_exit(0);
    }
    ::close(report[1]);
    pid_t orphan = -1;
    (void)!::read(report[0], &orphan, sizeof orphan);
    ::close(report[0]);
    return orphan;
  }
};

constexpr Mode kModes[] = {
    {"exit-at-once", "writes to stderr and ends with status 7", make<ExitAtOnce>},
    {"exit-after-initialize", "ends with status 3 after its answer to initialize",
     make<ExitAfterInitialize>},
    {"crash", "dies of SIGSEGV on tools/call", make<Crash>},
    {"close-stdout", "closes stdout on tools/call and stays alive", make<CloseStdout>},
    {"never-reads-stdin", "never reads a byte", make<NeverReadsStdin>},
    {"stops-reading", "reads nothing more after the first tools/call", make<StopsReading>},
    {"ignores-sigterm", "ignores SIGTERM and the end of stdin", make<IgnoresSigterm>},
    {"orphans", "leaves grandchildren behind; tools/call answers with the pid of one",
     make<Orphans>},
};

}  // namespace

std::span<const Mode> lifecycle_modes() {
  return kModes;
}

}  // namespace calaboose::misbehaving
