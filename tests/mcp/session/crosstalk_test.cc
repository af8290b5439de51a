// SPDX-License-Identifier: Apache-2.0
// Many requests in flight, answers in any order: each host id gets exactly its own answer (M33,
// I8).
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "mcp/session/bridge.h"

namespace calaboose::mcp {
namespace {

/// Plays both ends: the server echoes params.name; the host checks that its id brought its own name
/// back.
class Exchanger final : public Bridge::Port {
 public:
  explicit Exchanger(Era era) : modern_(era == Era::kModern), bridge_(*this, {}) {
    bridge_.set_era_hint(modern_ ? EraChoice::kOnlyModern : EraChoice::kOnlyLegacy);
    if (modern_) {
      bridge_.on_host_line(request("0", "server/discover", "_"), now_);
      bridge_.on_server_line(
          R"({"jsonrpc":"2.0","id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}})",
          now_);
    } else {
      bridge_.on_host_line(
          R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
          now_);
      bridge_.on_server_line(
          R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}})",
          now_);
    }
    at_server_.clear();
    open_ = true;
  }

  void run(int total) {
    std::mt19937 random(20260728);
    int sent = 0;
    while (sent < total || !at_server_.empty()) {
      const bool send =
          sent < total && at_server_.size() < 300 && (at_server_.empty() || random() % 2 == 0);
      if (send) {
        ask(random, sent++);
      } else {
        answer(random);
      }
      now_ += Milliseconds(1);
    }
  }

  void to_host(std::string_view line) override {
    if (!open_) {
      return;
    }
    json::Tape tape;
    ASSERT_TRUE(tape.parse(line));
    const std::string id(tape.root().find("id").raw());
    const auto found = waiting_.find(id);
    ASSERT_NE(found, waiting_.end()) << "an answer to nothing: " << line;
    const json::Value result = tape.root().find("result");
    EXPECT_EQ((result ? result : tape.root().find("error").find("data")).find("echo").string_or(""),
              found->second);
    waiting_.erase(found);
    ++answered;
  }

  void to_server(std::string_view line) override {
    json::Tape tape;
    ASSERT_TRUE(tape.parse(line));
    if (tape.root().find("method").string_equals("tools/call")) {
      at_server_.push_back({std::string(tape.root().find("id").raw()),
                            tape.root().at("params", "name").string_or("")});
    }
  }

  void restart_server() override {}

  void on_host_opened(Era) override {}

  void on_server_ready(const Negotiated&) override {}

  void on_server_failed(const Error& error) override { ADD_FAILURE() << error.what(); }

  void on_violation(Side, Violation violation, std::string_view detail) override {
    EXPECT_EQ(violation, Violation::kLateResponse) << detail;
    ++late;
  }

  Decision from_host(const Exchange*, const Message&) override { return {}; }

  Decision from_server(const Exchange*, const Message&) override { return {}; }

  void on_finished(const Exchange&, std::string_view, TimePoint) override {}

  std::size_t unanswered() const { return waiting_.size(); }

  std::size_t in_flight() const { return bridge_.in_flight(); }

  int answered = 0;
  int cancelled = 0;
  int late = 0;

 private:
  std::string request(const std::string& id, std::string_view method,
                      const std::string& name) const {
    std::string meta = R"("_meta":{"progressToken":7)";
    if (modern_) {
      meta +=
          R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})";
    }
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) +
           R"(","params":{"name":")" + name + "\"," + meta + "}}}";
  }

  void ask(std::mt19937& random, int number) {
    // Ids of both kinds that look alike and are used again as soon as they are free.
    const auto small = static_cast<int>(random() % 1000);
    const std::string id =
        random() % 2 == 0 ? std::to_string(small) : "\"" + std::to_string(small) + "\"";
    if (waiting_.contains(id)) {
      return;
    }
    waiting_[id] = "n" + std::to_string(number);
    bridge_.on_host_line(request(id, "tools/call", waiting_[id]), now_);
    if (random() % 16 == 0) {
      waiting_.erase(id);
      ++cancelled;
      bridge_.on_host_line(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
              "}}",
          now_);
    }
  }

  void answer(std::mt19937& random) {
    const std::size_t at = random() % at_server_.size();
    std::swap(at_server_[at], at_server_.back());
    const auto [id, name] = at_server_.back();
    at_server_.pop_back();
    const std::string line =
        random() % 4 == 0
            ? R"({"jsonrpc":"2.0","error":{"code":-1,"message":"m","data":{"echo":")" + name +
                  R"("}},"id":)" + id + "}"
            : R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"resultType":"complete","echo":")" +
                  name + "\"}}";
    bridge_.on_server_line(line, now_);
  }

  struct Asked {
    std::string id, name;
  };

  bool modern_;
  bool open_ = false;
  TimePoint now_{std::chrono::hours(1)};
  std::map<std::string, std::string> waiting_;
  std::vector<Asked> at_server_;
  Bridge bridge_;
};

TEST(CrossTalk, EveryIdGetsItsOwnAnswer) {  // M33
  for (const Era era : {Era::kLegacy, Era::kModern}) {
    Exchanger exchanger(era);
    exchanger.run(50'000);
    EXPECT_EQ(exchanger.unanswered(), 0U);
    EXPECT_EQ(exchanger.in_flight(), 0U);
    EXPECT_GT(exchanger.answered, 30'000);
    EXPECT_GT(exchanger.cancelled, 500);
    EXPECT_GT(exchanger.late, 0);
  }
}

}  // namespace
}  // namespace calaboose::mcp
