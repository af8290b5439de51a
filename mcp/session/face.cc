// SPDX-License-Identifier: Apache-2.0
// What the host says: eras told apart, requests checked and taken in.
// Place: mcp/session; Bridge. Spec: protocol.md sections 1.5 and 2.1.
#include "base/text.h"
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"
#include "mcp/wire/salvage.h"

namespace calaboose::mcp {
namespace {

constexpr std::uint32_t kMaxBatch = 256;
constexpr std::size_t kMaxWaitingBytes = 32U << 20U;

}  // namespace

void Bridge::Impl::on_host_line(std::string_view line, TimePoint now) {
  now_ = now;
  if (host_closed_ || line.find_first_not_of(" \t\r") == std::string_view::npos) {
    return;
  }
  if (!host_tape_.parse(line, options_.json_limits)) {
    port_.on_violation(Side::kHost, Violation::kInvalidJson, host_tape_.error().what);
    // A host that can be told which request was broken need not wait for its own timeout.
    std::string id(salvage_id(line).value_or(""));
    if (!id.empty() && own_tape_.parse(id) && is_taken(own_tape_.root())) {
      id.clear();
    }
    out_.clear();
    append_error(out_, id, code::kParseError, "parse error: " + host_tape_.error().what);
    answer(kNoSlot, out_);
    return;
  }
  if (host_tape_.root().is_array()) {
    on_host_batch(host_tape_.root());
  } else {
    on_host_value(host_tape_.root(), kNoSlot);
  }
}

void Bridge::Impl::on_host_batch(json::Value root) {
  const bool allowed = pin_ == Pin::kLegacy && allows_batches(host_revision_);
  if (!allowed || root.size() == 0 || root.size() > kMaxBatch) {
    const std::string_view why = !allowed ? "batches are not part of this protocol revision"
                                          : "a batch must hold 1 to 256 messages";
    port_.on_violation(Side::kHost, Violation::kInvalidMessage, why);
    reject({}, kNoSlot, code::kInvalidRequest, why);
    return;
  }
  const std::uint32_t batch = batches_.acquire();
  batches_[batch].waiting = 1;  // this function itself
  root.each_element([&](json::Value element) { on_host_value(element, batch); });
  leave_batch(batch);
}

void Bridge::Impl::on_host_value(json::Value root, std::uint32_t batch) {
  const Message message = classify(root);
  switch (message.kind) {
    case MessageKind::kInvalid:
      port_.on_violation(Side::kHost, Violation::kInvalidMessage, message.why);
      if (!root.find("result") && !root.find("error")) {
        const bool named = message.id && !is_taken(message.id);
        reject(named ? message.id : json::Value(), batch, code::kInvalidRequest,
               "invalid request: " + message.why);
        if (named && batch != kNoSlot) {
          batches_[batch].ids.emplace_back(key_of(message.id, scratch_));
        }
      }
      return;
    case MessageKind::kRequest:
      on_host_request(message, batch);
      return;
    case MessageKind::kNotification:
      on_host_notification(message);
      return;
    case MessageKind::kResult:
    case MessageKind::kError:
      on_host_answer(message);
      return;
  }
}

void Bridge::Impl::on_host_request(const Message& message, std::uint32_t batch) {
  if (is_taken(message.id)) {
    // Under that id an answer would be taken for the one of the request in flight.
    port_.on_violation(Side::kHost, Violation::kInvalidMessage,
                       "an id is used twice at the same time");
    reject({}, batch, code::kInvalidRequest, "this id is in flight already");
    return;
  }
  if (batch != kNoSlot) {
    batches_[batch].ids.emplace_back(key_of(message.id, scratch_));
  }
  if (message.params && !message.params.is_object()) {
    reject(message.id, batch, code::kInvalidParams, "params must be an object");
    return;
  }
  const json::Value claim = message.params.at("_meta", meta::kProtocolVersion);
  if (!claim) {
    on_legacy_request(message, batch);
    return;
  }
  if (!claim.is_string()) {
    reject(message.id, batch, code::kInvalidParams,
           "_meta: " + std::string(meta::kProtocolVersion) + " must be a string");
    return;
  }
  const bool claims_modern = is_modern_revision(*claim.string());
  if (pin_ == Pin::kLegacy) {
    if (claims_modern) {
      reject(message.id, batch, code::kInvalidRequest, "this session was opened with initialize");
    } else {
      on_legacy_request(message, batch);
    }
    return;
  }
  if (message.method == "initialize" && !claims_modern && pin_ == Pin::kNone) {
    on_legacy_request(message, batch);
    return;
  }
  on_modern_request(message, batch);
}

bool Bridge::Impl::modern_meta_is_valid(const Message& message, std::uint32_t batch) {
  const json::Value meta = message.params.find("_meta");
  const std::string version = meta.find(meta::kProtocolVersion).string_or("");
  if (version != kNewestModernRevision) {
    reject(message.id, batch, code::kUnsupportedVersion, "unsupported protocol version",
           version_data(version));
    return false;
  }
  const json::Value caps = meta.find(meta::kClientCapabilities);
  const json::Value info = meta.find(meta::kClientInfo);
  const json::Value level = meta.find(meta::kLogLevel);
  std::string_view bad;
  if (!caps.is_object()) {
    bad = meta::kClientCapabilities;
  } else if (info && !info.is_object()) {
    bad = meta::kClientInfo;
  } else if (level && !log_level(level)) {
    bad = meta::kLogLevel;
  } else {
    return true;
  }
  reject(message.id, batch, code::kInvalidParams,
         "_meta: " + std::string(bad) + " is missing or malformed");
  return false;
}

void Bridge::Impl::on_modern_request(const Message& message, std::uint32_t batch) {
  if (!modern_meta_is_valid(message, batch)) {
    return;
  }
  const MethodInfo* info = find_method(message.method);
  const bool is_task = info != nullptr && message.method.starts_with("tasks/");
  if (info == nullptr || !info->modern || (is_task && !options_.allow_client_capabilities)) {
    reject(message.id, batch, code::kMethodNotFound, "Method not found");
    return;
  }
  if (info->method != Method::kDiscover) {
    pin_ = Pin::kModern;
  }
  if (!server_started_) {
    const json::Value client_info = message.params.at("_meta", meta::kClientInfo);
    if (client_info) {
      client_.set_identity(json::minified(client_info), "{}");
    }
  }
  const std::uint32_t slot = begin_call(message, *info, batch);
  if (slot == kNoSlot) {
    return;
  }
  open_host(Era::kModern);
  process(slot, message);
}

void Bridge::Impl::on_legacy_request(const Message& message, std::uint32_t batch) {
  if (message.method == "initialize") {
    on_initialize(message, batch);
    return;
  }
  if (pin_ != Pin::kLegacy && !(pin_ == Pin::kNone && message.method == "ping")) {
    reject(message.id, batch, code::kInvalidParams,
           pin_ == Pin::kNone
               ? "neither initialize nor _meta: " + std::string(meta::kProtocolVersion)
               : "_meta: " + std::string(meta::kProtocolVersion) + " is missing");
    return;
  }
  if (message.method == "ping") {
    out_.clear();
    append_result(out_, message.id.raw(), "{}");
    answer(batch, out_);
    return;
  }
  const MethodInfo* info = find_method(message.method);
  if (info == nullptr || !info->legacy) {
    reject(message.id, batch, code::kMethodNotFound, "Method not found");
    return;
  }
  const std::uint32_t slot = begin_call(message, *info, batch);
  if (slot != kNoSlot) {
    process(slot, message);
  }
}

bool Bridge::Impl::read_subject(const Message& message, const MethodInfo& info,
                                std::string& subject) const {
  subject.clear();
  if (!info.subject.empty()) {
    auto text = message.params.find(info.subject).string();
    if (!text) {
      return false;
    }
    subject = std::move(*text);
  } else if (info.method == Method::kComplete) {
    const json::Value ref = message.params.find("ref");
    subject = ref.find("name") ? ref.find("name").string_or("") : ref.find("uri").string_or("");
  }
  return true;
}

void Bridge::Impl::take_modern_meta(Call& call, const Message& message) const {
  const json::Value meta = message.params.find("_meta");
  call.log_level = log_level(meta.find(meta::kLogLevel)).value_or(-1);
  call.offered = Offered();
  if (options_.allow_client_capabilities) {
    call.offered = read_offered(meta.find(meta::kClientCapabilities));
  }
}

std::uint32_t Bridge::Impl::begin_call(const Message& message, const MethodInfo& info,
                                       std::uint32_t batch) {
  const json::Value token = message.params.at("_meta", meta::kProgressToken);
  const bool bad_token = token && !token.is_string() && !token.int64();
  std::string subject;
  if (bad_token || !read_subject(message, info, subject)) {
    reject(message.id, batch, code::kInvalidParams,
           bad_token ? "_meta: progressToken must be a string or an integer"
                     : "params." + std::string(info.subject) + " must be a string");
    return kNoSlot;
  }
  if (calls_.live() >= options_.max_in_flight ||
      waiting_bytes_ + message.root.raw().size() > kMaxWaitingBytes) {
    reject(message.id, batch, code::kInternalError, "too many requests are in flight");
    return kNoSlot;
  }
  const std::uint32_t slot = calls_.acquire();
  Call& call = calls_[slot];
  call.exchange.call = ++serial_;
  call.exchange.method = message.method;
  call.exchange.name = std::move(subject);
  call.exchange.host_id = message.id.raw();
  call.exchange.server_id.clear();
  call.id_key = key_of(message.id, scratch_);
  call.progress_token = token.raw();
  const auto cursor = info.paged ? message.params.find("cursor").string() : std::nullopt;
  call.has_cursor = cursor.has_value();
  call.cursor = cursor.value_or("");
  call.uri.clear();
  call.method = &info;
  call.started = now_;
  call.handle = 0;
  call.log_level = -1;
  call.batch = batch;
  call.place = Place::kHere;
  call.offered = Offered();
  if (info.in(Era::kModern) && message.params.at("_meta", meta::kProtocolVersion)) {
    take_modern_meta(call, message);
  }
  call_index_.insert(hash_text(call.id_key), slot);
  if (batch != kNoSlot) {
    ++batches_[batch].waiting;
  }
  return slot;
}

void Bridge::Impl::on_host_notification(const Message& message) {
  if (message.method == "notifications/cancelled") {
    on_host_cancelled(message);
    return;
  }
  const Era era = modern_host() ? Era::kModern : Era::kLegacy;
  const Notice notice = find_notice(message.method);
  if (pin_ == Pin::kNone || !client_may_notify(notice, era)) {
    port_.on_violation(Side::kHost, Violation::kUnexpectedNotification, message.method);
    return;
  }
  if (!client_.ready()) {
    return;
  }
  if (notice == Notice::kInitialized) {
    if (host_initialized_) {
      return;
    }
    host_initialized_ = true;
    if (modern_server()) {
      start_list_feed();
      return;
    }
    if (!host_opens_server_) {
      return;
    }
  } else if (modern_server() || (notice == Notice::kRootsChanged && !host_offered_.roots) ||
             (notice == Notice::kProgress && server_calls_.empty())) {
    return;  // only about things that were not offered
  }
  Message replaced;
  const Message* used = &message;
  Decision decision = port_.from_host(nullptr, message);
  if (decision.kind == Decision::Kind::kReplace) {
    if (!replace(decision, message, replaced)) {
      return;
    }
    used = &replaced;
  }
  if (decision.kind != Decision::Kind::kRefuse) {
    out_.clear();
    json::append_minified(out_, used->root);
    client_.send(out_);
  } else if (notice == Notice::kInitialized) {
    client_.notify("notifications/initialized", {});
  }
}

void Bridge::Impl::on_host_cancelled(const Message& message) {
  const json::Value id = message.params.find("requestId");
  const std::uint32_t slot = id.is_string() || id.is_number() ? find_call(id) : kNoSlot;
  if (slot == kNoSlot || calls_[slot].method->method == Method::kInitialize) {
    return;  // finished meanwhile, or may not be cancelled
  }
  if (calls_[slot].place != Place::kServer) {
    if (const std::uint32_t feed = find_feed(calls_[slot].uri);
        feed != kNoSlot && feeds_[feed].waiting_call == slot) {
      client_.cancel(feeds_[feed].handle, "cancelled by the host");
      feeds_[feed].live = false;
      feeds_.release(feed);
    }
    finish(slot, "cancelled");
    return;
  }
  Message replaced;
  const Message* used = &message;
  Decision decision = port_.from_host(nullptr, message);
  if (decision.kind == Decision::Kind::kRefuse) {
    return;
  }
  if (decision.kind == Decision::Kind::kReplace) {
    if (!replace(decision, message, replaced) ||
        find_call(replaced.params.find("requestId")) != slot) {
      return;
    }
    used = &replaced;
  }
  const std::uint64_t handle = calls_[slot].handle;
  patch_.clear();
  patch_.replace(used->params.find("requestId"), std::to_string(handle));
  out_.clear();
  patch_.write(used->root, out_);
  client_.forget(handle);
  client_.send(out_);
  finish(slot, "cancelled");
}

}  // namespace calaboose::mcp
