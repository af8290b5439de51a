// SPDX-License-Identifier: Apache-2.0
// Requests of a legacy server at a legacy host, when the owner allows them; and the server's
// cancellations. Place: mcp/session; Bridge. Off by default (threats M29, M34).
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"

namespace calaboose::mcp {
namespace {

constexpr std::size_t kMaxServerCalls = 64;

bool is_offered(std::string_view capability, const Offered& offered) {
  if (capability == "sampling") {
    return offered.sampling;
  }
  if (capability == "elicitation") {
    return offered.elicitation_form || offered.elicitation_url;
  }
  if (capability == "roots") {
    return offered.roots;
  }
  return capability == "tasks" && offered.tasks;
}

}  // namespace

bool Bridge::Impl::on_request(const Message& message) {
  const std::string_view capability = client_capability_for(message.method);
  if (capability.empty() || pin_ != Pin::kLegacy || !host_initialized_ || host_closed_ ||
      !is_offered(capability, host_offered_)) {
    return false;
  }
  const std::string server_id(message.id.raw());
  std::size_t free = server_calls_.size();
  for (std::size_t i = 0; i < server_calls_.size(); ++i) {
    if (!server_calls_[i].live) {
      free = i;
    } else if (server_calls_[i].server_id == server_id) {
      on_violation(Violation::kInvalidMessage, "an id is used twice at the same time");
      return true;
    }
  }
  Message replaced;
  const Message* used =
      free < kMaxServerCalls ? filter_notification(nullptr, message, replaced) : nullptr;
  if (used == nullptr) {
    out_.clear();
    append_error(out_, server_id, code::kInternalError, "the client does not take this request");
    client_.send(out_);
    return true;
  }
  if (free == server_calls_.size()) {
    server_calls_.emplace_back();
  }
  server_calls_[free] = {server_id, ++server_call_number_, true};
  patch_.clear();
  patch_.replace(used->id, std::to_string(server_call_number_));
  send_patched_to_host(*used);
  return true;
}

void Bridge::Impl::on_host_answer(const Message& message) {
  const auto number = message.id.int64();
  for (ServerCall& call : server_calls_) {
    if (!call.live || !number || static_cast<std::uint64_t>(*number) != call.host_number) {
      continue;
    }
    Message replaced;
    const Message* used = &message;
    Decision decision = port_.from_host(nullptr, message);
    call.live = false;
    out_.clear();
    if (decision.kind == Decision::Kind::kRefuse ||
        (decision.kind == Decision::Kind::kReplace && !replace(decision, message, replaced))) {
      append_error(out_, call.server_id, code::kInternalError,
                   "the client does not answer this request");
    } else {
      if (decision.kind == Decision::Kind::kReplace) {
        used = &replaced;
      }
      patch_.clear();
      patch_.replace(used->id, call.server_id);
      patch_.write(used->root, out_);
    }
    client_.send(out_);
    return;
  }
  port_.on_violation(Side::kHost, Violation::kUnknownId, message.id.raw());
}

void Bridge::Impl::on_server_cancelled(const Message& message) {
  const json::Value id = message.params.find("requestId");
  if (!modern_server()) {
    for (ServerCall& call : server_calls_) {
      if (call.live && id.raw() == call.server_id) {
        call.live = false;
        patch_.clear();
        patch_.replace(id, std::to_string(call.host_number));
        send_patched_to_host(message);
        return;
      }
    }
    return;  // finished meanwhile, or never passed on
  }
  const auto number = id.is_number() ? id.int64() : std::nullopt;
  const ClientSession::Request* request =
      number && *number > 0 ? client_.find(static_cast<std::uint64_t>(*number)) : nullptr;
  const std::uint32_t slot = request == nullptr ? kNoSlot : slot_of(request->tag);
  if (request != nullptr && owner_of(request->tag) == Owner::kFeed) {
    client_.forget(feeds_[slot].handle);
    on_feed_ended(slot);
    return;
  }
  if (request == nullptr || owner_of(request->tag) != Owner::kCall || !calls_[slot].listen) {
    unexpected(message);
    return;
  }
  const Call& call = calls_[slot];
  Message replaced;
  const Message* used = filter_notification(&call.exchange, message, replaced);
  client_.forget(call.handle);
  if (used != nullptr) {
    patch_.clear();
    patch_.replace(used->params.find("requestId"), call.exchange.host_id);
    send_patched_to_host(*used);
  }
  finish(slot, "cancelled");
}

}  // namespace calaboose::mcp
