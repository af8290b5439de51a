// SPDX-License-Identifier: Apache-2.0
// The misbehaving servers do what their names say; else the tests that use them would pass for the
// wrong reason.
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "client.h"

namespace calaboose::test {
namespace {

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})";

std::string discover() {
  return R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{)" + std::string(kMeta) +
         "}}";
}

std::string call(std::string_view id, std::string_view tool = "echo", std::string_view meta = {}) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":{"message":"h\u00e9 \"q\""})" + (meta.empty() ? "" : ",") +
         std::string(meta) + "}}";
}

struct Opened : PlainServer {
  explicit Opened(const std::string& mode, std::vector<std::string> environment = {})
      : PlainServer({MISBEHAVING_SERVER, mode}, std::move(environment)) {
    EXPECT_NE(ask(kInitialize).find(R"("protocolVersion":"2025-06-18")"), std::string::npos);
  }
};

bool is_json(const std::string& text) {
  json::Tape tape;
  return tape.parse(text);
}

std::int64_t id_of(const std::string& text) {
  json::Tape tape;
  return tape.parse(text) ? tape.root().find("id").int64().value_or(-1) : -1;
}

TEST(Servers, EchoBehavesInBothEras) {
  for (const std::string& program : {std::string(ECHO_SERVER), std::string(MISBEHAVING_SERVER)}) {
    PlainServer server({program, "echo"});
    EXPECT_NE(server.ask(discover()).find(R"("supportedVersions":["2026-07-28"])"),
              std::string::npos);
    EXPECT_NE(server.ask(kInitialize).find(R"("protocolVersion":"2025-06-18")"), std::string::npos);
    EXPECT_NE(server.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})").find("\"echo\""),
              std::string::npos);
    json::Tape tape;
    const std::string legacy = server.ask(call("3"));
    ASSERT_TRUE(tape.parse(legacy)) << legacy;
    EXPECT_EQ(tape.root().at("result", "content").element(0).find("text").string(),
              "h\xc3\xa9 \"q\"");
    EXPECT_FALSE(tape.root().at("result", "resultType").exists());
    const std::string modern = server.ask(call("4", "echo", kMeta));
    ASSERT_TRUE(tape.parse(modern)) << modern;
    EXPECT_TRUE(tape.root().at("result", "resultType").string_equals("complete"));
    server.close_input();
    EXPECT_EQ(server.wait(), 0);
  }
}

TEST(Servers, AnswerUnderOtherIds) {
  Opened wrong("wrong-ids");
  EXPECT_NE(id_of(wrong.ask(call("3"))), 3);
  Opened strings("string-ids");
  EXPECT_NE(strings.ask(call("3")).find(R"("id":"3")"), std::string::npos);
  EXPECT_NE(strings.line().find(R"("id":3.0)"), std::string::npos);
}

TEST(Servers, AnswerTwiceBothOrInArrays) {
  Opened twice("duplicate-response");
  EXPECT_EQ(id_of(twice.ask(call("3"))), 3);
  EXPECT_EQ(id_of(twice.line()), 3);
  Opened both("result-and-error");
  const std::string text = both.ask(call("3"));
  EXPECT_TRUE(text.find("\"result\"") != std::string::npos &&
              text.find("\"error\"") != std::string::npos);
  Opened batch("batch");
  EXPECT_EQ(batch.ask(call("3")).front(), '[');
}

TEST(Servers, AnswerWithWhatIsNoJson) {
  Opened invalid("invalid-json-answer");
  EXPECT_FALSE(is_json(invalid.ask(call("3"))));
  for (int i = 0; i < 4; ++i) {
    const std::string line = invalid.line();
    EXPECT_FALSE(line.empty() || is_json(line)) << line;
  }
  Opened surrogate("lone-surrogate-answer");
  EXPECT_FALSE(is_json(surrogate.ask(call("3"))));
  Opened deep("deep-answer");
  EXPECT_GT(deep.ask(call("3")).size(), 200'000U);
  Opened huge("huge-answer");
  EXPECT_GT(huge.ask(call("3")).size(), 20U << 20U);
}

TEST(Servers, EndWhenTheyShouldNot) {
  PlainServer at_once({MISBEHAVING_SERVER, "exit-at-once"});
  EXPECT_EQ(at_once.wait(), 7);
  Opened after("exit-after-initialize");
  EXPECT_EQ(after.wait(), 3);
  Opened crash("crash");
  crash.send(call("3"));
  EXPECT_EQ(crash.wait(), -SIGSEGV);
  PlainServer probe({MISBEHAVING_SERVER, "die-on-probe"});
  probe.send(discover());
  EXPECT_EQ(probe.wait(), 1);
  Opened close("close-stdout");
  EXPECT_EQ(close.ask(call("3")), "");
}

TEST(Servers, ChooseTheirEra) {
  PlainServer legacy({MISBEHAVING_SERVER, "legacy-only"});
  EXPECT_NE(legacy.ask(discover()).find("-32601"), std::string::npos);
  PlainServer modern({MISBEHAVING_SERVER, "modern-only"});
  EXPECT_NE(modern.ask(kInitialize).find("-32022"), std::string::npos);
}

TEST(Servers, AskForInput) {
  Opened legacy("input-required");
  EXPECT_NE(legacy.ask(call("3")).find("elicitation/create"), std::string::npos);
  const std::string done =
      legacy.ask(R"({"jsonrpc":"2.0","id":"ask-1","result":{"action":"decline"}})");
  EXPECT_EQ(id_of(done), 3);
  EXPECT_NE(done.find("decline"), std::string::npos);
  Opened modern("input-required");
  EXPECT_NE(modern.ask(call("4", "echo", kMeta)).find("input_required"), std::string::npos);
  const std::string retry =
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo",)"
      R"("inputResponses":{"name":{"action":"accept"}},"requestState":"state-1",)" +
      std::string(kMeta) + "}}";
  EXPECT_NE(modern.ask(retry).find("state=state-1"), std::string::npos);
}

TEST(Servers, PageForEver) {
  Opened endless("endless-pages");
  const std::string list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";
  EXPECT_NE(endless.ask(list).find(R"("nextCursor":"page-1")"), std::string::npos);
  EXPECT_NE(endless.ask(list).find(R"("nextCursor":"page-2")"), std::string::npos);
  Opened repeated("repeated-cursor");
  EXPECT_NE(repeated.ask(list).find(R"("nextCursor":"again")"), std::string::npos);
}

TEST(Servers, FloodAndStillAnswer) {
  for (const std::string mode : {"flood-stdout", "flood-progress"}) {
    Opened server(mode);
    server.send(call("3"));
    int others = 0;
    std::string line = server.line();
    while (!line.empty() && id_of(line) != 3) {
      ++others;
      line = server.line();
    }
    EXPECT_EQ(id_of(line), 3) << mode;
    EXPECT_FALSE(server.line().empty());
  }
}

TEST(Servers, TellOnlyNamesOfTheEnvironment) {
  Opened server("env", {"ONE=secret", "TWO=2"});
  const std::string text = server.ask(call("3", "env"));
  EXPECT_NE(text.find(R"(ONE\nTWO\n)"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST(Servers, LeaveOrphansBehind) {
  Opened server("orphans");
  json::Tape tape;
  const std::string text = server.ask(call("3"));
  ASSERT_TRUE(tape.parse(text));
  const auto answer = tape.root().at("result", "content").element(0).find("text").string_or("");
  const pid_t orphan = std::stoi(answer);
  EXPECT_EQ(::kill(orphan, 0), 0);
  EXPECT_NE(::getpgid(orphan), ::getpgid(0)) << "it has a session of its own";
  EXPECT_EQ(::kill(orphan, SIGKILL), 0);
}

TEST(Servers, SendWhatWasNotOffered) {
  Opened server("unoffered-requests");
  EXPECT_NE(server.ask(call("3")).find("sampling/createMessage"), std::string::npos);
  Opened keys("reserved-keys");
  EXPECT_NE(keys.ask(call("3")).find("calaboose/decision"), std::string::npos);
  EXPECT_NE(keys.ask(call("4", "fail")).find("-31001"), std::string::npos);
}

TEST(Servers, UnknownModesAreRefused) {
  PlainServer server({MISBEHAVING_SERVER, "no-such-mode"});
  EXPECT_EQ(server.wait(), 2);
}

}  // namespace
}  // namespace calaboose::test
