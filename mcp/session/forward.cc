// SPDX-License-Identifier: Apache-2.0
// A host's request on its way to the server.
// Place: mcp/session; Bridge.
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {

void Bridge::Impl::process(std::uint32_t slot, const Message& message) {
  Call& call = calls_[slot];
  if (failure_) {
    answer_failure(slot, *failure_, "failed");
    return;
  }
  if (!client_.ready()) {
    call.place = Place::kQueued;
    waiting_.push_back({slot, call.exchange.call, json::minified(message.root)});
    waiting_bytes_ += waiting_.back().line.size();
    return;
  }
  call.place = Place::kHere;
  if (call.method->method == Method::kInitialize) {
    answer_initialize(slot);
  } else if (call.method->method == Method::kDiscover) {
    answer_discover(slot);
  } else {
    forward(slot, message);
  }
}

bool Bridge::Impl::server_offers(std::string_view capability) const {
  return server_caps_.root().find(capability).is_object();
}

bool Bridge::Impl::server_offers(std::string_view capability, std::string_view flag) const {
  return server_caps_.root().at(capability, flag).boolean().value_or(false);
}

/// True if the request was answered because the server does not have the method. A legacy pair
/// settles that itself.
bool Bridge::Impl::gate(std::uint32_t slot) {
  const MethodInfo& info = *calls_[slot].method;
  if (!modern_host() && !modern_server()) {
    return false;
  }
  const bool crosses = modern_host() != modern_server();
  const bool is_task = info.name.starts_with("tasks/");
  if ((info.capability.empty() || server_offers(info.capability)) && !(is_task && crosses)) {
    return false;
  }
  answer_error(slot, code::kMethodNotFound, "Method not found: the server does not offer it", {},
               "refused");
  return true;
}

void Bridge::Impl::forward(std::uint32_t slot, const Message& message) {
  Call& call = calls_[slot];
  if (gate(slot)) {
    return;
  }
  if (modern_host() && !modern_server()) {
    match_log_level(call.log_level);
  }
  call.exchange.server_id = std::to_string(client_.next_handle());
  Message replaced;
  const Message* used = &message;
  if (!pass_hook(slot, message, replaced, used) || serve_here(slot, *used)) {
    return;
  }
  patch_.clear();
  patch_.replace(used->id, call.exchange.server_id);
  if (const std::string_view why = translate(call, *used, call.exchange.server_id); !why.empty()) {
    answer_error(slot, code::kInvalidParams, why, {}, "refused");
    return;
  }
  if (call.method->method == Method::kListen) {
    auto filter = parse_filter(used->params.find("notifications"));
    if (!filter || live_listens_ >= kMaxListens) {
      answer_error(slot, filter ? code::kInternalError : code::kInvalidParams,
                   filter ? "too many subscriptions are open"
                          : "params.notifications is missing or malformed",
                   {}, "refused");
      return;
    }
    call.listen = std::make_unique<Listen>();
    call.listen->asked = std::move(*filter);
    ++live_listens_;
  }
  out_.clear();
  patch_.write(used->root, out_);
  call.handle = client_.open_request(call.exchange.method, now_, !call.progress_token.empty(),
                                     tag(Owner::kCall, slot));
  call.place = Place::kServer;
  count_log_level(call, 1);
  client_.send(out_);
}

bool Bridge::Impl::pass_hook(std::uint32_t slot, const Message& message, Message& replaced,
                             const Message*& used) {
  Decision decision = port_.from_host(&calls_[slot].exchange, message);
  switch (decision.kind) {
    case Decision::Kind::kPass:
      used = &message;
      return true;
    case Decision::Kind::kRefuse:
      refuse(slot, decision);
      return false;
    case Decision::Kind::kReplace:
      if (!replace(decision, message, replaced)) {
        answer_error(slot, code::kInternalError, "the request could not be re-written", {},
                     "refused");
        return false;
      }
      used = &replaced;
      return true;
  }
  return false;
}

bool Bridge::Impl::replace(Decision& decision, const Message& original, Message& replaced) {
  replaced_text_ = std::move(decision.text);
  if (!replaced_tape_.parse(replaced_text_, options_.json_limits)) {
    return false;
  }
  replaced = classify(replaced_tape_.root());
  if (replaced.kind != original.kind || replaced.method != original.method ||
      replaced.id.exists() != original.id.exists()) {
    return false;
  }
  std::string scratch;
  const std::string key(original.id ? key_of(original.id, scratch) : std::string_view());
  const bool same_id = !original.id || key_of(replaced.id, scratch) == key;
  return same_id && (replaced.kind != MessageKind::kRequest || !replaced.params ||
                     replaced.params.is_object());
}

void Bridge::Impl::refuse(std::uint32_t slot, const Decision& decision) {
  const bool has_text =
      !decision.text.empty() && own_tape_.parse(decision.text, options_.json_limits);
  if (decision.as_tool_result && calls_[slot].method->method == Method::kToolsCall &&
      own_tape_.root().is_object() && has_text) {
    const json::Value result = own_tape_.root();
    patch_.clear();
    if (modern_host() && !result.find("resultType")) {
      patch_.append_member(result, "resultType", "\"complete\"");
    }
    std::string text;
    patch_.write(result, text);
    answer_result(slot, text, "refused");
    return;
  }
  const std::string data = has_text ? json::minified(own_tape_.root()) : std::string();
  answer_error(slot, decision.code == 0 ? code::kDenied : decision.code,
               decision.message.empty() ? "denied by policy" : std::string_view(decision.message),
               data, "refused");
}

std::string_view Bridge::Impl::translate(Call& call, const Message& message, std::string_view id) {
  const std::string_view token = call.progress_token.empty() ? std::string_view() : id;
  if (modern_host() && !modern_server()) {
    return to_legacy_request(patch_, message, token);
  }
  if (!modern_host() && modern_server()) {
    envelope_.log_level = host_log_level_;
    call.log_level = host_log_level_;
    add_envelope(patch_, message, envelope_, token);
    drop_task_augmentation(patch_, message);
    return {};
  }
  if (!token.empty()) {
    patch_.replace(message.params.at("_meta", meta::kProgressToken), std::string(token));
  }
  if (modern_host()) {
    filter_modern_capabilities(call, message);
  }
  return {};
}

void Bridge::Impl::filter_modern_capabilities(Call&, const Message& message) {
  const json::Value caps = message.params.at("_meta", meta::kClientCapabilities);
  if (caps.size() == 0 || options_.allow_client_capabilities) {
    return;
  }
  bool changed = false;
  std::string filtered = filter_capabilities(caps, false, changed);
  if (changed) {
    patch_.replace(caps, std::move(filtered));
  }
}

/// A legacy server has one level for all: the most talkative one that is wanted now.
void Bridge::Impl::match_log_level(int level) {
  if (level < 0 || !server_offers("logging")) {
    return;
  }
  int wanted = level;
  for (int i = 0; i < level; ++i) {
    if (log_counts_[static_cast<std::size_t>(i)] > 0) {
      wanted = i;
      break;
    }
  }
  if (wanted != server_log_level_) {
    server_log_level_ = wanted;
    send_own("logging/setLevel", "{\"level\":" + json::quoted(log_level_name(wanted)) + "}",
             tag(Owner::kNobody, 0));
  }
}

void Bridge::Impl::count_log_level(Call& call, int change) {
  if (call.log_level < 0 || call.log_counted == (change > 0)) {
    return;
  }
  call.log_counted = change > 0;
  std::uint32_t& count = log_counts_[static_cast<std::size_t>(call.log_level)];
  count = change > 0 ? count + 1 : count - 1;
}

bool Bridge::Impl::log_is_wanted(int level) const {
  for (int i = 0; i <= level; ++i) {
    if (log_counts_[static_cast<std::size_t>(i)] > 0) {
      return true;
    }
  }
  return false;
}

void Bridge::Impl::send_own(std::string_view method, std::string_view params, std::uint64_t tag) {
  const std::uint64_t handle = client_.open_request(method, now_, false, tag);
  std::string line;
  append_request(line, std::to_string(handle), method, params);
  if (modern_server() && own_tape_.parse(line, options_.json_limits)) {
    const Message message = classify(own_tape_.root());
    json::Patch patch;
    envelope_.log_level = -1;
    add_envelope(patch, message, envelope_, {});
    std::string full;
    patch.write(message.root, full);
    client_.send(full);
    return;
  }
  client_.send(line);
}

}  // namespace calaboose::mcp
