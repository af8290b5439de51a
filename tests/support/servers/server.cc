// SPDX-License-Identifier: Apache-2.0
// The well-behaved part: both eras, one tool `echo`.
// Place: tests/support/servers.
#include "server.h"

#include <poll.h>
#include <unistd.h>

namespace calaboose::misbehaving {

int Server::run() {
  at_start();
  mini::LineInput input(STDIN_FILENO);
  for (;;) {
    if (open_ && wants_idle()) {
      pollfd ready{STDIN_FILENO, POLLIN, 0};
      if (::poll(&ready, 1, 0) == 0) {
        on_idle();
        continue;
      }
    }
    if (!input.fill()) {
      return at_end();
    }
    for (std::string_view line; input.next(line);) {
      handle(Message::parse(line));
    }
  }
}

void Server::handle(const Message& message) {
  if (message.method.empty()) {
    on_response(message);
  } else if (message.method == "initialize") {
    on_initialize(message);
    open_ = true;
  } else if (message.method == "server/discover") {
    on_discover(message);
    open_ = true;
  } else if (message.method == "tools/list") {
    on_list(message);
  } else if (message.method == "tools/call") {
    on_call(message);
  } else {
    on_other(message);
  }
}

void Server::on_initialize(const Message& message) {
  std::string result = R"({"protocolVersion":)";
  result += mini::negotiated_version(message);
  result += R"(,"capabilities":{"tools":{},"logging":{}},)"
            R"("serverInfo":{"name":"misbehaving","version":"1.0.0"}})";
  send(mini::response(message.id, result));
}

void Server::on_discover(const Message& message) {
  send(mini::response(
      message.id, R"({"resultType":"complete","ttlMs":0,"cacheScope":"private",)"
                  R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},)"
                  R"("_meta":{"io.modelcontextprotocol/serverInfo":)"
                  R"({"name":"misbehaving","version":"1.0.0"}}})"));
}

void Server::on_list(const Message& message) {
  const std::string_view cache = message.is_modern() ? R"("ttlMs":0,"cacheScope":"private",)" : "";
  send_result(message, std::string(cache) + "\"tools\":" + tools());
}

void Server::on_call(const Message& message) {
  send_text(message, argument(message, "message"));
}

void Server::on_other(const Message& message) {
  if (message.id.empty()) {
    return;
  }
  if (message.method == "ping") {
    send(mini::response(message.id, "{}"));
  } else {
    send(mini::error_response(message.id, -32601, "Method not found"));
  }
}

std::string Server::tools() const {
  return "[" + tool("echo", "Echoes the message") + "]";
}

void Server::send(std::string_view text) const {
  if (!mini::write_all(STDOUT_FILENO, text)) {
    ::_exit(1);
  }
}

void Server::send_result(const Message& message, std::string_view members) const {
  const std::string_view type = message.is_modern() ? R"("resultType":"complete",)" : "";
  send(mini::response(message.id, std::string("{").append(type).append(members) + "}"));
}

void Server::send_text(const Message& message, std::string_view text) const {
  send(text_response(message, message.id, text));
}

std::string Server::text_response(const Message& message, std::string_view id,
                                  std::string_view text) {
  const std::string_view type = message.is_modern() ? R"("resultType":"complete",)" : "";
  return mini::response(id, std::string("{").append(type) + R"("content":[{"type":"text","text":)" +
                                quoted(text) + "}]}");
}

std::string Server::argument(const Message& message, std::string_view name) {
  return mini::text_of(member(member(message.params, "arguments"), name));
}

std::string Server::tool_name(const Message& message) {
  return mini::text_of(member(message.params, "name"));
}

std::string tool(std::string_view name, std::string_view description) {
  return "{\"name\":" + quoted(name) + ",\"description\":" + quoted(description) +
         R"(,"inputSchema":{"type":"object","properties":{"message":{"type":"string"}}}})";
}

}  // namespace calaboose::misbehaving
