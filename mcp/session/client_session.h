// SPDX-License-Identifier: Apache-2.0
// The client half: opens a server in either era, sends requests, matches answers.
// Place: mcp/session; under Bridge, and used directly by the one-shot commands. Pure (time is an argument).
#pragma once

#include "mcp/session/bridge.h"

namespace calaboose::mcp {

class ClientSession {
 public:
  struct Request {
    std::uint64_t handle = 0;     // given by request()
    std::string method;
    TimePoint started;
  };

  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void write(std::string_view line) = 0;
    virtual void restart() = 0;
    /// The answer to initialize or server/discover, before it is used; may replace it (see Bridge::Port::from_server).
    virtual Decision on_opening_answer(std::string_view method, const Message& message) = 0;
    virtual void on_ready(const Negotiated& negotiated) = 0;
    virtual void on_failed(const Error& error) = 0;
    /// kResult or kError for exactly this request.
    virtual void on_response(const Request& request, const Message& message) = 0;
    /// The request ended without an answer: timeout, server gone, answer unreadable.
    virtual void on_request_failed(const Request& request, const Error& error) = 0;
    /// `request` is the one it belongs to (by progress token), or null.
    virtual void on_notification(const Request* request, const Message& message) = 0;
    virtual void on_violation(Violation violation, std::string_view detail) = 0;
  };

  struct Options {
    std::string client_info = "{}";       // JSON object
    std::string capabilities = "{}";      // JSON object: what is declared to the server
    std::string legacy_revision = "2025-11-25";  // offered in initialize
    Milliseconds request_timeout{60'000};
    Milliseconds open_timeout{60'000};
    Milliseconds probe_timeout{10'000};
    json::Limits json_limits;
  };

  ClientSession(Handler& handler, Options options);
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  void start(EraChoice choice, TimePoint now);
  void on_line(std::string_view line, TimePoint now);
  void on_closed(const Error& cause, TimePoint now);
  void on_restarted(TimePoint now);
  TimePoint next_deadline() const;
  void on_time(TimePoint now);

  bool ready() const;
  const Negotiated& negotiated() const;   // requires ready()

  /// Sends a request; `params` is a JSON object text or empty. In a modern session the required `_meta` keys are added
  /// (and those of `params` kept). Requires ready(). `want_progress` adds a progress token of ours.
  std::uint64_t request(std::string_view method, std::string_view params, TimePoint now, bool want_progress = false);
  void notify(std::string_view method, std::string_view params);
  /// Cancels a request on the wire; its answer is ignored from now on. No further callback for it.
  void cancel(std::uint64_t handle, std::string_view reason);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace calaboose::mcp
