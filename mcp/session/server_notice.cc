// SPDX-License-Identifier: Apache-2.0
// The server's notifications on their way to the host: nothing passes that was not asked for
// (threats M31, M40). Place: mcp/session; Bridge. Spec: protocol.md sections 2.4, 6 and 7.
#include <algorithm>

#include "mcp/session/bridge_core.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {

/// Takes one from the budget; false in a flood, which is reported once.
bool Bridge::Impl::admit_notification() {
  const double rate = options_.max_notifications_per_second;
  const double most = rate * 2;
  if (budget_at_ == TimePoint{}) {
    budget_ = most;
  } else {
    budget_ =
        std::min(most, budget_ + rate * std::chrono::duration<double>(now_ - budget_at_).count());
  }
  budget_at_ = now_;
  if (budget_ >= 1) {
    budget_ -= 1;
    flooding_ = flooding_ && budget_ < rate;
    return true;
  }
  if (!flooding_) {
    flooding_ = true;
    on_violation(Violation::kUnexpectedNotification, "too many notifications: some are dropped");
  }
  return false;
}

void Bridge::Impl::on_notification(const ClientSession::Request* request, const Message& message) {
  if (host_closed_ || pin_ == Pin::kNone) {
    return;
  }
  const Notice notice = find_notice(message.method);
  if (notice == Notice::kAcknowledged) {
    on_acknowledged(message);
    return;
  }
  if (notice == Notice::kCancelled) {
    on_server_cancelled(message);
    return;
  }
  if (!admit_notification()) {
    return;
  }
  if (request != nullptr) {
    if (owner_of(request->tag) == Owner::kCall) {
      on_call_progress(slot_of(request->tag), message);
    }
    return;
  }
  switch (notice) {
    case Notice::kMessage:
      on_log(message);
      return;
    case Notice::kToolsChanged:
    case Notice::kPromptsChanged:
    case Notice::kResourcesChanged:
    case Notice::kResourceUpdated:
    case Notice::kTasks:
      on_change(notice, message);
      return;
    case Notice::kElicitationComplete:
    case Notice::kTaskStatus:
    case Notice::kUnknown:
      if (modern_host()) {
        unexpected(message);
      } else {
        pass_notification(message);
      }
      return;
    case Notice::kInitialized:
    case Notice::kCancelled:
    case Notice::kProgress:
    case Notice::kAcknowledged:
    case Notice::kRootsChanged:
      return;
  }
}

/// Asks the hook; null if the notification is dropped.
const Message* Bridge::Impl::filter_notification(const Exchange* exchange, const Message& message,
                                                 Message& replaced) {
  Decision decision = port_.from_server(exchange, message);
  switch (decision.kind) {
    case Decision::Kind::kPass:
      return &message;
    case Decision::Kind::kRefuse:
      return nullptr;
    case Decision::Kind::kReplace:
      return replace(decision, message, replaced) ? &replaced : nullptr;
  }
  return nullptr;
}

void Bridge::Impl::send_patched_to_host(const Message& message) {
  out_.clear();
  patch_.write(message.root, out_);
  answer(kNoSlot, out_);
}

void Bridge::Impl::pass_notification(const Message& message) {
  Message replaced;
  if (const Message* used = filter_notification(nullptr, message, replaced)) {
    patch_.clear();
    send_patched_to_host(*used);
  }
}

void Bridge::Impl::on_call_progress(std::uint32_t slot, const Message& message) {
  const Call& call = calls_[slot];
  Message replaced;
  if (const Message* used = filter_notification(&call.exchange, message, replaced)) {
    patch_.clear();
    patch_.replace(used->params.find(meta::kProgressToken), call.progress_token);
    send_patched_to_host(*used);
  }
}

void Bridge::Impl::on_log(const Message& message) {
  if (modern_host() || modern_server()) {
    const auto level = log_level(message.params.find("level"));
    if (!level || !log_is_wanted(*level) || message.params.at("_meta", meta::kSubscriptionId)) {
      unexpected(message);
      return;
    }
  }
  pass_notification(message);
}

const ClientSession::Request* Bridge::Impl::subscription_of(const Message& message) const {
  const json::Value id = message.params.at("_meta", meta::kSubscriptionId);
  const auto number = id.is_number() ? id.int64() : std::nullopt;
  return number && *number > 0 ? client_.find(static_cast<std::uint64_t>(*number)) : nullptr;
}

void Bridge::Impl::on_acknowledged(const Message& message) {
  const ClientSession::Request* request = subscription_of(message);
  if (request == nullptr) {
    unexpected(message);
    return;
  }
  const std::uint32_t slot = slot_of(request->tag);
  if (owner_of(request->tag) == Owner::kFeed) {
    on_feed_acknowledged(slot, message);
    return;
  }
  auto honoured = parse_filter(message.params.find("notifications"));
  const bool is_listen = owner_of(request->tag) == Owner::kCall && calls_[slot].listen != nullptr;
  if (!is_listen || calls_[slot].listen->acknowledged || !honoured) {
    unexpected(message);
    return;
  }
  Call& call = calls_[slot];
  const bool too_much = honoured->intersect(call.listen->asked);
  if (too_much) {
    on_violation(Violation::kUnexpectedNotification,
                 "the server acknowledges more than was asked for");
  }
  call.listen->honoured = std::move(*honoured);
  call.listen->acknowledged = true;
  client_.clear_deadline(call.handle);
  Message replaced;
  if (const Message* used = filter_notification(&call.exchange, message, replaced)) {
    patch_.clear();
    patch_.replace(used->params.at("_meta", meta::kSubscriptionId), call.exchange.host_id);
    if (too_much) {
      patch_.replace(used->params.find("notifications"), call.listen->honoured.text());
    }
    send_patched_to_host(*used);
  }
}

void Bridge::Impl::on_change(Notice notice, const Message& message) {
  if (modern_server()) {
    on_tagged_change(notice, message);
  } else if (modern_host()) {
    fan_out_change(notice, message);
  } else {
    pass_notification(message);
  }
}

void Bridge::Impl::on_tagged_change(Notice notice, const Message& message) {
  const ClientSession::Request* request = subscription_of(message);
  const std::string uri = message.params.find("uri").string_or("");
  const std::uint32_t slot = request == nullptr ? kNoSlot : slot_of(request->tag);
  Message replaced;
  if (request != nullptr && owner_of(request->tag) == Owner::kFeed) {
    const Feed& feed = feeds_[slot];
    if (feed.acknowledged && feed.honoured.wants(notice, uri)) {
      if (const Message* used = filter_notification(nullptr, message, replaced)) {
        const json::Value meta = used->params.find("_meta");
        const bool only_tag = meta.size() == 1;
        patch_.clear();
        patch_.remove(only_tag && used->params.size() == 1 ? used->params
                      : only_tag                           ? meta
                                                           : meta.find(meta::kSubscriptionId));
        send_patched_to_host(*used);
      }
      return;
    }
  } else if (request != nullptr && owner_of(request->tag) == Owner::kCall && calls_[slot].listen) {
    const Call& call = calls_[slot];
    if (call.listen->acknowledged && call.listen->honoured.wants(notice, uri)) {
      if (const Message* used = filter_notification(&call.exchange, message, replaced)) {
        patch_.clear();
        patch_.replace(used->params.at("_meta", meta::kSubscriptionId), call.exchange.host_id);
        send_patched_to_host(*used);
      }
      return;
    }
  }
  unexpected(message);
}

void Bridge::Impl::fan_out_change(Notice notice, const Message& message) {
  Message replaced;
  const Message* used = nullptr;
  const std::string uri = message.params.find("uri").string_or("");
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    const Call& call = calls_[slot];
    if (call.place == Place::kFree || !call.listen || !call.listen->acknowledged ||
        !call.listen->honoured.wants(notice, uri)) {
      continue;
    }
    if (used == nullptr) {
      used = filter_notification(nullptr, message, replaced);
      if (used == nullptr) {
        return;
      }
    }
    patch_.clear();
    const std::string member =
        "{" + json::quoted(meta::kSubscriptionId) + ":" + call.exchange.host_id + "}";
    const json::Value meta = used->params.find("_meta");
    if (!used->params) {
      patch_.append_member(used->root, "params", "{\"_meta\":" + member + "}");
    } else if (!meta.is_object()) {
      patch_.remove(meta);
      patch_.append_member(used->params, "_meta", member);
    } else if (const json::Value present = meta.find(meta::kSubscriptionId)) {
      patch_.replace(present, call.exchange.host_id);
    } else {
      patch_.append_member(meta, meta::kSubscriptionId, call.exchange.host_id);
    }
    send_patched_to_host(*used);
  }
}

}  // namespace calaboose::mcp
