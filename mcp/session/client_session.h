// SPDX-License-Identifier: Apache-2.0
// The client half: opens a server in either era, sends requests, matches answers.
// Place: mcp/session; under Bridge, and used directly by the one-shot commands. Pure (time is an
// argument).
#pragma once

#include "mcp/session/bridge.h"

namespace calaboose::mcp {

class ClientSession {
 public:
  struct Request {
    std::uint64_t handle = 0;  // given by request(); also the number in "id" and in "progressToken"
    std::string method;
    TimePoint started;
    std::uint64_t tag = 0;  // the caller's own mark, given to open_request()
  };

  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void write(std::string_view line) = 0;
    virtual void restart() = 0;
    /// The answer to initialize or server/discover, before it is used; may replace it (see
    /// Bridge::Port::from_server).
    virtual Decision on_opening_answer(std::string_view method, const Message& message) = 0;
    virtual void on_ready(const Negotiated& negotiated) = 0;
    virtual void on_failed(const Error& error) = 0;
    /// kResult or kError for exactly this request.
    virtual void on_response(const Request& request, const Message& message) = 0;
    /// The request ended without an answer: timeout, server gone, answer unreadable.
    virtual void on_request_failed(const Request& request, const Error& error) = 0;
    /// `request` is the one it belongs to (by progress token), or null.
    virtual void on_notification(const Request* request, const Message& message) = 0;
    /// A legacy server asks for something. False: it was not offered, and -32601 is answered. True:
    /// the handler answers (with send()) under the server's own id.
    virtual bool on_request(const Message& message);
    virtual void on_violation(Violation violation, std::string_view detail) = 0;
  };

  struct Options {
    std::string client_info = "{}";              // JSON object
    std::string capabilities = "{}";             // JSON object: what is declared to the server
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
  const Negotiated& negotiated() const;  // requires ready()

  /// Sends a request; `params` is a JSON object text or empty. In a modern session the required
  /// `_meta` keys are added (and those of `params` kept). Requires ready(). `want_progress` adds a
  /// progress token of ours.
  std::uint64_t request(std::string_view method, std::string_view params, TimePoint now,
                        bool want_progress = false);
  void notify(std::string_view method, std::string_view params);
  /// Cancels a request on the wire; its answer is ignored from now on. No further callback for it.
  void cancel(std::uint64_t handle, std::string_view reason);

  // For a caller that writes lines of its own (Bridge: the host's message with another id).

  /// params of `initialize`, a JSON object, in place of those made from the options. Before
  /// start().
  void set_initialize_params(std::string params);
  /// client_info and capabilities of the options anew. Before start().
  void set_identity(std::string client_info, std::string capabilities);
  /// True: notifications/initialized is left to the caller. Before start().
  void leave_initialized_to_caller(bool leave);
  /// The result that opened the session, minified, as on_opening_answer() left it. Requires
  /// ready().
  const std::string& opening_result() const;
  /// The handle that the next request will get.
  std::uint64_t next_handle() const;
  /// Registers a request; the caller then send()s its line, with the handle as "id". With
  /// `progress` the line must hold the handle as "progressToken" too.
  std::uint64_t open_request(std::string_view method, TimePoint now, bool progress,
                             std::uint64_t tag);
  /// Writes a line as it is.
  void send(std::string_view line);
  /// As cancel(), but writes nothing.
  void forget(std::uint64_t handle);
  /// The request may stay open for ever (an acknowledged subscription).
  void clear_deadline(std::uint64_t handle);
  /// The request in flight with this handle, or null.
  const Request* find(std::uint64_t handle) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace calaboose::mcp
