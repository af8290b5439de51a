// SPDX-License-Identifier: Apache-2.0
// Messages of our own: error answers, results, notifications.
// Place: mcp/session, internal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace calaboose::mcp {

/// Appends a whole error answer. `id`: JSON text, or empty for null; `data`: JSON text, or empty
/// for none.
void append_error(std::string& out, std::string_view id, std::int64_t error_code,
                  std::string_view message, std::string_view data = {});
/// Appends a whole result answer; `result`: JSON text.
void append_result(std::string& out, std::string_view id, std::string_view result);
/// Appends a whole notification; `params`: JSON text, or empty for none.
void append_notification(std::string& out, std::string_view method, std::string_view params);
/// Appends a whole request.
void append_request(std::string& out, std::string_view id, std::string_view method,
                    std::string_view params);

/// `data` for a failure of the server: {"hint":…}, or empty without a hint.
std::string hint_data(const Error& error);
/// `data` of an unsupported revision: {"supported":["2026-07-28"],"requested":…}.
std::string version_data(std::string_view requested);
/// A tools/call result that says that the call failed; with resultType in the modern era.
std::string tool_error_result(std::string_view text, bool modern);

}  // namespace calaboose::mcp
