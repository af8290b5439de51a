// SPDX-License-Identifier: Apache-2.0
// One jailed server serving one host, until either side ends: the heart of `calaboose run`.
// Place: runner/gateway; ties Bridge (protocol), Intercept (policy, audit) and ServerLink (process)
// together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/session/bridge.h"
#include "runner/audit/audit.h"
#include "runner/gateway/event_loop.h"
#include "runner/gateway/intercept.h"
#include "runner/gateway/reporter.h"
#include "runner/gateway/server_link.h"
#include "runner/plan/build_plan.h"

namespace calaboose::gateway {

/// The side that asks: a host on stdio, or our own one-shot commands.
class Host {
 public:
  virtual ~Host() = default;
  virtual void line(std::string_view text) = 0;
  virtual void flush() = 0;
  /// Bytes that the host has not taken yet.
  virtual std::size_t pending() const = 0;
  /// Stops and continues the host's stream of requests (back-pressure).
  virtual void set_reading(bool on) = 0;
  virtual void on_server_ready(const mcp::Negotiated& negotiated) = 0;
  /// The run is over: nothing more will be said. `exit_code` as in design section 6.
  virtual void on_finished(int exit_code) = 0;
};

struct RunConfig {
  std::string server_name;
  plan::Built built;
  jail::Options jail;
  mcp::Bridge::Options bridge;
  std::optional<mcp::EraChoice> era_hint;  // a remembered verdict
  bool open_at_once = false;               // one-shot: open the server without waiting for the host
};

class Run final : public mcp::Bridge::Port {
 public:
  /// `log` may be null. All references outlive the Run.
  Run(EventLoop& loop, RunConfig config, audit::Log* log, Reporter& reporter);
  ~Run() override;

  void attach(Host& host) { host_ = &host; }

  /// Starts the jail. On failure the host's first request is answered with the cause, then the run
  /// finishes; the error is returned for the person.
  Result<void> start();

  /// In place of start(): there is nothing to start; the host's first request is answered with this
  /// cause.
  void fail(const Error& cause);

  // From the host.
  void host_line(std::string_view line);
  void host_line_too_long(std::string_view head);
  void host_turn_end();
  void host_closed();
  /// SIGINT, SIGTERM, SIGHUP: ends as if the host had closed; the exit code tells.
  void on_signal(int number);

  // From the Bridge.
  void to_host(std::string_view line) override;
  void to_server(std::string_view line) override;
  void restart_server() override;
  void on_host_opened(mcp::Era era) override;
  void on_server_ready(const mcp::Negotiated& negotiated) override;
  void on_server_failed(const Error& error) override;
  void on_violation(mcp::Side side, mcp::Violation violation, std::string_view detail) override;
  mcp::Decision from_host(const mcp::Exchange* exchange, const mcp::Message& message) override;
  mcp::Decision from_server(const mcp::Exchange* exchange, const mcp::Message& message) override;
  void on_finished(const mcp::Exchange& exchange, std::string_view outcome,
                   TimePoint started) override;

  const std::optional<mcp::Negotiated>& negotiated() const { return negotiated_; }

  /// A request has run out of time.
  bool timed_out() const { return timed_out_; }

  /// The reason of a failed run, for the person.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  Result<void> start_jail();
  void turn_end();
  void balance();
  void rearm();
  bool owes_host_the_cause() const;
  void begin_end(int exit_code);
  void server_closed(std::optional<jail::Exit> exit);
  void server_gone();
  void finish();
  void denied(const jail::Denial& denial);
  std::string over_limit() const;
  Error cause_of(const std::optional<jail::Exit>& exit) const;

  EventLoop& loop_;
  RunConfig config_;
  Reporter& reporter_;
  policy::Scanner scanner_;
  Intercept intercept_;
  mcp::Bridge bridge_;
  ServerLink link_;
  Host* host_ = nullptr;
  std::unique_ptr<EventLoop::Timer> timer_;
  TimePoint armed_ = TimePoint::max();
  std::unique_ptr<EventLoop::Timer> drain_timer_;
  std::optional<mcp::Negotiated> negotiated_;
  std::optional<Error> failure_;
  bool host_open_ = true;
  bool host_answered_ = false;
  bool server_up_ = false;
  bool restarting_ = false;
  bool ending_ = false;
  bool finished_ = false;
  bool timed_out_ = false;
  bool host_reading_ = true;
  bool server_reading_ = true;
  int exit_code_ = 0;
};

}  // namespace calaboose::gateway
