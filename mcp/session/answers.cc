// SPDX-License-Identifier: Apache-2.0
// Messages of our own.
// Place: mcp/session.
#include "mcp/session/answers.h"

#include "base/json/write.h"
#include "base/text.h"
#include "mcp/wire/revision.h"

namespace calaboose::mcp {

void append_error(std::string& out, std::string_view id, std::int64_t error_code,
                  std::string_view message, std::string_view data) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id.empty() ? std::string_view("null") : id;
  out += R"(,"error":{"code":)";
  out += std::to_string(error_code);
  out += R"(,"message":)";
  json::append_quoted(out, message);
  if (!data.empty()) {
    out += R"(,"data":)";
    out += data;
  }
  out += "}}";
}

void append_result(std::string& out, std::string_view id, std::string_view result) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":)";
  out += result;
  out += '}';
}

void append_notification(std::string& out, std::string_view method, std::string_view params) {
  out += R"({"jsonrpc":"2.0","method":)";
  json::append_quoted(out, method);
  if (!params.empty()) {
    out += R"(,"params":)";
    out += params;
  }
  out += '}';
}

void append_request(std::string& out, std::string_view id, std::string_view method,
                    std::string_view params) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"method":)";
  json::append_quoted(out, method);
  if (!params.empty()) {
    out += R"(,"params":)";
    out += params;
  }
  out += '}';
}

std::string hint_data(const Error& error) {
  std::string out;
  if (!error.hint().empty()) {
    json::ObjectWriter writer(out);
    writer.string("hint", printable(error.hint()));
    writer.close();
  }
  return out;
}

std::string version_data(std::string_view requested) {
  std::string out;
  json::ObjectWriter writer(out);
  writer.raw("supported", "[" + json::quoted(kNewestModernRevision) + "]")
      .string("requested", requested);
  writer.close();
  return out;
}

std::string tool_error_result(std::string_view text, bool modern) {
  std::string out = R"({"content":[{"type":"text","text":)";
  json::append_quoted(out, text);
  out += R"(}],"isError":true)";
  if (modern) {
    out += R"(,"resultType":"complete")";
  }
  out += '}';
  return out;
}

}  // namespace calaboose::mcp
