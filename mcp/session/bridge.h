// SPDX-License-Identifier: Apache-2.0
// Joins one host to one server: both eras on both sides, ids and tokens re-written, nothing
// attributed loosely. Place: mcp/session; the sans-I/O core of `calaboose run`. Pure: no clock, no
// descriptors; the owner feeds lines and the time in and carries lines out.
//
//   host ── on_host_line ──▶ face ▶ Port::from_host ▶ client ──▶ Port::to_server ── server
//   host ◀─ Port::to_host ── face ◀ Port::from_server ◀ client ◀── on_server_line ── server
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "mcp/wire/message.h"
#include "mcp/wire/revision.h"

namespace calaboose::mcp {

/// How to open the server.
enum class EraChoice : std::uint8_t {
  kPreferLegacy,  // initialize first; a refusal that names modern revisions leads to
                  // server/discover
  kPreferModern,  // server/discover first; fall back as protocol.md 1.3 says
  kOnlyLegacy,    // a server that was restarted after it died of the probe, or pinned
  kOnlyModern,
};

/// What the server said when it was opened; JSON texts are minified.
struct Negotiated {
  Era era = Era::kLegacy;
  std::string revision;
  std::string capabilities;  // object
  std::string server_info;   // object; "{}" when it said nothing
  std::string instructions;  // plain text
  bool has_instructions = false;
};

/// One request of the host on its way.
struct Exchange {
  std::uint64_t call = 0;  // serial number, unique in this process; ties audit records together
  std::string method;
  std::string name;       // tool or prompt name, or resource URI; else empty
  std::string host_id;    // the host's id as JSON text
  std::string server_id;  // our own id towards the server, as JSON text
};

enum class Side : std::uint8_t { kHost, kServer };

/// What went wrong on the wire without ending the session.
enum class Violation : std::uint8_t {
  kStrayLine,               // not JSON (a log line on stdout)
  kInvalidJson,             // starts like JSON and is refused by the strict parser
  kInvalidMessage,          // JSON but not JSON-RPC, or a batch where the revision has none
  kUnknownId,               // response to nothing: unknown, finished, of another type
  kLateResponse,            // response to a cancelled or timed-out request
  kUnexpectedRequest,       // the server asks for something that was not offered
  kUnexpectedNotification,  // progress for an unknown token, log not asked for, foreign
                            // subscription …
  kInvalidResult,           // a result that the revision forbids
  kReserved,                // calaboose/* key or -31001…-31003 from a server: removed
};
std::string_view violation_name(Violation violation);

/// What a hook decides about one message.
struct Decision {
  enum class Kind : std::uint8_t { kPass, kReplace, kRefuse };
  Kind kind = Kind::kPass;
  std::string text;     // kReplace: the whole message anew (same kind and id); kRefuse: see below
  int code = 0;         // kRefuse of a request: JSON-RPC error code
  std::string message;  //                       and message; `text` is `data` (JSON) or empty
  bool as_tool_result = false;  // kRefuse of tools/call: `text` is the whole result object
};

class Bridge {
 public:
  /// What the owner does and decides. Calls come from inside on_*() and start_server(); they must
  /// not call back into the Bridge. `line` has no newline and is only valid during the call.
  class Port {
   public:
    virtual ~Port() = default;
    virtual void to_host(std::string_view line) = 0;
    virtual void to_server(std::string_view line) = 0;
    /// The server died of the probe: start it anew; then call on_server_restarted().
    virtual void restart_server() = 0;
    /// The host has opened in this era (first request seen).
    virtual void on_host_opened(Era era) = 0;
    /// The server is open; calls flow.
    virtual void on_server_ready(const Negotiated& negotiated) = 0;
    /// The server cannot be used any more; everything in flight has been answered with this error.
    virtual void on_server_failed(const Error& error) = 0;
    virtual void on_violation(Side side, Violation violation, std::string_view detail) = 0;

    /// Host's request or notification, before it is forwarded (`exchange` is null for
    /// notifications).
    virtual Decision from_host(const Exchange* exchange, const Message& message) = 0;
    /// Server's result, error or notification, before it is translated and forwarded (`exchange`:
    /// the request that it answers or belongs to, or null). A kRefuse of a notification drops it.
    /// Also called, with the method in `exchange`, for the server's answers to our own opening
    /// (initialize, server/discover), whose texts reach the host; and for an error that answers
    /// initialize. With allow_client_capabilities also for a legacy server's requests (kRequest);
    /// then from_host() sees the host's answers to them.
    virtual Decision from_server(const Exchange* exchange, const Message& message) = 0;
    /// A request has ended. `outcome`: "answered", "error" (the server's), "refused" (by us),
    /// "cancelled" (by the host, or a subscription by the server), "timeout" or "failed".
    virtual void on_finished(const Exchange& exchange, std::string_view outcome,
                             TimePoint started) = 0;
  };

  struct Options {
    /// JSON object, used when the host names no client; set by the owner.
    std::string fallback_client_info;
    /// Per request; progress restarts it, up to ten times in all.
    Milliseconds request_timeout{60'000};
    /// initialize, and server/discover where no fall-back is possible.
    Milliseconds open_timeout{60'000};
    /// server/discover while a fall-back is possible.
    Milliseconds probe_timeout{10'000};
    json::Limits json_limits;  // per message
    /// Per host; more are answered with -32603.
    std::uint32_t max_in_flight = 1024;
    /// False: sampling, elicitation, roots, tasks are not declared to the server.
    bool allow_client_capabilities = false;
    /// From the server; twice as many at once. More are dropped, and reported once per flood.
    std::uint32_t max_notifications_per_second = 2000;
  };

  Bridge(Port& port, Options options);
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  /// Opens the server. Without this call the first message of the host opens it, preferring the
  /// host's era.
  void start_server(EraChoice choice, TimePoint now);
  /// What the first message of the host shall use in place of the preference (a remembered
  /// verdict).
  void set_era_hint(EraChoice choice);

  /// One line without its newline. A line that is no valid JSON but names the id of a request in
  /// flight ends that request at once, so the head of an over-long line is best given here too.
  void on_host_line(std::string_view line, TimePoint now);
  void on_server_line(std::string_view line, TimePoint now);
  /// The host closed its side: nothing more will come; requests in flight are cancelled at the
  /// server.
  void on_host_closed(TimePoint now);
  /// The server's stdout ended or its process exited. `cause` explains it to the host (exit status,
  /// last stderr lines). During an open probe this leads to restart_server(); else all in flight
  /// are answered with the cause.
  void on_server_closed(const Error& cause, TimePoint now);
  void on_server_restarted(TimePoint now);

  /// When on_time() must be called next; TimePoint::max() if never.
  TimePoint next_deadline() const;
  void on_time(TimePoint now);

  bool host_opened() const;
  bool server_ready() const;
  std::size_t in_flight() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace calaboose::mcp
