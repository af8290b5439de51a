// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/intercept.h"

#include "base/json/write.h"
#include "base/text.h"

namespace calaboose::gateway {
namespace {

using mcp::Decision;
using mcp::MessageKind;

constexpr int kDeniedCode = -31001;  // design section 7.4

policy::MessageContext::Role role_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::kRequest:
      return policy::MessageContext::Role::kRequest;
    case MessageKind::kResult:
      return policy::MessageContext::Role::kResult;
    case MessageKind::kError:
      return policy::MessageContext::Role::kError;
    case MessageKind::kNotification:
    case MessageKind::kInvalid:
      break;
  }
  return policy::MessageContext::Role::kNotification;
}

std::string_view method_of(const mcp::Exchange* exchange, const mcp::Message& message) {
  if (!message.method.empty()) {
    return message.method;
  }
  return exchange != nullptr ? std::string_view(exchange->method) : std::string_view();
}

// Requests that make the server act; the others only look.
bool is_call(std::string_view method) {
  return method == "tools/call" || method == "resources/read" || method == "prompts/get" ||
         method == "completion/complete";
}

// Puts the findings where the peer can see them: `_meta` of the result, of the notification's
// params, or of the error's data if that is an object.
std::string with_findings(json::Tape& tape, const std::string& text,
                          const std::vector<policy::Finding>& findings) {
  if (!tape.parse(text)) {
    return text;
  }
  json::Value holder = tape.root().find("result");
  if (!holder.exists()) {
    holder = tape.root().find("params");
  }
  if (!holder.exists()) {
    holder = tape.root().at("error", "data");
  }
  if (!holder.is_object()) {
    return text;
  }
  const std::string list = policy::findings_json(findings);
  json::Patch patch;
  const json::Value meta = holder.find("_meta");
  if (meta.is_object()) {
    patch.append_member(meta, "calaboose/findings", list);
  } else if (!meta.exists()) {
    patch.append_member(holder, "_meta", "{\"calaboose/findings\":" + list + "}");
  }
  std::string out;
  patch.write(tape.root(), out);
  return out;
}

std::string decision_json(std::string_view server, std::string_view method, std::string_view tool,
                          std::string_view reason) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.string("verdict", "deny")
      .string("rule", "audit")
      .string("server", server)
      .string("method", method);
  if (!tool.empty()) {
    writer.string("tool", tool);
  }
  writer.string("reason", reason);
  writer.close();
  return out;
}

Decision refuse(const mcp::Exchange& exchange, std::string_view server, std::string_view reason) {
  Decision decision;
  decision.kind = Decision::Kind::kRefuse;
  decision.code = kDeniedCode;
  decision.message = std::string(reason);
  decision.text = decision_json(server, exchange.method, exchange.name, reason);
  if (exchange.method == "tools/call") {
    decision.as_tool_result = true;
    decision.text = "{\"content\":[{\"type\":\"text\",\"text\":" + json::quoted(reason) +
                    "}],\"isError\":true,\"_meta\":{\"calaboose/decision\":" + decision.text + "}}";
  }
  return decision;
}

}  // namespace

void Intercept::append(const audit::Record& record) {
  if (log_ == nullptr) {
    return;
  }
  if (const auto written = log_->append(record); !written.ok()) {
    reporter_.notice_of(
        "the audit log cannot be written",
        written.error().render() + "; new calls are refused until it can be written again");
  }
}

bool Intercept::record(const mcp::Exchange* exchange, const mcp::Message& message,
                       audit::Direction dir) {
  if (log_ == nullptr) {
    return true;
  }
  audit::Record entry;
  entry.kind = "msg";
  entry.dir = dir;
  entry.method = method_of(exchange, message);
  if (exchange != nullptr) {
    entry.request_id = exchange->host_id;
    entry.call = exchange->call;
    if (exchange->method == "tools/call") {
      entry.tool = exchange->name;
    }
  }
  entry.body = message.root.raw();
  append(entry);
  return log_->writable();
}

void Intercept::record_findings(const mcp::Exchange* exchange, const mcp::Message& message,
                                const policy::ScanResult& scan, audit::Direction dir) {
  std::string detail = "{\"findings\":" + policy::findings_json(scan.findings) + "}";
  audit::Record entry;
  entry.kind = "decision";
  entry.dir = dir;
  entry.method = method_of(exchange, message);
  if (exchange != nullptr) {
    entry.request_id = exchange->host_id;
    entry.call = exchange->call;
  }
  entry.verdict = policy::action_name(scan.strongest);
  entry.rule =
      scan.findings.empty() ? std::string_view() : std::string_view(scan.findings.front().rule);
  entry.extra = detail;
  append(entry);
}

Decision Intercept::from_host(const mcp::Exchange* exchange, const mcp::Message& message) {
  const bool recorded = record(exchange, message, audit::Direction::kHostToServer);
  if (!recorded && exchange != nullptr && is_call(exchange->method)) {
    return refuse(
        *exchange, reporter_.server(),
        "Calaboose refused this call because its audit log cannot be written. Ask the user.");
  }
  return Decision{};
}

Decision Intercept::from_server(const mcp::Exchange* exchange, const mcp::Message& message) {
  record(exchange, message, audit::Direction::kServerToHost);
  policy::MessageContext context;
  context.role = role_of(message.kind);
  context.method = method_of(exchange, message);
  policy::ScanResult scan = scanner_.scan(context, message.root);
  if (scan.findings.empty()) {
    return Decision{};
  }
  record_findings(exchange, message, scan, audit::Direction::kServerToHost);
  const policy::Finding& first = scan.findings.front();
  reporter_.notice_of("hidden characters", "removed hidden characters from what the server said (" +
                                               first.rule + " in " +
                                               std::string(policy::surface_name(first.surface)) +
                                               " at " + printable(first.pointer, 120) +
                                               (scan.findings.size() > 1 ? ", and more)" : ")"));
  if (!scan.changed) {
    return Decision{};
  }
  Decision decision;
  decision.kind = Decision::Kind::kReplace;
  decision.text = with_findings(tape_, scan.text, scan.findings);
  return decision;
}

void Intercept::violation(mcp::Side side, mcp::Violation violation, std::string_view detail) {
  const std::string_view name = mcp::violation_name(violation);
  audit::Record entry;
  entry.kind = "violation";
  entry.dir = side == mcp::Side::kServer ? audit::Direction::kServerToHost
                                         : audit::Direction::kHostToServer;
  entry.rule = name;
  const std::string reason = printable(detail, 300);
  entry.reason = reason;
  append(entry);
  const std::string who = side == mcp::Side::kServer ? "the server" : "the host";
  std::string text;
  switch (violation) {
    case mcp::Violation::kStrayLine:
      text = who + " printed a line that is not a message (dropped): ";
      break;
    case mcp::Violation::kInvalidJson:
    case mcp::Violation::kInvalidMessage:
      text = who + " sent something that is not valid MCP (dropped): ";
      break;
    case mcp::Violation::kLateResponse:
      return;  // normal after a cancellation; the audit has it
    case mcp::Violation::kUnknownId:
    case mcp::Violation::kUnexpectedRequest:
    case mcp::Violation::kUnexpectedNotification:
    case mcp::Violation::kInvalidResult:
    case mcp::Violation::kReserved:
      text = who + " broke the protocol (" + std::string(name) + "): ";
      break;
  }
  reporter_.notice_of(std::string(name), text + reason);
}

void Intercept::event(const audit::Record& record) {
  append(record);
}

}  // namespace calaboose::gateway
