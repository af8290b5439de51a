// SPDX-License-Identifier: Apache-2.0
// The jailed server's process and pipes: lines, stderr, denials, exit, and an orderly end.
// Place: runner/gateway, above runner/jail.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runner/gateway/event_loop.h"
#include "runner/gateway/pipes.h"
#include "runner/gateway/reporter.h"
#include "runner/jail/jail.h"

namespace calaboose::gateway {

class ServerLink {
 public:
  /// Steps of an end that nobody can delay: 2 s in all even if the server ignores everything (K6,
  /// J49).
  static constexpr Milliseconds kStdinGrace{700};
  static constexpr Milliseconds kTermGrace{600};

  struct Events {
    std::function<void(std::string_view line)> on_line;
    std::function<void(std::string_view head)> on_too_long;
    EventLoop::Callback on_turn_end;
    EventLoop::Callback on_drained;  // stdin backlog is low again
    std::function<void(const jail::Denial&)> on_denial;
    /// stdout has ended or the process is gone: nothing more will be said. `exit` if it is known.
    std::function<void(std::optional<jail::Exit> exit)> on_closed;
    EventLoop::Callback on_gone;  // every process of the jail is dead and reaped
  };

  ServerLink(EventLoop& loop, Reporter& reporter, std::size_t max_line_bytes, Events events);
  ~ServerLink();
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;

  /// Starts the jail and waits until the server's program runs.
  Result<jail::Protections> start(const plan::Plan& plan, const jail::Options& options);

  void line(std::string_view text);
  void flush();
  std::size_t pending() const;
  void set_reading(bool on);

  /// Begins the end: close stdin, then SIGTERM, then SIGKILL. on_gone follows within 2 s.
  void shut_down();
  /// SIGKILL at once; returns when everything is reaped.
  void kill_now();

  /// A jail exists: started and not yet reaped.
  bool running() const { return jail_ != nullptr; }

  std::optional<jail::Exit> exit() const { return exit_; }

  std::vector<std::string> last_stderr_lines() const { return tail_.last_lines(); }

 private:
  void on_control();
  void on_stderr();
  void on_notify();
  void on_step();
  void closed();
  void gone();

  EventLoop& loop_;
  Reporter& reporter_;
  std::size_t max_line_bytes_;
  Events events_;
  std::unique_ptr<jail::Jail> jail_;
  Fd stdin_;
  Fd stdout_;
  Fd stderr_;
  StderrTail tail_;
  std::unique_ptr<LineReader> reader_;
  std::unique_ptr<LineWriter> writer_;
  std::unique_ptr<EventLoop::Watch> stderr_watch_;
  std::unique_ptr<EventLoop::Watch> control_watch_;
  std::unique_ptr<EventLoop::Watch> notify_watch_;
  std::unique_ptr<EventLoop::Timer> step_timer_;
  std::optional<jail::Exit> exit_;
  enum class Ending : std::uint8_t { kNo, kStdinClosed, kTerminated, kKilled };
  Ending ending_ = Ending::kNo;
  bool closed_ = false;
};

}  // namespace calaboose::gateway
