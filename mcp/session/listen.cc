// SPDX-License-Identifier: Apache-2.0
// Subscriptions across eras: a modern host's listen served from a legacy server's notifications,
// and a legacy host's notifications from listens of our own at a modern server. Place: mcp/session;
// Bridge. Spec: protocol.md section 6.
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {

// Modern host, legacy server.

void Bridge::Impl::listen_for_modern(std::uint32_t slot, const Message& message) {
  auto asked = parse_filter(message.params.find("notifications"));
  if (!asked) {
    answer_error(slot, code::kInvalidParams, "params.notifications is missing or malformed", {},
                 "refused");
    return;
  }
  if (live_listens_ >= kMaxListens) {
    answer_error(slot, code::kInternalError, "too many subscriptions are open", {}, "refused");
    return;
  }
  ++live_listens_;
  Call& call = calls_[slot];
  call.listen = std::make_unique<Listen>();
  Listen& listen = *call.listen;
  listen.here = true;
  listen.asked = std::move(*asked);
  listen.asked.tools = listen.asked.tools && server_offers("tools", "listChanged");
  listen.asked.prompts = listen.asked.prompts && server_offers("prompts", "listChanged");
  listen.asked.resources = listen.asked.resources && server_offers("resources", "listChanged");
  listen.asked.tasks = false;
  if (!server_offers("resources", "subscribe")) {
    listen.asked.uris.clear();
  }
  for (const std::string& uri : listen.asked.uris) {
    watch(uri);
  }
  acknowledge_if_settled(slot);
}

void Bridge::Impl::watch(const std::string& uri) {
  Watch& entry = watches_[uri];
  ++entry.users;
  if (entry.users > 1) {
    return;
  }
  entry.serial = ++watch_serial_;
  entry.settled = false;
  entry.active = false;
  send_own("resources/subscribe", "{\"uri\":" + json::quoted(uri) + "}",
           tag(Owner::kWatch, entry.serial));
}

void Bridge::Impl::unwatch(const std::string& uri) {
  const auto found = watches_.find(uri);
  if (found == watches_.end() || --found->second.users > 0) {
    return;
  }
  const bool tell = found->second.active || !found->second.settled;
  watches_.erase(found);
  if (tell && client_.ready()) {
    send_own("resources/unsubscribe", "{\"uri\":" + json::quoted(uri) + "}",
             tag(Owner::kNobody, 0));
  }
}

void Bridge::Impl::on_watch_answer(std::uint32_t serial, bool accepted) {
  for (auto& [uri, entry] : watches_) {
    if (entry.serial == serial) {
      entry.settled = true;
      entry.active = accepted;
    }
  }
  if (!client_.ready()) {
    return;
  }
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    if (calls_[slot].place != Place::kFree && calls_[slot].listen && calls_[slot].listen->here) {
      acknowledge_if_settled(slot);
    }
  }
}

/// The acknowledgement names what is honoured, so it waits for the server's word on each URI.
void Bridge::Impl::acknowledge_if_settled(std::uint32_t slot) {
  const Call& call = calls_[slot];
  Listen& listen = *call.listen;
  if (listen.acknowledged) {
    return;
  }
  Filter honoured = listen.asked;
  honoured.uris.clear();
  for (const std::string& uri : listen.asked.uris) {
    const auto found = watches_.find(uri);
    if (found != watches_.end() && !found->second.settled) {
      return;
    }
    if (found != watches_.end() && found->second.active) {
      honoured.uris.push_back(uri);
    }
  }
  listen.honoured = std::move(honoured);
  listen.acknowledged = true;
  std::string params = "{\"_meta\":{" + json::quoted(meta::kSubscriptionId) + ":" +
                       call.exchange.host_id + "},\"notifications\":" + listen.honoured.text() +
                       "}";
  out_.clear();
  append_notification(out_, "notifications/subscriptions/acknowledged", params);
  answer(kNoSlot, out_);
}

void Bridge::Impl::end_listen(std::uint32_t slot) {
  const std::unique_ptr<Listen> listen = std::move(calls_[slot].listen);
  --live_listens_;
  if (listen->here) {
    for (const std::string& uri : listen->asked.uris) {
      unwatch(uri);
    }
  }
}

// Legacy host, modern server.

void Bridge::Impl::start_list_feed() {
  Filter asked;
  asked.tools = server_offers("tools", "listChanged");
  asked.prompts = server_offers("prompts", "listChanged");
  asked.resources = server_offers("resources", "listChanged");
  if (!asked.empty()) {
    start_feed(std::move(asked), kNoSlot);
  }
}

std::uint32_t Bridge::Impl::start_feed(Filter asked, std::uint32_t waiting_call) {
  const std::uint32_t slot = feeds_.acquire();
  Feed& feed = feeds_[slot];
  feed.asked = std::move(asked);
  feed.honoured = Filter();
  feed.handle = client_.next_handle();
  feed.waiting_call = waiting_call;
  feed.live = true;
  feed.acknowledged = false;
  send_own("subscriptions/listen", "{\"notifications\":" + feed.asked.text() + "}",
           tag(Owner::kFeed, slot));
  return slot;
}

void Bridge::Impl::on_feed_acknowledged(std::uint32_t slot, const Message& message) {
  Feed& feed = feeds_[slot];
  auto honoured = parse_filter(message.params.find("notifications"));
  if (feed.acknowledged || !honoured) {
    unexpected(message);
    return;
  }
  if (honoured->intersect(feed.asked)) {
    on_violation(Violation::kUnexpectedNotification,
                 "the server acknowledges more than was asked for");
  }
  feed.honoured = std::move(*honoured);
  feed.acknowledged = true;
  client_.clear_deadline(feed.handle);
  const std::uint32_t call = feed.waiting_call;
  feed.waiting_call = kNoSlot;
  if (call == kNoSlot) {
    return;
  }
  if (feed.honoured.uris.empty()) {
    client_.cancel(feed.handle, "not honoured");
    on_feed_ended(slot);
    answer_error(call, code::kInvalidParams, "the server does not honour this subscription", {},
                 "error");
    return;
  }
  answer_result(call, "{}", "answered");
}

void Bridge::Impl::on_feed_ended(std::uint32_t slot) {
  Feed& feed = feeds_[slot];
  const std::uint32_t call = feed.waiting_call;
  feed.waiting_call = kNoSlot;
  feed.live = false;
  feeds_.release(slot);
  if (call != kNoSlot) {
    answer_error(call, code::kInternalError, "the server did not accept this subscription", {},
                 "error");
  }
}

std::uint32_t Bridge::Impl::find_feed(std::string_view uri) const {
  for (std::uint32_t slot = 0; slot < feeds_.size(); ++slot) {
    if (feeds_[slot].live && feeds_[slot].asked.has_uri(uri)) {
      return slot;
    }
  }
  return kNoSlot;
}

}  // namespace calaboose::mcp
