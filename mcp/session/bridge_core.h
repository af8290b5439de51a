// SPDX-License-Identifier: Apache-2.0
// The state behind Bridge: the host's face, calls in flight, subscriptions.
// Place: mcp/session, internal. bridge.cc: life cycle; face.cc: what the host says; open_host.cc:
// initialize and discover; forward.cc: requests to the server; server_side.cc: its answers;
// server_notice.cc: its notifications; server_request.cc: its requests; local.cc: what is answered
// here; listen.cc: subscriptions across eras.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/write.h"
#include "mcp/session/bridge.h"
#include "mcp/session/capabilities.h"
#include "mcp/session/client_session.h"
#include "mcp/session/envelope.h"
#include "mcp/session/listen.h"
#include "mcp/session/table.h"
#include "mcp/session/translate.h"
#include "mcp/wire/methods.h"

namespace calaboose::mcp {

class Bridge::Impl final : public ClientSession::Handler {
 public:
  Impl(Port& port, Options options);

  void start_server(EraChoice choice, TimePoint now);

  void set_era_hint(EraChoice choice) { hint_ = choice; }

  void on_host_line(std::string_view line, TimePoint now);
  void on_server_line(std::string_view line, TimePoint now);
  void on_host_closed(TimePoint now);
  void on_server_closed(const Error& cause, TimePoint now);
  void on_server_restarted(TimePoint now);

  TimePoint next_deadline() const { return client_.next_deadline(); }

  void on_time(TimePoint now);

  bool host_opened() const { return host_opened_; }

  bool server_ready() const { return client_.ready(); }

  std::size_t in_flight() const { return calls_.live(); }

 private:
  enum class Pin : std::uint8_t { kNone, kLegacy, kModern };
  enum class Place : std::uint8_t { kFree, kQueued, kServer, kHere };

  /// One request of the host.
  struct Call {
    Exchange exchange;
    std::string id_key;          // the id without the freedom of escapes
    std::string progress_token;  // the host's, JSON text; empty: none
    std::string cursor;          // of a paged request
    bool has_cursor = false;
    bool log_counted = false;
    std::string uri;  // resources/subscribe across eras
    const MethodInfo* method = nullptr;
    TimePoint started;
    std::uint64_t handle = 0;  // at the server
    int log_level = -1;
    std::uint32_t batch = kNoSlot;
    Place place = Place::kFree;
    Offered offered;
    std::unique_ptr<Listen> listen;
  };

  /// Answers to a host's batch, collected.
  struct Batch {
    std::uint32_t waiting = 0;
    std::string text;
    std::vector<std::string>
        ids;  // of its requests: in flight for the host until the whole is answered
  };

  /// A request that waits for the server to be open.
  struct Waiting {
    std::uint32_t call = kNoSlot;
    std::uint64_t serial = 0;
    std::string line;
  };

  /// A request of a legacy server at the host.
  struct ServerCall {
    std::string server_id;
    std::uint64_t host_number = 0;
    bool live = false;
  };

  /// What an answer from the server belongs to: upper half of a request's tag.
  enum class Owner : std::uint8_t { kCall, kNobody, kWatch, kFeed };

  static std::uint64_t tag(Owner owner, std::uint32_t slot) {
    return (static_cast<std::uint64_t>(owner) << 32U) | slot;
  }

  static Owner owner_of(std::uint64_t tag) { return static_cast<Owner>(tag >> 32U); }

  static std::uint32_t slot_of(std::uint64_t tag) { return static_cast<std::uint32_t>(tag); }

  // ClientSession::Handler.
  void write(std::string_view line) override { port_.to_server(line); }

  void restart() override { port_.restart_server(); }

  Decision on_opening_answer(std::string_view method, const Message& message) override;
  void on_ready(const Negotiated& negotiated) override;
  void on_failed(const Error& error) override;
  void on_response(const ClientSession::Request& request, const Message& message) override;
  void on_request_failed(const ClientSession::Request& request, const Error& error) override;
  void on_notification(const ClientSession::Request* request, const Message& message) override;
  bool on_request(const Message& message) override;
  void on_violation(Violation violation, std::string_view detail) override;

  // bridge.cc
  void flush_waiting();
  void answer(std::uint32_t batch, std::string_view line);
  void answer_error(std::uint32_t slot, std::int64_t code, std::string_view message,
                    std::string_view data, std::string_view outcome);
  void answer_failure(std::uint32_t slot, const Error& error, std::string_view outcome);
  void answer_result(std::uint32_t slot, std::string_view result, std::string_view outcome);
  void reject(json::Value id, std::uint32_t batch, std::int64_t code, std::string_view message,
              std::string_view data = {});
  void finish(std::uint32_t slot, std::string_view outcome);
  void leave_batch(std::uint32_t batch);
  std::uint32_t find_call(json::Value id);
  bool is_taken(json::Value id);
  static std::string_view key_of(json::Value id, std::string& scratch);

  bool modern_host() const { return pin_ == Pin::kModern; }

  bool modern_server() const { return client_.ready() && client_.negotiated().era == Era::kModern; }

  // face.cc
  void on_host_batch(json::Value root);
  void on_host_value(json::Value root, std::uint32_t batch);
  void on_host_request(const Message& message, std::uint32_t batch);
  void on_modern_request(const Message& message, std::uint32_t batch);
  void on_legacy_request(const Message& message, std::uint32_t batch);
  void on_host_notification(const Message& message);
  void on_host_cancelled(const Message& message);
  void on_host_answer(const Message& message);
  bool modern_meta_is_valid(const Message& message, std::uint32_t batch);
  std::uint32_t begin_call(const Message& message, const MethodInfo& info, std::uint32_t batch);
  bool read_subject(const Message& message, const MethodInfo& info, std::string& subject) const;
  void take_modern_meta(Call& call, const Message& message) const;

  // open_host.cc
  void on_initialize(const Message& message, std::uint32_t batch);
  void open_host(Era era);
  void open_server(EraChoice choice);
  bool take_initialize_params(const Message& message);
  void answer_initialize(std::uint32_t slot);
  void answer_discover(std::uint32_t slot);
  std::string initialize_result_from_discover();
  std::string discover_result_from_initialize();
  std::string discover_result_from_discover();

  // forward.cc
  void process(std::uint32_t slot, const Message& message);
  void forward(std::uint32_t slot, const Message& message);
  bool gate(std::uint32_t slot);
  bool pass_hook(std::uint32_t slot, const Message& message, Message& replaced,
                 const Message*& used);
  bool replace(Decision& decision, const Message& original, Message& replaced);
  void refuse(std::uint32_t slot, const Decision& decision);
  std::string_view translate(Call& call, const Message& message, std::string_view id);
  void filter_modern_capabilities(Call& call, const Message& message);
  void match_log_level(int level);
  void count_log_level(Call& call, int change);
  bool log_is_wanted(int level) const;
  void send_own(std::string_view method, std::string_view params, std::uint64_t tag);
  bool server_offers(std::string_view capability) const;
  bool server_offers(std::string_view capability, std::string_view flag) const;

  // local.cc
  bool serve_here(std::uint32_t slot, const Message& message);
  void set_level(std::uint32_t slot, const Message& message);
  void subscribe_for_legacy(std::uint32_t slot);
  void unsubscribe_for_legacy(std::uint32_t slot);

  // server_side.cc
  void on_call_answer(std::uint32_t slot, const Message& message);
  bool check_result(std::uint32_t slot, const Message& message, ResultFault& fault);
  void answer_fault(std::uint32_t slot, const ResultFault& fault);
  void translate_answer(const Call& call, const Message& message, bool is_complete);

  // server_notice.cc
  void on_call_progress(std::uint32_t slot, const Message& message);
  void on_log(const Message& message);
  void on_server_cancelled(const Message& message);
  void on_acknowledged(const Message& message);
  void on_change(Notice notice, const Message& message);
  void on_tagged_change(Notice notice, const Message& message);
  void fan_out_change(Notice notice, const Message& message);
  const Message* filter_notification(const Exchange* exchange, const Message& message,
                                     Message& replaced);
  void pass_notification(const Message& message);
  void send_patched_to_host(const Message& message);
  const ClientSession::Request* subscription_of(const Message& message) const;
  bool admit_notification();

  void unexpected(const Message& message) {
    on_violation(Violation::kUnexpectedNotification, message.method);
  }

  // listen.cc
  void listen_for_modern(std::uint32_t slot, const Message& message);
  void watch(const std::string& uri);
  void on_watch_answer(std::uint32_t serial, bool accepted);
  void unwatch(const std::string& uri);
  void acknowledge_if_settled(std::uint32_t slot);
  void end_listen(std::uint32_t slot);
  void start_list_feed();
  std::uint32_t start_feed(Filter asked, std::uint32_t waiting_call);
  void on_feed_acknowledged(std::uint32_t feed, const Message& message);
  void on_feed_ended(std::uint32_t feed);
  std::uint32_t find_feed(std::string_view uri) const;

  Port& port_;
  Options options_;
  ClientSession client_;
  TimePoint now_{};

  // Host.
  Pin pin_ = Pin::kNone;
  bool host_opened_ = false;
  bool host_closed_ = false;
  bool host_initialized_ = false;
  bool host_opens_server_ = false;  // the server was opened with the host's own initialize
  std::optional<EraChoice> hint_;
  std::string host_revision_;   // legacy: what the two agreed on
  std::string host_requested_;  // legacy: what its initialize asked for
  int host_log_level_ = -1;     // legacy host, modern server
  Offered host_offered_;        // legacy: what initialize declared, filtered

  // Server.
  bool server_started_ = false;
  std::optional<Error> failure_;
  std::string opening_error_;  // the server's own error answer to initialize, as the hook left it
  json::Tape server_caps_;
  Envelope envelope_;
  int server_log_level_ = -1;  // modern host, legacy server
  std::array<std::uint32_t, 8> log_counts_{};
  OutputWrapper wrapper_;

  // Calls.
  Slots<Call> calls_;
  FlatIndex call_index_;
  Slots<Batch> batches_;
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t serial_ = 0;
  std::vector<ServerCall> server_calls_;
  std::uint64_t server_call_number_ = 0;

  // Subscriptions across eras.
  std::map<std::string, Watch, std::less<>> watches_;
  std::uint32_t watch_serial_ = 0;
  Slots<Feed> feeds_;
  std::uint32_t live_listens_ = 0;

  // Notification budget.
  double budget_ = 0;
  TimePoint budget_at_{};
  bool flooding_ = false;

  // Memory that is used again for each message.
  json::Tape host_tape_;
  json::Tape waiting_tape_;
  json::Tape replaced_tape_;
  json::Tape own_tape_;
  std::string replaced_text_;
  std::string scratch_;
  std::string out_;
  json::Patch patch_;
};

}  // namespace calaboose::mcp
