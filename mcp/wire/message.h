// SPDX-License-Identifier: Apache-2.0
// One JSON-RPC 2.0 message, strictly classified.
// Place: mcp/wire; first step for every line from a host or a server. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace calaboose::mcp {

enum class MessageKind : std::uint8_t { kRequest, kNotification, kResult, kError, kInvalid };

/// A view over a tape; valid as long as the tape and its text are.
///
/// Strict: "jsonrpc" is exactly "2.0"; an id is a string or an integer spelled as one (1.0, 1e0,
/// null are not); method together with result or error, result with error, and none of them are
/// invalid (threats M25, M27). An error answer may have an absent or null id. Unknown top-level
/// members are kept and ignored. Spec  JSON-RPC 2.0; protocol.md section 2.1.
struct Message {
  MessageKind kind = MessageKind::kInvalid;
  json::Value root;
  json::Value id;      // missing for notifications
  json::Value params;  // missing, object or array
  json::Value result;  // kResult
  json::Value error;   // kError: an object with integer code and string message
  std::string method;  // requests and notifications
  std::string why;     // kInvalid: the reason, in our words
};

/// Classifies a parsed value.
Message classify(json::Value root);

}  // namespace calaboose::mcp
