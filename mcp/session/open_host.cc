// SPDX-License-Identifier: Apache-2.0
// How a host opens: initialize and server/discover, and their answers in either era.
// Place: mcp/session; Bridge. Spec: protocol.md sections 1.3 to 1.5 and 13.
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {
namespace {

constexpr std::string_view kEventsExtension = "io.modelcontextprotocol/events";
constexpr std::string_view kNamelessServer = R"({"name":"server","version":"0"})";

std::string only_newest_modern() {
  return "[" + json::quoted(kNewestModernRevision) + "]";
}

void put(json::Patch& patch, json::Value object, std::string_view name, std::string text) {
  if (const json::Value present = object.find(name)) {
    patch.replace(present, std::move(text));
  } else {
    patch.append_member(object, name, std::move(text));
  }
}

bool object_or_missing(json::Value value) {
  return !value || value.is_object();
}

}  // namespace

void Bridge::Impl::on_initialize(const Message& message, std::uint32_t batch) {
  const json::Value version = message.params.find("protocolVersion");
  if (pin_ == Pin::kModern) {
    reject(message.id, batch, code::kUnsupportedVersion, "this session speaks 2026-07-28",
           version_data(version.string_or("")));
    return;
  }
  if (pin_ == Pin::kLegacy || batch != kNoSlot) {
    reject(message.id, batch, code::kInvalidRequest,
           "this session was opened with initialize already");
    return;
  }
  if (!version.is_string() || !object_or_missing(message.params.find("capabilities")) ||
      !object_or_missing(message.params.find("clientInfo"))) {
    reject(message.id, batch, code::kInvalidParams,
           "initialize needs protocolVersion, capabilities and clientInfo");
    return;
  }
  const std::uint32_t slot = begin_call(message, info_of(Method::kInitialize), batch);
  if (slot == kNoSlot) {
    return;
  }
  Message replaced;
  const Message* used = &message;
  if (!pass_hook(slot, message, replaced, used)) {
    return;
  }
  pin_ = Pin::kLegacy;
  host_opens_server_ = !server_started_;
  if (!take_initialize_params(*used)) {
    pin_ = Pin::kNone;
    answer_error(slot, code::kInternalError, "the replacement for initialize is not one", {},
                 "refused");
    return;
  }
  open_host(Era::kLegacy);
  process(slot, message);
}

bool Bridge::Impl::take_initialize_params(const Message& message) {
  const auto version = message.params.find("protocolVersion").string();
  const json::Value caps = message.params.find("capabilities");
  const json::Value info = message.params.find("clientInfo");
  if (!version || !object_or_missing(caps) || !object_or_missing(info)) {
    return false;
  }
  host_requested_ = *version;
  if (info) {
    envelope_.client_info = json::minified(info);
  }
  patch_.clear();
  if (is_modern_revision(*version)) {
    // initialize never speaks of the modern era.
    patch_.replace(message.params.find("protocolVersion"), json::quoted(kNewestLegacyRevision));
  }
  if (caps) {
    bool changed = false;
    std::string filtered = filter_capabilities(caps, options_.allow_client_capabilities, changed);
    if (changed) {
      patch_.replace(caps, std::move(filtered));
    }
    if (options_.allow_client_capabilities && host_opens_server_) {
      host_offered_ = read_offered(caps);
      host_offered_.tasks = caps.find("tasks").is_object();
    }
  }
  if (host_opens_server_) {
    std::string params;
    patch_.write(message.params, params);
    client_.set_initialize_params(std::move(params));
    client_.set_identity(envelope_.client_info, "{}");
    client_.leave_initialized_to_caller(true);
  }
  return true;
}

void Bridge::Impl::open_host(Era era) {
  if (!host_opened_) {
    host_opened_ = true;
    port_.on_host_opened(era);
  }
  if (!server_started_) {
    open_server(
        hint_.value_or(era == Era::kModern ? EraChoice::kPreferModern : EraChoice::kPreferLegacy));
  }
}

void Bridge::Impl::open_server(EraChoice choice) {
  server_started_ = true;
  client_.start(choice, now_);
}

Decision Bridge::Impl::on_opening_answer(std::string_view method, const Message& message) {
  Exchange exchange;
  exchange.method = method;
  exchange.server_id = message.id.raw();
  for (std::uint32_t slot = 0; slot < calls_.size(); ++slot) {
    const Call& call = calls_[slot];
    if (call.place != Place::kFree && call.exchange.method == method) {
      exchange.call = call.exchange.call;
      exchange.host_id = call.exchange.host_id;
    }
  }
  if (exchange.call == 0) {
    exchange.call = ++serial_;
  }
  Decision decision = port_.from_server(&exchange, message);
  if (message.kind == MessageKind::kError) {
    Message replaced;
    if (decision.kind == Decision::Kind::kPass) {
      opening_error_ = json::minified(message.error);
    } else if (decision.kind == Decision::Kind::kReplace && replace(decision, message, replaced)) {
      opening_error_ = json::minified(replaced.error);
    }
  }
  return decision;
}

void Bridge::Impl::answer_initialize(std::uint32_t slot) {
  if (modern_server()) {
    host_revision_ =
        known_revision(host_requested_) == Era::kLegacy ? host_requested_ : kNewestLegacyRevision;
    answer_result(slot, initialize_result_from_discover(), "answered");
    return;
  }
  host_revision_ = client_.negotiated().revision;
  answer_result(slot, client_.opening_result(), "answered");
}

std::string Bridge::Impl::initialize_result_from_discover() {
  own_tape_.parse(client_.opening_result(), options_.json_limits);
  const json::Value result = own_tape_.root();
  patch_.clear();
  to_legacy_result(patch_, result, info_of(Method::kDiscover));
  patch_.remove(result.find("supportedVersions"));
  patch_.remove(result.at("capabilities", "extensions"));
  put(patch_, result, "protocolVersion", json::quoted(host_revision_));
  const json::Value info = result.at("_meta", meta::kServerInfo);
  const bool named = info.find("name").is_string() && info.find("version").is_string();
  put(patch_, result, "serverInfo", named ? json::minified(info) : std::string(kNamelessServer));
  std::string out;
  patch_.write(result, out);
  return out;
}

void Bridge::Impl::answer_discover(std::uint32_t slot) {
  answer_result(
      slot, modern_server() ? discover_result_from_discover() : discover_result_from_initialize(),
      "answered");
}

// The same answer is given to each server/discover, so it carries no leave to keep it.
std::string Bridge::Impl::discover_result_from_discover() {
  own_tape_.parse(client_.opening_result(), options_.json_limits);
  const json::Value result = own_tape_.root();
  patch_.clear();
  to_modern_result(patch_, result, info_of(Method::kDiscover));
  put(patch_, result, "supportedVersions", only_newest_modern());
  const json::Value extensions = result.at("capabilities", "extensions");
  patch_.remove(extensions.find(kEventsExtension));
  if (!options_.allow_client_capabilities) {
    patch_.remove(extensions.find(meta::kTasksExtension));
  }
  std::string out;
  patch_.write(result, out);
  return out;
}

std::string Bridge::Impl::discover_result_from_initialize() {
  own_tape_.parse(client_.opening_result(), options_.json_limits);
  const json::Value result = own_tape_.root();
  patch_.clear();
  to_modern_result(patch_, result, info_of(Method::kDiscover));
  put(patch_, result, "supportedVersions", only_newest_modern());
  patch_.remove(result.find("protocolVersion"));
  const json::Value caps = result.find("capabilities");
  if (caps) {
    patch_.remove(caps.find("tasks"));
  } else {
    patch_.append_member(result, "capabilities", "{}");
  }
  const json::Value info = result.find("serverInfo");
  if (info) {
    patch_.remove(info);
    const json::Value meta = result.find("_meta");
    if (meta.is_object()) {
      put(patch_, meta, meta::kServerInfo, json::minified(info));
    } else {
      put(patch_, result, "_meta",
          "{" + json::quoted(meta::kServerInfo) + ":" + json::minified(info) + "}");
    }
  }
  std::string out;
  patch_.write(result, out);
  return out;
}

}  // namespace calaboose::mcp
