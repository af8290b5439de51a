// SPDX-License-Identifier: Apache-2.0
// The open session: matching answers, progress, timeouts.
// Place: mcp/session.
#include "mcp/session/client_core.h"

#include <algorithm>

#include "base/json/write.h"
#include "mcp/session/answers.h"
#include "mcp/session/reserved.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/methods.h"
#include "mcp/wire/salvage.h"

namespace calaboose::mcp {
namespace {

constexpr std::uint32_t kMaxBatch = 1024;
constexpr int kMaxProgressFactor = 10;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool looks_like_json(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string_view::npos && (line[first] == '{' || line[first] == '[');
}

/// Our ids are positive integers without a sign or leading zeros.
std::uint64_t handle_of(std::string_view id) {
  if (id.empty() || id.size() > 19 ||
      !std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return 0;
  }
  std::uint64_t value = 0;
  for (const char c : id) {
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

}  // namespace

void ClientSession::Impl::on_line(std::string_view line, TimePoint now) {
  if (state_ == State::kIdle || state_ == State::kRestarting || state_ == State::kFailed ||
      is_blank(line)) {
    return;
  }
  if (!tape_.parse(line, options_.json_limits)) {
    on_unreadable(line, now);
    return;
  }
  const json::Value root = tape_.root();
  if (root.is_array()) {
    on_batch(root, now);
  } else {
    on_value(root, now);
  }
}

void ClientSession::Impl::on_unreadable(std::string_view line, TimePoint now) {
  if (!looks_like_json(line)) {
    handler_.on_violation(Violation::kStrayLine, line);
    return;
  }
  const json::ParseError& why = tape_.error();
  handler_.on_violation(Violation::kInvalidJson, why.what);
  if (const auto id = salvage_id(line)) {
    on_broken_answer(*id,
                     Error(why.is_limit ? Errc::kLimit : Errc::kPeer,
                           "the server's answer is not valid JSON: " + why.what),
                     now);
  }
}

void ClientSession::Impl::on_batch(json::Value root, TimePoint now) {
  const bool allowed = state_ == State::kReady && allows_batches(negotiated_.revision);
  if (!allowed || root.size() == 0 || root.size() > kMaxBatch) {
    handler_.on_violation(Violation::kInvalidMessage, !allowed
                                                          ? "a batch where the revision has none"
                                                          : "a batch that is empty or too long");
    return;
  }
  root.each_element([&](json::Value element) {
    if (state_ == State::kReady) {
      on_value(element, now);
    }
  });
}

void ClientSession::Impl::on_value(json::Value root, TimePoint now) {
  Message message = classify(root);
  if (message.kind == MessageKind::kInvalid) {
    handler_.on_violation(Violation::kInvalidMessage, message.why);
    if (message.id) {
      on_broken_answer(message.id.raw(),
                       Error(Errc::kPeer, "the server's answer is not valid: " + message.why), now);
    }
    return;
  }
  if (strip_reserved(root, clean_text_)) {
    handler_.on_violation(Violation::kReserved, message.method);
    clean_tape_.parse(clean_text_, options_.json_limits);
    message = classify(clean_tape_.root());
  }
  on_message(message, now);
}

void ClientSession::Impl::on_broken_answer(std::string_view id, Error error, TimePoint now) {
  if (state_ == State::kProbing || state_ == State::kInitializing) {
    const std::string text(id);
    if (send_tape_.parse(text) && answers_opening(send_tape_.root())) {
      on_opening_answer(Message(), now);
    }
    return;
  }
  const std::uint64_t handle = handle_of(id);
  const std::uint32_t slot = handle == 0 ? kNoSlot : index_.find(handle);
  if (slot != kNoSlot) {
    take_out(slot);
    handler_.on_request_failed(slots_[slot].request, error);
    put_back(slot);
  }
}

void ClientSession::Impl::on_message(const Message& message, TimePoint now) {
  if (state_ != State::kReady) {
    on_opening_message(message, now);
    return;
  }
  switch (message.kind) {
    case MessageKind::kResult:
    case MessageKind::kError:
      on_answer(message);
      return;
    case MessageKind::kRequest:
      on_server_request(message);
      return;
    case MessageKind::kNotification:
      on_notification(message, now);
      return;
    case MessageKind::kInvalid:
      return;
  }
}

std::uint32_t ClientSession::Impl::slot_of(json::Value id) const {
  const std::uint64_t handle = id.is_number() ? handle_of(id.raw()) : 0;
  return handle == 0 ? kNoSlot : index_.find(handle);
}

void ClientSession::Impl::on_answer(const Message& message) {
  const std::uint32_t slot = slot_of(message.id);
  if (slot == kNoSlot) {
    handler_.on_violation(
        was_cancelled(message.id) ? Violation::kLateResponse : Violation::kUnknownId,
        message.id.raw());
    return;
  }
  take_out(slot);
  handler_.on_response(slots_[slot].request, message);
  put_back(slot);
}

void ClientSession::Impl::on_server_request(const Message& message) {
  if (state_ == State::kReady && negotiated_.era == Era::kModern) {
    handler_.on_violation(Violation::kUnexpectedRequest, message.method);
    return;
  }
  if (message.method == "ping") {
    out_.clear();
    append_result(out_, message.id.raw(), "{}");
    handler_.write(out_);
    return;
  }
  if (handler_.on_request(message)) {
    return;
  }
  handler_.on_violation(Violation::kUnexpectedRequest, message.method);
  out_.clear();
  append_error(out_, message.id.raw(), code::kMethodNotFound, "Method not found");
  handler_.write(out_);
}

void ClientSession::Impl::on_notification(const Message& message, TimePoint now) {
  const Notice notice = find_notice(message.method);
  if (!server_may_notify(notice, negotiated_.era)) {
    handler_.on_violation(Violation::kUnexpectedNotification, message.method);
  } else if (notice == Notice::kProgress) {
    on_progress(message, now);
  } else {
    handler_.on_notification(nullptr, message);
  }
}

void ClientSession::Impl::on_progress(const Message& message, TimePoint now) {
  const std::uint32_t at = slot_of(message.params.find("progressToken"));
  const auto progress = message.params.find("progress").number();
  if (at == kNoSlot || !progress || !slots_[at].wants_progress ||
      (slots_[at].has_progress && *progress <= slots_[at].last_progress)) {
    handler_.on_violation(Violation::kUnexpectedNotification, message.method);
    return;
  }
  Slot& slot = slots_[at];
  slot.has_progress = true;
  slot.last_progress = *progress;
  if (slot.deadline != TimePoint::max()) {
    slot.deadline = std::min(slot.limit, now + options_.request_timeout);
  }
  handler_.on_notification(&slot.request, message);
}

std::uint64_t ClientSession::Impl::open_request(std::string_view method, TimePoint now,
                                                bool progress, std::uint64_t tag) {
  const std::uint32_t at = slots_.acquire();
  Slot& slot = slots_[at];
  slot.request.handle = next_++;
  slot.request.method = method;
  slot.request.started = now;
  slot.request.tag = tag;
  slot.deadline = now + options_.request_timeout;
  slot.limit = now + options_.request_timeout * kMaxProgressFactor;
  slot.live = true;
  slot.wants_progress = progress;
  slot.has_progress = false;
  earliest_ = std::min(earliest_, slot.deadline);
  index_.insert(slot.request.handle, at);
  return slot.request.handle;
}

std::uint64_t ClientSession::Impl::request(std::string_view method, std::string_view params,
                                           TimePoint now, bool progress) {
  const std::uint64_t handle = open_request(method, now, progress, 0);
  const std::string id = std::to_string(handle);
  out_.clear();
  append_request(out_, id, method, params);
  const bool modern = negotiated_.era == Era::kModern;
  if ((modern || progress) && send_tape_.parse(out_, options_.json_limits)) {
    json::Patch patch;
    const Message message = classify(send_tape_.root());
    const std::string_view token = progress ? std::string_view(id) : std::string_view();
    if (modern) {
      add_envelope(patch, message,
                   {negotiated_.revision, options_.client_info, options_.capabilities, -1}, token);
    } else {
      add_progress_token(patch, message, token);
    }
    send_text_.clear();
    patch.write(message.root, send_text_);
    handler_.write(send_text_);
  } else {
    handler_.write(out_);
  }
  return handle;
}

void ClientSession::Impl::notify(std::string_view method, std::string_view params) {
  out_.clear();
  append_notification(out_, method, params);
  handler_.write(out_);
}

void ClientSession::Impl::write_cancelled(std::uint64_t handle, std::string_view reason) {
  std::string params;
  json::ObjectWriter writer(params);
  writer.raw("requestId", std::to_string(handle));
  if (!reason.empty()) {
    writer.string("reason", reason);
  }
  writer.close();
  notify("notifications/cancelled", params);
}

void ClientSession::Impl::cancel(std::uint64_t handle, std::string_view reason) {
  if (index_.find(handle) != kNoSlot) {
    forget(handle);
    write_cancelled(handle, reason);
  }
}

void ClientSession::Impl::forget(std::uint64_t handle) {
  const std::uint32_t slot = index_.find(handle);
  if (slot != kNoSlot) {
    take_out(slot);
    put_back(slot);
    remember_cancelled(handle);
  }
}

void ClientSession::Impl::clear_deadline(std::uint64_t handle) {
  const std::uint32_t slot = index_.find(handle);
  if (slot != kNoSlot) {
    slots_[slot].deadline = TimePoint::max();
  }
}

const ClientSession::Request* ClientSession::Impl::find(std::uint64_t handle) const {
  const std::uint32_t slot = index_.find(handle);
  return slot == kNoSlot ? nullptr : &slots_[slot].request;
}

// A request leaves the index before its callback, and its slot after it: the callback may open new
// ones.
void ClientSession::Impl::take_out(std::uint32_t slot) {
  slots_[slot].live = false;
  index_.erase(slots_[slot].request.handle, slot);
}

void ClientSession::Impl::put_back(std::uint32_t slot) {
  slots_.release(slot);
  if (slots_.live() == 0) {
    earliest_ = TimePoint::max();
  }
}

void ClientSession::Impl::remember_cancelled(std::uint64_t handle) {
  cancelled_[cancelled_at_] = handle;
  cancelled_at_ = (cancelled_at_ + 1) % cancelled_.size();
}

bool ClientSession::Impl::was_cancelled(json::Value id) const {
  if (id.is_string()) {
    return probed_ && id.raw().starts_with("\"calaboose-probe-");
  }
  const std::uint64_t handle = id.is_number() ? handle_of(id.raw()) : 0;
  return handle != 0 && std::find(cancelled_.begin(), cancelled_.end(), handle) != cancelled_.end();
}

TimePoint ClientSession::Impl::next_deadline() const {
  return std::min(opening_deadline_, earliest_);
}

void ClientSession::Impl::expire(std::uint32_t slot) {
  const std::uint64_t handle = slots_[slot].request.handle;
  take_out(slot);
  remember_cancelled(handle);
  write_cancelled(handle, "timeout");
  handler_.on_request_failed(
      slots_[slot].request,
      Error(Errc::kDeadline, "the server did not answer within " +
                                 std::to_string(options_.request_timeout.count()) + " ms")
          .with_hint("raise the timeout of this server, or see its log"));
  put_back(slot);
}

void ClientSession::Impl::on_time(TimePoint now) {
  if (now >= opening_deadline_) {
    opening_deadline_ = TimePoint::max();
    on_opening_timeout(now);
  }
  if (now < earliest_) {
    return;
  }
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].live && now >= slots_[slot].deadline) {
      expire(slot);
    }
  }
  earliest_ = TimePoint::max();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].live) {
      earliest_ = std::min(earliest_, slots_[slot].deadline);
    }
  }
}

}  // namespace calaboose::mcp
