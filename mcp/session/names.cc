// SPDX-License-Identifier: Apache-2.0
// Names of enumerators for logs and audit.
// Place: mcp/session.
#include "mcp/session/bridge.h"
#include "mcp/session/client_session.h"

namespace calaboose::mcp {

std::string_view violation_name(Violation violation) {
  switch (violation) {
    case Violation::kStrayLine:
      return "stray-line";
    case Violation::kInvalidJson:
      return "invalid-json";
    case Violation::kInvalidMessage:
      return "invalid-message";
    case Violation::kUnknownId:
      return "unknown-id";
    case Violation::kLateResponse:
      return "late-response";
    case Violation::kUnexpectedRequest:
      return "unexpected-request";
    case Violation::kUnexpectedNotification:
      return "unexpected-notification";
    case Violation::kInvalidResult:
      return "invalid-result";
    case Violation::kReserved:
      return "reserved";
  }
  return "unknown";
}

bool ClientSession::Handler::on_request(const Message&) {
  return false;
}

}  // namespace calaboose::mcp
