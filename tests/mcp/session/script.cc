// SPDX-License-Identifier: Apache-2.0
// The interpreter of conversations.
// Place: tests/mcp/session.
#include "script.h"

#include <gtest/gtest.h>

#include <charconv>

namespace calaboose::mcp {

Script::Script(Bridge::Options options) : bridge_(*this, std::move(options)) {
  add("VERSION", R"("io.modelcontextprotocol/protocolVersion":"2026-07-28")");
  add("META", R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{}})");
  add("SUB", R"("io.modelcontextprotocol/subscriptionId")");
  add("R", R"("jsonrpc":"2.0")");
}

void Script::add(const std::string& name, const std::string& text) {
  words_.insert(words_.begin(), {"$" + name, text});
}

std::string Script::expand(std::string text) const {
  for (int round = 0; round < 4; ++round) {
    for (const auto& [name, value] : words_) {
      for (std::size_t at = text.find(name); at != std::string::npos;
           at = text.find(name, at + value.size())) {
        text.replace(at, name.size(), value);
      }
    }
  }
  return text;
}

void Script::run(std::string_view script) {
  while (!script.empty()) {
    const std::size_t end = script.find('\n');
    std::string line(script.substr(0, end));
    script.remove_prefix(end == std::string_view::npos ? script.size() : end + 1);
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#') {
      continue;
    }
    step(expand(line.substr(first)));
    if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) {
      return;
    }
  }
  if (seen_ < events_.size()) {
    ADD_FAILURE() << "not expected at the end: " << events_[seen_];
  }
}

std::string Script::take_host_line() {
  while (seen_ < events_.size()) {
    const std::string& event = events_[seen_++];
    if (event.starts_with("host< ")) {
      return event.substr(6);
    }
  }
  return {};
}

void Script::expect(const std::string& line) {
  if (seen_ >= events_.size()) {
    ADD_FAILURE() << "nothing happened, expected: " << line;
    return;
  }
  EXPECT_EQ(events_[seen_], line);
  ++seen_;
}

void Script::step(const std::string& line) {
  if (line.starts_with("host< ") || line.starts_with("server< ") ||
      line.starts_with("violation ")) {
    expect(line);
    return;
  }
  if (line == "restart") {
    expect(line);
    bridge_.on_server_restarted(now_);
    return;
  }
  if (seen_ < events_.size()) {
    ADD_FAILURE() << "not expected before '" << line << "': " << events_[seen_];
    return;
  }
  if (line.starts_with("host> ")) {
    bridge_.on_host_line(line.substr(6), now_);
  } else if (line.starts_with("server> ")) {
    bridge_.on_server_line(line.substr(8), now_);
  } else if (line.starts_with("closed ")) {
    bridge_.on_server_closed(Error(Errc::kPeer, line.substr(7)).with_hint("see its log"), now_);
  } else if (line.starts_with("wait ")) {
    int milliseconds = 0;
    std::from_chars(line.data() + 5, line.data() + line.size(), milliseconds);
    now_ += Milliseconds(milliseconds);
    bridge_.on_time(now_);
  } else {
    ADD_FAILURE() << "not a step: " << line;
  }
}

void Script::on_server_ready(const Negotiated& negotiated) {
  ready.push_back(std::string(era_name(negotiated.era)) + " " + negotiated.revision);
}

void Script::on_violation(Side side, Violation violation, std::string_view) {
  events_.push_back(std::string("violation ") + (side == Side::kHost ? "host " : "server ") +
                    std::string(violation_name(violation)));
}

Decision Script::from_host(const Exchange* exchange, const Message& message) {
  return host_hook ? host_hook(exchange, message) : Decision();
}

Decision Script::from_server(const Exchange* exchange, const Message& message) {
  return server_hook ? server_hook(exchange, message) : Decision();
}

void Script::on_finished(const Exchange& exchange, std::string_view outcome, TimePoint) {
  finished.push_back(exchange.method + " " + std::string(outcome));
}

}  // namespace calaboose::mcp
