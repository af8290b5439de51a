// SPDX-License-Identifier: Apache-2.0
// The fixed stage: what is recorded, what is rewritten, what is refused.
#include "runner/gateway/intercept.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/json/write.h"

namespace calaboose::gateway {
namespace {

class FakeLog final : public audit::Log {
 public:
  Result<void> append(const audit::Record& record) override {
    if (full) {
      return Error(Errc::kIo, "no space left");
    }
    lines.push_back(std::string(record.kind) + " " + std::string(record.method) + " " +
                    std::string(record.verdict) + " " + std::string(record.rule) + " " +
                    std::string(record.body));
    return {};
  }

  bool writable() const override { return !full; }

  Result<void> close() override { return {}; }

  const std::string& path() const override { return path_; }

  std::vector<std::string> lines;
  bool full = false;

 private:
  std::string path_ = "fake";
};

class InterceptTest : public testing::Test {
 protected:
  mcp::Message parse(std::string text) {
    text_ = std::move(text);
    EXPECT_TRUE(tape_.parse(text_)) << tape_.error().what;
    return mcp::classify(tape_.root());
  }

  mcp::Exchange exchange(std::string method, std::string name = "") {
    mcp::Exchange e;
    e.call = 7;
    e.method = std::move(method);
    e.name = std::move(name);
    e.host_id = "1";
    return e;
  }

  std::string text_;
  json::Tape tape_;
  FakeLog log_;
  policy::Scanner scanner_;
  Reporter reporter_{"s"};
  Intercept intercept_{&log_, scanner_, reporter_};
};

TEST_F(InterceptTest, RecordsEveryMessageAndPassesCleanOnes) {
  const auto call = exchange("tools/call", "echo");
  const auto request =
      parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})");
  EXPECT_EQ(intercept_.from_host(&call, request).kind, mcp::Decision::Kind::kPass);
  const auto result =
      parse(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}]}})");
  EXPECT_EQ(intercept_.from_server(&call, result).kind, mcp::Decision::Kind::kPass);
  ASSERT_EQ(log_.lines.size(), 2U);
  EXPECT_EQ(log_.lines[0].substr(0, 15), "msg tools/call ");
  EXPECT_EQ(log_.lines[1].substr(0, 15), "msg tools/call ");
}

// M02, M05: hidden text is taken out of the leaf, and the finding says where, never what.
TEST_F(InterceptTest, StripsHiddenTextAndAttachesTheFinding) {
  const auto call = exchange("tools/call", "weather");
  const auto result = parse(
      R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"sun\u001b]0;x\u0007ny"}],"extra":1.0}})");
  const auto decision = intercept_.from_server(&call, result);
  ASSERT_EQ(decision.kind, mcp::Decision::Kind::kReplace);
  json::Tape out;
  ASSERT_TRUE(out.parse(decision.text)) << decision.text;
  EXPECT_EQ(out.root().pointer("/result/content/0/text").string_or(""), "sunny");
  EXPECT_EQ(out.root().pointer("/result/extra").raw(), "1.0");
  const json::Value finding = out.root().at("result", "_meta", "calaboose/findings").element(0);
  EXPECT_EQ(finding.find("pointer").string_or(""), "/result/content/0/text");
  EXPECT_EQ(finding.find("surface").string_or(""), "result.text");
  EXPECT_EQ(finding.find("action").string_or(""), "strip");
  EXPECT_EQ(log_.lines.back().substr(0, 26), "decision tools/call strip ");
}

// A06: without a record nothing new is done; looking around still works.
TEST_F(InterceptTest, RefusesCallsWhileTheAuditCannotBeWritten) {
  log_.full = true;
  const auto call = exchange("tools/call", "rm");
  const auto request =
      parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})");
  const auto decision = intercept_.from_host(&call, request);
  ASSERT_EQ(decision.kind, mcp::Decision::Kind::kRefuse);
  EXPECT_TRUE(decision.as_tool_result);
  json::Tape out;
  ASSERT_TRUE(out.parse(decision.text)) << decision.text;
  EXPECT_TRUE(out.root().find("isError").boolean().value_or(false));
  EXPECT_EQ(out.root().at("_meta", "calaboose/decision", "verdict").string_or(""), "deny");

  const auto list = exchange("tools/list");
  const auto listing = parse(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  EXPECT_EQ(intercept_.from_host(&list, listing).kind, mcp::Decision::Kind::kPass);

  log_.full = false;
  const auto again =
      parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})");
  EXPECT_EQ(intercept_.from_host(&call, again).kind, mcp::Decision::Kind::kPass);
}

TEST_F(InterceptTest, WorksWithoutALog) {
  Intercept bare(nullptr, scanner_, reporter_);
  const auto call = exchange("tools/call", "echo");
  const auto request =
      parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})");
  EXPECT_EQ(bare.from_host(&call, request).kind, mcp::Decision::Kind::kPass);
}

}  // namespace
}  // namespace calaboose::gateway
