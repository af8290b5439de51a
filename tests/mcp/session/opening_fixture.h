// SPDX-License-Identifier: Apache-2.0
// A ClientSession with an owner that writes everything down, for the tests of opening and requests.
#pragma once

#include <string>
#include <vector>

#include "mcp/session/client_session.h"

namespace calaboose::mcp {

class Owner final : public ClientSession::Handler {
 public:
  void write(std::string_view line) override { written.emplace_back(line); }

  void restart() override { ++restarts; }

  Decision on_opening_answer(std::string_view, const Message&) override { return decision; }

  void on_ready(const Negotiated& negotiated) override {
    opened = std::string(era_name(negotiated.era)) + " " + negotiated.revision;
  }

  void on_failed(const Error& error) override { failure = error.what(); }

  void on_response(const ClientSession::Request& request, const Message& message) override {
    answers.push_back(request.method + " " + std::string(message.root.raw()));
  }

  void on_request_failed(const ClientSession::Request& request, const Error& error) override {
    answers.push_back(request.method + " " + error.what());
  }

  void on_notification(const ClientSession::Request* request, const Message& message) override {
    answers.push_back(message.method + (request == nullptr ? "" : " of " + request->method));
  }

  void on_violation(Violation violation, std::string_view) override {
    violations.emplace_back(violation_name(violation));
  }

  std::vector<std::string> written, answers, violations;
  std::string opened, failure;
  int restarts = 0;
  Decision decision;
};

/// One server being opened.
struct Opening {
  explicit Opening(EraChoice choice, ClientSession::Options options = {})
      : session(owner, std::move(options)) {
    session.start(choice, now);
  }

  void say(std::string_view line) { session.on_line(line, now); }

  void answer_probe(std::string_view body) {
    ++probes;
    say("{\"jsonrpc\":\"2.0\",\"id\":\"calaboose-probe-" + std::to_string(probes) + "\"," +
        std::string(body) + "}");
  }

  void answer_initialize(int id, std::string_view body) {
    say("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + "," + std::string(body) + "}");
  }

  void wait(int milliseconds) {
    now += Milliseconds(milliseconds);
    session.on_time(now);
  }

  /// The method of the last line, with the revision that it offers.
  std::string last() const {
    const std::string& line = owner.written.back();
    json::Tape tape;
    if (!tape.parse(line)) {
      return "broken";
    }
    const json::Value params = tape.root().find("params");
    return tape.root().find("method").string_or("") + " " +
           (params.find("protocolVersion")
                ? params.find("protocolVersion").string_or("")
                : params.at("_meta", "io.modelcontextprotocol/protocolVersion").string_or(""));
  }

  TimePoint now{std::chrono::hours(1)};
  Owner owner;
  ClientSession session;
  int probes = 0;
};

inline constexpr std::string_view kDiscovered =
    R"("result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"})";
inline constexpr std::string_view kInitialized =
    R"("result":{"protocolVersion":"2025-11-25","capabilities":{"x":1},"serverInfo":{"name":"s"},"instructions":"i"})";

}  // namespace calaboose::mcp
