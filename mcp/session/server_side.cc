// SPDX-License-Identifier: Apache-2.0
// The server's answers on their way to the host.
// Place: mcp/session; Bridge.
#include "mcp/session/answers.h"
#include "mcp/session/bridge_core.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {

void Bridge::Impl::on_response(const ClientSession::Request& request, const Message& message) {
  const std::uint32_t slot = slot_of(request.tag);
  switch (owner_of(request.tag)) {
    case Owner::kCall:
      on_call_answer(slot, message);
      return;
    case Owner::kNobody:
      return;
    case Owner::kWatch:
      on_watch_answer(slot, message.kind == MessageKind::kResult);
      return;
    case Owner::kFeed:
      on_feed_ended(slot);
      return;
  }
}

void Bridge::Impl::on_request_failed(const ClientSession::Request& request, const Error& error) {
  const std::uint32_t slot = slot_of(request.tag);
  switch (owner_of(request.tag)) {
    case Owner::kCall:
      answer_failure(slot, error, error.code() == Errc::kDeadline ? "timeout" : "failed");
      return;
    case Owner::kNobody:
      return;
    case Owner::kWatch:
      on_watch_answer(slot, false);
      return;
    case Owner::kFeed:
      on_feed_ended(slot);
      return;
  }
}

void Bridge::Impl::on_call_answer(std::uint32_t slot, const Message& message) {
  Call& call = calls_[slot];
  ResultFault fault;
  if (message.kind == MessageKind::kResult && !check_result(slot, message, fault)) {
    return;
  }
  Decision decision = port_.from_server(&call.exchange, message);
  Message replaced;
  const Message* used = &message;
  if (decision.kind == Decision::Kind::kRefuse) {
    refuse(slot, decision);
    return;
  }
  if (decision.kind == Decision::Kind::kReplace) {
    if (!replace(decision, message, replaced)) {
      answer_error(slot, code::kInternalError, "the answer could not be re-written", {}, "failed");
      return;
    }
    used = &replaced;
  }
  patch_.clear();
  patch_.replace(used->id, call.exchange.host_id);
  translate_answer(call, *used, fault.is_complete);
  out_.clear();
  patch_.write(used->root, out_);
  answer(call.batch, out_);
  finish(slot, used->kind == MessageKind::kError ? "error" : "answered");
}

/// False if the result may not pass; then the host has its answer.
bool Bridge::Impl::check_result(std::uint32_t slot, const Message& message, ResultFault& fault) {
  const Call& call = calls_[slot];
  if (modern_server()) {
    fault = check_modern_result(message.result, *call.method, call.offered, modern_host());
    if (fault.type_missing) {
      on_violation(Violation::kInvalidResult, "resultType is missing");
    }
  } else if (!message.result.is_object()) {
    fault.what = "the server's result is not an object";
  }
  // Asking for the same page again would never end (threat M42). The empty text is a cursor too.
  if (call.has_cursor && message.result.find("nextCursor").string_equals(call.cursor)) {
    fault.what = "the server repeats a page of its list";
  }
  if (fault.what.empty()) {
    return true;
  }
  on_violation(Violation::kInvalidResult, fault.what);
  answer_fault(slot, fault);
  return false;
}

void Bridge::Impl::answer_fault(std::uint32_t slot, const ResultFault& fault) {
  if (fault.is_ask && calls_[slot].method->method == Method::kToolsCall) {
    answer_result(slot, tool_error_result(fault.what, modern_host()), "refused");
  } else {
    answer_error(slot, code::kInternalError, fault.what, {}, "refused");
  }
}

void Bridge::Impl::translate_answer(const Call& call, const Message& message, bool is_complete) {
  if (message.kind == MessageKind::kError) {
    if (modern_host()) {
      const bool is_read = call.method->method == Method::kResourcesRead;
      to_modern_error(patch_, message.error,
                      is_read ? std::string_view(call.exchange.name) : std::string_view());
    }
    return;
  }
  const json::Value result = message.result;
  if (!modern_host()) {
    if (modern_server()) {
      to_legacy_result(patch_, result, *call.method);
      if (call.method->method == Method::kToolsList) {
        wrapper_.wrap_schemas(patch_, result);
      } else if (call.method->method == Method::kToolsCall) {
        wrapper_.wrap_content(patch_, result, call.exchange.name);
      }
    }
    return;
  }
  if (!modern_server()) {
    to_modern_result(patch_, result, *call.method);
    return;
  }
  if (!result.find("resultType")) {
    patch_.append_member(result, "resultType", "\"complete\"");
  }
  if (call.method->cacheable && is_complete && cap_cache_hints(patch_, result)) {
    on_violation(Violation::kInvalidResult, "ttlMs or cacheScope is missing or out of range");
  }
  if (call.listen) {
    patch_.replace(result.at("_meta", meta::kSubscriptionId), call.exchange.host_id);
  }
}

}  // namespace calaboose::mcp
