// SPDX-License-Identifier: Apache-2.0
// The state machine behind ClientSession.
// Place: mcp/session, internal. client_open.cc opens the server, client_core.cc runs the open
// session.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "mcp/session/client_session.h"
#include "mcp/session/envelope.h"
#include "mcp/session/opening.h"
#include "mcp/session/table.h"

namespace calaboose::mcp {

class ClientSession::Impl {
 public:
  Impl(Handler& handler, Options options) : handler_(handler), options_(std::move(options)) {}

  void start(EraChoice choice, TimePoint now);
  void on_line(std::string_view line, TimePoint now);
  void on_closed(const Error& cause);
  void on_restarted(TimePoint now);
  TimePoint next_deadline() const;
  void on_time(TimePoint now);

  bool ready() const { return state_ == State::kReady; }

  const Negotiated& negotiated() const { return negotiated_; }

  const std::string& opening_result() const { return opening_result_; }

  std::uint64_t request(std::string_view method, std::string_view params, TimePoint now,
                        bool progress);
  void notify(std::string_view method, std::string_view params);
  void cancel(std::uint64_t handle, std::string_view reason);

  void set_initialize_params(std::string params) { initialize_params_ = std::move(params); }

  void set_identity(std::string client_info, std::string capabilities);

  void leave_initialized_to_caller(bool leave) { leave_initialized_ = leave; }

  std::uint64_t next_handle() const { return next_; }

  std::uint64_t open_request(std::string_view method, TimePoint now, bool progress,
                             std::uint64_t tag);

  void send(std::string_view line) { handler_.write(line); }

  void forget(std::uint64_t handle);
  void clear_deadline(std::uint64_t handle);
  const Request* find(std::uint64_t handle) const;

 private:
  enum class State : std::uint8_t { kIdle, kProbing, kInitializing, kRestarting, kReady, kFailed };

  struct Slot {
    Request request;
    TimePoint deadline;
    TimePoint limit;  // progress cannot move the deadline beyond this
    double last_progress = 0;
    bool live = false;
    bool wants_progress = false;
    bool has_progress = false;
  };

  // client_open.cc
  void send_probe(TimePoint now);
  void send_initialize(std::string_view revision, TimePoint now);
  std::string make_initialize_params(std::string_view revision);
  void on_opening_message(const Message& message, TimePoint now);
  bool answers_opening(json::Value id) const;
  void on_opening_answer(const Message& answer, TimePoint now);
  void follow(const Judgement& judgement, const Message& answer, TimePoint now);
  void open_with(const Message& answer, const Judgement& judgement);
  void take_opening_result(json::Value result, const std::string& revision);
  bool may_fall_back() const;
  void on_opening_timeout(TimePoint now);
  void fail(Error error);

  // client_core.cc
  void on_unreadable(std::string_view line, TimePoint now);
  void on_batch(json::Value root, TimePoint now);
  void on_value(json::Value root, TimePoint now);
  void on_broken_answer(std::string_view id, Error error, TimePoint now);
  void on_message(const Message& message, TimePoint now);
  void on_answer(const Message& message);
  void on_server_request(const Message& message);
  void on_notification(const Message& message, TimePoint now);
  void on_progress(const Message& message, TimePoint now);
  std::uint32_t slot_of(json::Value id) const;
  void take_out(std::uint32_t slot);
  void put_back(std::uint32_t slot);
  void remember_cancelled(std::uint64_t handle);
  bool was_cancelled(json::Value id) const;
  void expire(std::uint32_t slot);
  void write_cancelled(std::uint64_t handle, std::string_view reason);

  Handler& handler_;
  Options options_;
  State state_ = State::kIdle;

  // Opening.
  EraChoice choice_ = EraChoice::kPreferModern;
  bool probed_ = false;  // server/discover was sent at least once
  bool probed_twice_ = false;
  bool probe_seen_ = false;  // by the process that runs now
  bool restarted_ = false;
  bool initialized_twice_ = false;
  bool leave_initialized_ = false;
  std::uint32_t probe_serial_ = 0;
  std::uint64_t initialize_id_ = 0;
  TimePoint opening_deadline_ = TimePoint::max();
  std::string initialize_params_;
  std::string opening_result_;
  Negotiated negotiated_;

  // In flight.
  Slots<Slot> slots_;
  FlatIndex index_;
  std::uint64_t next_ = 1;
  TimePoint earliest_ = TimePoint::max();  // no request ends before this; may be too early
  std::array<std::uint64_t, 256> cancelled_{};
  std::size_t cancelled_at_ = 0;

  // Memory that is used again for each message.
  json::Tape tape_;
  json::Tape clean_tape_;
  std::string clean_text_;
  json::Tape send_tape_;
  std::string send_text_;
  std::string out_;
};

}  // namespace calaboose::mcp
