// SPDX-License-Identifier: Apache-2.0
// Rules for results of modern servers: resultType, and asking for input (threats M30, M34, M39).
// Place: mcp/session. Spec: protocol.md sections 2.3 and 5.1.
#include "mcp/session/translate.h"

namespace calaboose::mcp {
namespace {

constexpr std::uint32_t kMaxInputRequests = 64;
constexpr std::string_view kNoInput =
    "the server asked for input; input requests are not available in this version";

bool is_offered(json::Value request, const Offered& offered) {
  const json::Value method = request.find("method");
  if (method.string_equals("sampling/createMessage")) {
    return offered.sampling;
  }
  if (method.string_equals("roots/list")) {
    return offered.roots;
  }
  if (!method.string_equals("elicitation/create")) {
    return false;
  }
  const json::Value mode = request.at("params", "mode");
  if (!mode || mode.string_equals("form")) {
    return offered.elicitation_form;
  }
  return mode.string_equals("url") && offered.elicitation_url;
}

ResultFault check_ask(json::Value result, const MethodInfo& method, const Offered& offered,
                      bool host_can_retry) {
  ResultFault fault;
  fault.is_complete = false;
  const json::Value requests = result.find("inputRequests");
  const json::Value state = result.find("requestState");
  if (!method.may_ask) {
    fault.what = "the server asked for input where the protocol has none";
  } else if ((!requests && !state) || (requests && !requests.is_object()) ||
             (state && !state.is_string()) || requests.size() > kMaxInputRequests) {
    fault.what = "the server asked for input in a form that the protocol does not have";
  } else if (!host_can_retry) {
    fault.what = kNoInput;
    fault.is_ask = true;
  } else {
    requests.each_member([&](json::Value, json::Value request) {
      if (!is_offered(request, offered)) {
        fault.what = kNoInput;
        fault.is_ask = true;
      }
    });
  }
  return fault;
}

}  // namespace

ResultFault check_modern_result(json::Value result, const MethodInfo& method,
                                const Offered& offered, bool host_can_retry) {
  ResultFault fault;
  if (!result.is_object()) {
    fault.what = "the server's result is not an object";
    return fault;
  }
  const json::Value type = result.find("resultType");
  if (!type) {
    fault.type_missing = true;
    return fault;
  }
  if (type.string_equals("complete")) {
    return fault;
  }
  if (type.string_equals("input_required")) {
    return check_ask(result, method, offered, host_can_retry);
  }
  fault.is_complete = false;
  if (type.string_equals("task") && method.method == Method::kToolsCall && offered.tasks &&
      host_can_retry) {
    return fault;
  }
  fault.what = "the server's result is of a type that the protocol does not have here";
  return fault;
}

}  // namespace calaboose::mcp
