// SPDX-License-Identifier: Apache-2.0
// A well-behaved stdio MCP server of both eras with one tool, echo: fast enough never to be what is
// measured. Place: bench; the tests use it too.
#include <string>
#include <string_view>

#include "runner/demo/mini_server.h"

namespace {

using calaboose::mini::LineInput;
using calaboose::mini::member;
using calaboose::mini::Message;

constexpr std::string_view kComplete = R"("resultType":"complete",)";
constexpr std::string_view kUncached = R"("ttlMs":0,"cacheScope":"private",)";

void append_result(std::string& out, std::string_view id) {
  out.append(R"({"jsonrpc":"2.0","id":)").append(id).append(R"(,"result":{)");
}

void answer(std::string& out, const Message& message) {
  if (message.id.empty() || message.method.empty()) {
    return;
  }
  const bool modern = message.is_modern();
  if (message.method == "tools/call") {
    const std::string_view text = member(message.params, "arguments", "message");
    append_result(out, message.id);
    out.append(modern ? kComplete : "")
        .append(R"("content":[{"type":"text","text":)")
        .append(text.empty() || text.front() != '"' ? R"("")" : text)
        .append("}]}}\n");
  } else if (message.method == "tools/list") {
    append_result(out, message.id);
    out.append(modern ? kComplete : "")
        .append(modern ? kUncached : "")
        .append(
            R"("tools":[{"name":"echo","description":"Echoes the message","inputSchema":)"
            R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}]}})"
            "\n");
  } else if (message.method == "initialize") {
    append_result(out, message.id);
    out.append(R"("protocolVersion":)")
        .append(negotiated_version(message))
        .append(R"(,"capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}})"
                "\n");
  } else if (message.method == "server/discover") {
    append_result(out, message.id);
    out.append(kComplete).append(kUncached).append(
        R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},)"
        R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"echo","version":"1"}}}})"
        "\n");
  } else if (message.method == "ping") {
    out += calaboose::mini::response(message.id, "{}");
  } else {
    out += calaboose::mini::error_response(message.id, -32601, "Method not found");
  }
}

}  // namespace

int main() {
  LineInput input(0);
  std::string out;
  while (input.fill()) {
    for (std::string_view line; input.next(line);) {
      answer(out, Message::parse(line));
    }
    if (!calaboose::mini::write_all(1, out)) {
      return 1;
    }
    out.clear();
  }
  return 0;
}
