// SPDX-License-Identifier: Apache-2.0
// Opening a server: probe, fall-back, restart after death on the probe, legacy handshake.
// Place: mcp/session; the decisions are in opening.cc.
#include "base/json/write.h"
#include "mcp/session/answers.h"
#include "mcp/session/client_core.h"
#include "mcp/wire/meta.h"
#include "mcp/wire/methods.h"

namespace calaboose::mcp {
namespace {

// A text, so that it can never be taken for one of the numbers that a legacy session uses.
std::string probe_id(std::uint32_t serial) {
  return "calaboose-probe-" + std::to_string(serial);
}

Error too_late(std::string_view what, Milliseconds span) {
  return Error(Errc::kDeadline, "the server did not answer " + std::string(what) + " within " +
                                    std::to_string(span.count()) + " ms")
      .with_hint("raise the timeout of this server, or see its log");
}

}  // namespace

void ClientSession::Impl::set_identity(std::string client_info, std::string capabilities) {
  options_.client_info = std::move(client_info);
  options_.capabilities = std::move(capabilities);
}

void ClientSession::Impl::start(EraChoice choice, TimePoint now) {
  if (state_ != State::kIdle) {
    return;
  }
  choice_ = choice;
  if (choice == EraChoice::kPreferModern || choice == EraChoice::kOnlyModern) {
    send_probe(now);
  } else {
    send_initialize({}, now);
  }
}

bool ClientSession::Impl::may_fall_back() const {
  return choice_ == EraChoice::kPreferModern;
}

void ClientSession::Impl::send_probe(TimePoint now) {
  state_ = State::kProbing;
  probed_twice_ = probed_;
  probed_ = true;
  probe_seen_ = true;
  opening_deadline_ = now + (may_fall_back() ? options_.probe_timeout : options_.open_timeout);
  std::string params = R"({"_meta":{)" + json::quoted(meta::kProtocolVersion) + ':' +
                       json::quoted(kNewestModernRevision) + ',' +
                       json::quoted(meta::kClientCapabilities) + ':' + options_.capabilities + ',' +
                       json::quoted(meta::kClientInfo) + ':' + options_.client_info + "}}";
  out_.clear();
  append_request(out_, json::quoted(probe_id(++probe_serial_)), "server/discover", params);
  handler_.write(out_);
}

std::string ClientSession::Impl::make_initialize_params(std::string_view revision) {
  if (initialize_params_.empty()) {
    std::string params;
    json::ObjectWriter writer(params);
    writer.string("protocolVersion", revision.empty() ? options_.legacy_revision : revision)
        .raw("capabilities", options_.capabilities)
        .raw("clientInfo", options_.client_info);
    writer.close();
    return params;
  }
  if (revision.empty() || !send_tape_.parse(initialize_params_, options_.json_limits)) {
    return initialize_params_;
  }
  json::Patch patch;
  patch.replace(send_tape_.root().find("protocolVersion"), json::quoted(revision));
  std::string params;
  patch.write(send_tape_.root(), params);
  return params;
}

void ClientSession::Impl::send_initialize(std::string_view revision, TimePoint now) {
  initialized_twice_ = initialize_id_ != 0 && !revision.empty();
  state_ = State::kInitializing;
  initialize_id_ = next_++;
  opening_deadline_ = now + options_.open_timeout;
  const std::string params = make_initialize_params(revision);
  out_.clear();
  append_request(out_, std::to_string(initialize_id_), "initialize", params);
  handler_.write(out_);
}

bool ClientSession::Impl::answers_opening(json::Value id) const {
  if (state_ == State::kProbing) {
    return id.string_equals(probe_id(probe_serial_));
  }
  const auto number = id.int64();
  return number && static_cast<std::uint64_t>(*number) == initialize_id_;
}

void ClientSession::Impl::on_opening_message(const Message& message, TimePoint now) {
  const bool is_answer =
      message.kind == MessageKind::kResult || message.kind == MessageKind::kError;
  if (is_answer && message.id && answers_opening(message.id)) {
    on_opening_answer(message, now);
    return;
  }
  if (is_answer) {
    handler_.on_violation(
        was_cancelled(message.id) ? Violation::kLateResponse : Violation::kUnknownId, {});
    return;
  }
  if (state_ == State::kProbing) {
    // Nothing may be written back while the era is unknown.
    handler_.on_violation(message.kind == MessageKind::kRequest
                              ? Violation::kUnexpectedRequest
                              : Violation::kUnexpectedNotification,
                          message.method);
    return;
  }
  if (message.kind == MessageKind::kRequest) {
    on_server_request(message);
  } else if (find_notice(message.method) == Notice::kMessage) {
    handler_.on_notification(nullptr, message);
  } else {
    handler_.on_violation(Violation::kUnexpectedNotification, message.method);
  }
}

void ClientSession::Impl::on_opening_answer(const Message& answer, TimePoint now) {
  if (state_ == State::kProbing) {
    follow(judge_probe(answer, {may_fall_back(), probed_twice_}), answer, now);
    return;
  }
  const bool may_probe = choice_ == EraChoice::kPreferLegacy && !probed_;
  follow(judge_initialize(answer, {may_probe, initialized_twice_}), answer, now);
}

void ClientSession::Impl::follow(const Judgement& judgement, const Message& answer, TimePoint now) {
  switch (judgement.next) {
    case Judgement::Next::kOpen:
      open_with(answer, judgement);
      return;
    case Judgement::Next::kProbe:
      send_probe(now);
      return;
    case Judgement::Next::kInitialize:
      send_initialize(judgement.revision, now);
      return;
    case Judgement::Next::kFail:
      if (state_ == State::kInitializing && answer.kind == MessageKind::kError) {
        // The host may get the server's own words; what becomes of them is the handler's business.
        static_cast<void>(handler_.on_opening_answer("initialize", answer));
      }
      fail(*judgement.error);
      return;
  }
}

void ClientSession::Impl::open_with(const Message& answer, const Judgement& judgement) {
  const bool modern = state_ == State::kProbing;
  if (judgement.lenient) {
    handler_.on_violation(Violation::kInvalidResult,
                          "a required member of the opening answer is missing");
  }
  Decision decision = handler_.on_opening_answer(modern ? "server/discover" : "initialize", answer);
  json::Value result = answer.result;
  if (decision.kind == Decision::Kind::kRefuse) {
    fail(Error(Errc::kDenied, decision.message.empty() ? "the server was refused when it opened"
                                                       : decision.message));
    return;
  }
  if (decision.kind == Decision::Kind::kReplace) {
    clean_text_ = std::move(decision.text);
    const Message anew = clean_tape_.parse(clean_text_, options_.json_limits)
                             ? classify(clean_tape_.root())
                             : Message();
    const Judgement again =
        modern ? judge_probe(anew, {false, true}) : judge_initialize(anew, {false, true});
    if (anew.kind != MessageKind::kResult || again.next != Judgement::Next::kOpen ||
        again.revision != judgement.revision) {
      fail(Error(Errc::kInternal, "the replacement for the server's opening answer is not one"));
      return;
    }
    result = anew.result;
  }
  negotiated_.era = modern ? Era::kModern : Era::kLegacy;
  take_opening_result(result, judgement.revision);
  state_ = State::kReady;
  opening_deadline_ = TimePoint::max();
  if (!modern && !leave_initialized_) {
    notify("notifications/initialized", {});
  }
  handler_.on_ready(negotiated_);
}

void ClientSession::Impl::take_opening_result(json::Value result, const std::string& revision) {
  const bool modern = negotiated_.era == Era::kModern;
  opening_result_ = json::minified(result);
  negotiated_.revision = revision;
  const json::Value capabilities = result.find("capabilities");
  negotiated_.capabilities = capabilities.is_object() ? json::minified(capabilities) : "{}";
  const json::Value info =
      modern ? result.at("_meta", meta::kServerInfo) : result.find("serverInfo");
  negotiated_.server_info = info.is_object() ? json::minified(info) : "{}";
  const auto instructions = result.find("instructions").string();
  negotiated_.has_instructions = instructions.has_value();
  negotiated_.instructions = instructions.value_or("");
}

void ClientSession::Impl::on_opening_timeout(TimePoint now) {
  if (state_ == State::kProbing) {
    if (may_fall_back()) {
      send_initialize({}, now);
    } else {
      fail(too_late("server/discover", options_.open_timeout));
    }
    return;
  }
  fail(too_late("initialize", options_.open_timeout));
}

void ClientSession::Impl::on_closed(const Error& cause) {
  const bool opening = state_ == State::kProbing || state_ == State::kInitializing;
  if (opening && probe_seen_ && may_fall_back() && !restarted_) {
    restarted_ = true;
    state_ = State::kRestarting;
    opening_deadline_ = TimePoint::max();
    handler_.restart();
    return;
  }
  if (state_ != State::kFailed) {
    fail(cause);
  }
}

void ClientSession::Impl::on_restarted(TimePoint now) {
  if (state_ != State::kRestarting) {
    return;
  }
  probe_seen_ = false;
  initialize_id_ = 0;
  send_initialize({}, now);
}

void ClientSession::Impl::fail(Error error) {
  state_ = State::kFailed;
  opening_deadline_ = TimePoint::max();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].live) {
      take_out(slot);
      handler_.on_request_failed(slots_[slot].request, error);
      put_back(slot);
    }
  }
  handler_.on_failed(error);
}

}  // namespace calaboose::mcp
