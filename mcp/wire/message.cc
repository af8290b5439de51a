// SPDX-License-Identifier: Apache-2.0
// Strict classification of one JSON-RPC message.
// Place: mcp/wire.
#include "mcp/wire/message.h"

#include <string_view>
#include <utility>

namespace calaboose::mcp {
namespace {

// Ids come back in every answer; nobody needs longer ones.
constexpr std::size_t kMaxIdBytes = 1024;

bool is_integer_spelling(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

bool is_usable_id(json::Value id) {
  if (!id.exists() || id.raw().size() > kMaxIdBytes) {
    return false;
  }
  return id.is_string() || (id.is_number() && is_integer_spelling(id.raw()));
}

struct Members {
  json::Value jsonrpc, id, method, params, result, error;
};

Members collect(json::Value root) {
  Members found;
  root.each_member([&](json::Value name, json::Value value) {
    if (name.string_equals("jsonrpc")) {
      found.jsonrpc = value;
    } else if (name.string_equals("id")) {
      found.id = value;
    } else if (name.string_equals("method")) {
      found.method = value;
    } else if (name.string_equals("params")) {
      found.params = value;
    } else if (name.string_equals("result")) {
      found.result = value;
    } else if (name.string_equals("error")) {
      found.error = value;
    }
  });
  return found;
}

/// Empty when the shape is right.
std::string_view check_request(const Members& found, Message& message) {
  if (found.result || found.error) {
    return "a message has a method and an answer at once";
  }
  if (!found.method.is_string()) {
    return "the method is not a string";
  }
  if (found.id && !message.id) {
    return "the id is neither a string nor an integer";
  }
  if (found.params && !found.params.is_object() && !found.params.is_array()) {
    return "params is neither an object nor an array";
  }
  message.method = found.method.string_or("");
  message.params = found.params;
  message.kind = found.id ? MessageKind::kRequest : MessageKind::kNotification;
  return {};
}

std::string_view check_answer(const Members& found, Message& message) {
  if (found.result && found.error) {
    return "an answer has a result and an error at once";
  }
  if (found.result) {
    if (!message.id) {
      return "a result has no usable id";
    }
    message.result = found.result;
    message.kind = MessageKind::kResult;
    return {};
  }
  if (!found.error) {
    return "a message has neither a method nor an answer";
  }
  if (found.id && !found.id.is_null() && !message.id) {
    return "the id is neither a string nor an integer";
  }
  if (!found.error.is_object() || !found.error.find("code").int64() ||
      !found.error.find("message").is_string()) {
    return "an error is not an object with an integer code and a message";
  }
  message.error = found.error;
  message.kind = MessageKind::kError;
  return {};
}

}  // namespace

Message classify(json::Value root) {
  Message message;
  message.root = root;
  if (!root.is_object()) {
    message.why = "a message is not an object";
    return message;
  }
  const Members found = collect(root);
  if (is_usable_id(found.id)) {
    message.id = found.id;
  }
  if (!found.jsonrpc.string_equals("2.0")) {
    message.why = "jsonrpc is not \"2.0\"";
    return message;
  }
  message.why = found.method ? check_request(found, message) : check_answer(found, message);
  return message;
}

}  // namespace calaboose::mcp
