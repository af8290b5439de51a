// SPDX-License-Identifier: Apache-2.0
// Our own one-shot commands as a host: `tools`, `call`, `read` … go through the same bridge, policy
// and audit as any host's requests. Place: runner/gateway; used by runner/cli.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "mcp/session/client_session.h"
#include "runner/gateway/run.h"

namespace calaboose::gateway {

class LocalHost final : public Host, private mcp::ClientSession::Handler {
 public:
  /// The answer to one request, re-emitted by the bridge.
  struct Answer {
    bool is_error = false;  // JSON-RPC error
    std::string json;       // the result or the error object, minified
  };

  using OnAnswer = std::function<void(Result<Answer>)>;

  struct Events {
    /// The server is open: send requests from here on.
    std::function<void()> on_ready;
    /// Log messages and progress, for stderr.
    std::function<void(const mcp::Message&)> on_notification;
  };

  LocalHost(EventLoop& loop, Run& run, std::string client_info, Milliseconds timeout,
            Events events);
  ~LocalHost() override;
  LocalHost(const LocalHost&) = delete;
  LocalHost& operator=(const LocalHost&) = delete;

  void request(std::string_view method, std::string_view params, OnAnswer on_answer);
  /// Nothing more will be asked: ends the run.
  void done();

  int exit_code() const { return exit_code_; }

  // Host
  void line(std::string_view text) override;

  void flush() override {}

  std::size_t pending() const override { return 0; }

  void set_reading(bool) override {}

  void on_server_ready(const mcp::Negotiated& negotiated) override;
  void on_finished(int exit_code) override;

 private:
  // ClientSession::Handler
  void write(std::string_view line) override;

  void restart() override {}

  mcp::Decision on_opening_answer(std::string_view, const mcp::Message&) override { return {}; }

  void on_ready(const mcp::Negotiated&) override { events_.on_ready(); }

  void on_failed(const Error& error) override;
  void on_response(const mcp::ClientSession::Request& request,
                   const mcp::Message& message) override;
  void on_request_failed(const mcp::ClientSession::Request& request, const Error& error) override;
  void on_notification(const mcp::ClientSession::Request*, const mcp::Message& message) override;

  void on_violation(mcp::Violation, std::string_view) override {}

  void pump();
  void schedule();
  OnAnswer take(std::uint64_t handle);

  EventLoop& loop_;
  Run& run_;
  std::string client_info_;
  Milliseconds timeout_;
  Events events_;
  std::unique_ptr<mcp::ClientSession> session_;
  std::unique_ptr<EventLoop::Timer> timer_;
  std::deque<std::string> to_run_;    // lines on their way to the bridge
  std::deque<std::string> from_run_;  // and back
  std::deque<std::pair<std::uint64_t, OnAnswer>> waiting_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  bool scheduled_ = false;
  bool done_ = false;
  int exit_code_ = 1;
};

}  // namespace calaboose::gateway
