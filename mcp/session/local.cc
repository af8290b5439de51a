// SPDX-License-Identifier: Apache-2.0
// Requests that one era has and the other serves in another way; answered here.
// Place: mcp/session; Bridge. Spec: protocol.md section 13 (2).
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"

namespace calaboose::mcp {

bool Bridge::Impl::serve_here(std::uint32_t slot, const Message& message) {
  if (modern_host() == modern_server()) {
    return false;
  }
  switch (calls_[slot].method->method) {
    case Method::kListen:
      listen_for_modern(slot, message);
      return true;
    case Method::kSetLevel:
      set_level(slot, message);
      return true;
    case Method::kResourcesSubscribe:
      subscribe_for_legacy(slot);
      return true;
    case Method::kResourcesUnsubscribe:
      unsubscribe_for_legacy(slot);
      return true;
    case Method::kInitialize:
    case Method::kDiscover:
    case Method::kPing:
    case Method::kToolsList:
    case Method::kToolsCall:
    case Method::kResourcesList:
    case Method::kTemplatesList:
    case Method::kResourcesRead:
    case Method::kPromptsList:
    case Method::kPromptsGet:
    case Method::kComplete:
    case Method::kTasksGet:
    case Method::kTasksResult:
    case Method::kTasksList:
    case Method::kTasksCancel:
    case Method::kTasksUpdate:
      return false;
  }
  return false;
}

void Bridge::Impl::set_level(std::uint32_t slot, const Message& message) {
  const auto level = log_level(message.params.find("level"));
  if (!level) {
    answer_error(slot, code::kInvalidParams, "unknown log level", {}, "refused");
    return;
  }
  host_log_level_ = *level;
  answer_result(slot, "{}", "answered");
}

void Bridge::Impl::subscribe_for_legacy(std::uint32_t slot) {
  Call& call = calls_[slot];
  if (!server_offers("resources", "subscribe")) {
    answer_error(slot, code::kMethodNotFound, "Method not found: the server does not offer it", {},
                 "refused");
    return;
  }
  call.uri = call.exchange.name;
  if (find_feed(call.uri) != kNoSlot) {
    call.uri.clear();
    answer_result(slot, "{}", "answered");
    return;
  }
  if (feeds_.live() >= kMaxListens) {
    answer_error(slot, code::kInternalError, "too many subscriptions are open", {}, "refused");
    return;
  }
  Filter asked;
  asked.uris.push_back(call.uri);
  start_feed(std::move(asked), slot);
}

void Bridge::Impl::unsubscribe_for_legacy(std::uint32_t slot) {
  const std::uint32_t feed = find_feed(calls_[slot].exchange.name);
  if (feed != kNoSlot) {
    client_.cancel(feeds_[feed].handle, "unsubscribed");
    on_feed_ended(feed);
  }
  answer_result(slot, "{}", "answered");
}

}  // namespace calaboose::mcp
