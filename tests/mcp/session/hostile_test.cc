// SPDX-License-Identifier: Apache-2.0
// A server (or host) that does not keep to the rules: nothing is matched loosely, nothing waits for
// ever.
#include <gtest/gtest.h>

#include "script.h"

namespace calaboose::mcp {
namespace {

void open_legacy(Script& script, const std::string& revision = "2025-11-25") {
  script.add("REV", "\"" + revision + "\"");
  script.run(R"(
host> {$R,"id":0,"method":"initialize","params":{"protocolVersion":$REV,"capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":$REV,"capabilities":{}}}
server> {$R,"id":1,"result":{"protocolVersion":$REV,"capabilities":{"tools":{}},"serverInfo":{}}}
host< {$R,"id":0,"result":{"protocolVersion":$REV,"capabilities":{"tools":{}},"serverInfo":{}}}
host> {$R,"method":"notifications/initialized"}
server< {$R,"method":"notifications/initialized"}
)");
}

constexpr std::string_view kCall = R"(
host> {$R,"id":"h","method":"tools/call","params":{"name":"a"}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
)";
constexpr std::string_view kAnswer = R"(
server> {$R,"id":2,"result":{}}
host< {$R,"id":"h","result":{}}
)";

TEST(Hostile, ResponsesAreNeverMatchedLoosely) {  // M25
  Script script;
  open_legacy(script);
  script.run(kCall);
  script.run(R"(
server> {$R,"id":3,"result":{}}
violation server unknown-id
server> {$R,"id":"2","result":{}}
violation server unknown-id
server> {$R,"id":2.0,"result":{}}
violation server invalid-message
server> {$R,"id":2e0,"result":{}}
violation server invalid-message
server> {$R,"id":null,"result":{}}
violation server invalid-message
server> {$R,"result":{}}
violation server invalid-message
server> {$R,"id":null,"error":{"code":1,"message":"x"}}
violation server unknown-id
server> {$R,"error":{"code":1,"message":"x"}}
violation server unknown-id
server> {$R,"id":-2,"result":{}}
violation server unknown-id
server> {$R,"id":18446744073709551618,"result":{}}
violation server unknown-id
server> {$R,"id":"h","result":{}}
violation server unknown-id
)");
  script.run(kAnswer);
}

TEST(Hostile, AnAnswerCountsOnceAndOnlyAfterItsRequest) {  // M26
  Script script;
  open_legacy(script);
  script.run(R"(
server> {$R,"id":2,"result":{"early":true}}
violation server unknown-id
)");
  script.run(kCall);
  script.run(kAnswer);
  script.run(R"(
server> {$R,"id":2,"result":{"again":true}}
violation server unknown-id
)");
}

TEST(Hostile, MixedShapesAreNoMessages) {  // M27
  for (const std::string_view body :
       {R"("result":{},"error":{"code":1,"message":"x"})", R"("method":"ping","result":{})",
        R"("x":1)", R"("error":{"code":1.5,"message":"x"})", R"("error":"x")"}) {
    Script script;
    open_legacy(script);
    script.run(kCall);
    script.bridge().on_server_line("{\"jsonrpc\":\"2.0\",\"id\":2," + std::string(body) + "}",
                                   script.now());
    // The request is over at once; what the line said is not used.
    const std::string line = script.take_host_line();
    EXPECT_TRUE(line.starts_with(
        R"({"jsonrpc":"2.0","id":"h","error":{"code":-32603,"message":"the server's answer is not valid: )"))
        << line;
    EXPECT_EQ(script.finished.back(), "tools/call failed") << body;
    EXPECT_EQ(script.bridge().in_flight(), 0U);
  }
}

TEST(Hostile, ABrokenAnswerEndsItsRequestAtOnce) {
  struct Case {
    std::string_view name, line, message;
  };

  for (const Case& c : {
           Case{"duplicate", R"({"jsonrpc":"2.0","id":2,"result":{"a":1,"a":2}})", "duplicate"},
           Case{"cut", R"({"jsonrpc":"2.0","id":2,"result":{"a":)", ""},
           Case{"surrogate", R"({"id":2,"jsonrpc":"2.0","result":"\ud800"})", ""},
           Case{"both", R"({"jsonrpc":"2.0","id":2,"result":1,"error":2})", "result and an error"},
       }) {
    Script script;
    open_legacy(script);
    script.run(kCall);
    script.bridge().on_server_line(c.line, script.now());
    EXPECT_EQ(script.finished.back(), "tools/call failed") << c.name;
    EXPECT_NE(script.take_host_line().find(c.message), std::string::npos) << c.name;
    EXPECT_EQ(script.bridge().in_flight(), 0U) << c.name;
  }
}

TEST(Hostile, AnAmbiguousOrForeignIdIsNotSalvaged) {
  for (const std::string_view line :
       {R"({"jsonrpc":"2.0","id":2,"id":3,"result":{}})", R"({"x":{"id":2},"a":1,"a":2})",
        R"({"id":2.5,"a":1,"a":1})", R"({"x":"\"id\":2,","a":1,"a":1})",
        R"([{"id":2,"a":1,"a":1}])"}) {
    Script script;
    open_legacy(script);
    script.run(kCall);
    script.bridge().on_server_line(line, script.now());
    EXPECT_EQ(script.bridge().in_flight(), 1U) << line;
  }
}

TEST(Hostile, StrayLinesAreRecordedAndIgnored) {
  Script script;
  open_legacy(script);
  script.run(kCall);
  script.run(R"(
server> Server listening on port 3000
violation server stray-line
server> {not json
violation server invalid-json
server> 5
violation server invalid-message
server> "text"
violation server invalid-message
)");
  script.bridge().on_server_line("", script.now());
  script.bridge().on_server_line("  ", script.now());
  script.run(kAnswer);
}

TEST(Hostile, BatchesOnlyWhereTheRevisionHasThem) {  // M28
  Script script;
  open_legacy(script);
  script.run(kCall);
  script.run(R"(
server> [{$R,"id":2,"result":{}}]
violation server invalid-message
host> [{$R,"id":5,"method":"ping"}]
violation host invalid-message
host< {$R,"id":null,"error":{"code":-32600,"message":"batches are not part of this protocol revision"}}
)");
  script.run(kAnswer);
}

TEST(Hostile, BatchesOf20250326AreSplitAndCollected) {  // M28
  Script script;
  open_legacy(script, "2025-03-26");
  script.run(R"(
host> [{$R,"id":1,"method":"ping"},{$R,"id":"b","method":"tools/list"},{$R,"method":"notifications/nothing"},7,[],{$R,"id":3,"method":"tools/call","params":{"name":"x"}},{$R,"id":4,"method":"tools/list"}]
server< {$R,"id":2,"method":"tools/list"}
violation host unexpected-notification
violation host invalid-message
violation host invalid-message
server< {$R,"id":3,"method":"tools/call","params":{"name":"x"}}
server< {$R,"id":4,"method":"tools/list"}
host> {$R,"method":"notifications/cancelled","params":{"requestId":4}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":4}}
# answered, but the batch as a whole is not
host> {$R,"id":1,"method":"ping"}
violation host invalid-message
host< {$R,"id":null,"error":{"code":-32600,"message":"this id is in flight already"}}
server> [{$R,"id":3,"result":{"content":[]}},[],{$R,"method":"notifications/tools/list_changed"},{$R,"id":2,"result":{"tools":[]}}]
violation server invalid-message
host< {$R,"method":"notifications/tools/list_changed"}
host< [{$R,"id":1,"result":{}},{$R,"id":null,"error":{"code":-32600,"message":"invalid request: a message is not an object"}},{$R,"id":null,"error":{"code":-32600,"message":"invalid request: a message is not an object"}},{$R,"id":3,"result":{"content":[]}},{$R,"id":"b","result":{"tools":[]}}]
host> [{$R,"method":"notifications/roots/list_changed"}]
host> []
violation host invalid-message
host< {$R,"id":null,"error":{"code":-32600,"message":"a batch must hold 1 to 256 messages"}}
server> []
violation server invalid-message
)");
  std::string huge = "[1";
  for (int i = 0; i < 100'000; ++i) {
    huge += ",1";
  }
  huge += "]";
  script.run("host> " + huge + R"(
violation host invalid-message
host< {$R,"id":null,"error":{"code":-32600,"message":"a batch must hold 1 to 256 messages"}}
server> )" + huge +
             R"(
violation server invalid-message
)");
}

TEST(Hostile, ProgressMustBelongAndGrow) {  // M31
  Script script;
  open_legacy(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":9}}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":2}}}
server> {$R,"method":"notifications/progress","params":{"progressToken":9,"progress":1}}
violation server unexpected-notification
server> {$R,"method":"notifications/progress","params":{"progressToken":"2","progress":1}}
violation server unexpected-notification
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
host< {$R,"method":"notifications/progress","params":{"progressToken":9,"progress":1}}
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
violation server unexpected-notification
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":0.5}}
violation server unexpected-notification
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":"2"}}
violation server unexpected-notification
server> {$R,"id":2,"result":{}}
host< {$R,"id":1,"result":{}}
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":5}}
violation server unexpected-notification
# a request without a token gets no progress
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":3,"method":"tools/list"}
server> {$R,"method":"notifications/progress","params":{"progressToken":3,"progress":5}}
violation server unexpected-notification
)");
}

TEST(Hostile, AFloodOfNotificationsIsCut) {  // M31

  class Counter final : public Bridge::Port {
   public:
    void to_host(std::string_view) override { ++lines; }

    void to_server(std::string_view) override {}

    void restart_server() override {}

    void on_host_opened(Era) override {}

    void on_server_ready(const Negotiated&) override {}

    void on_server_failed(const Error&) override {}

    void on_violation(Side, Violation, std::string_view) override { ++violations; }

    Decision from_host(const Exchange*, const Message&) override { return {}; }

    Decision from_server(const Exchange*, const Message&) override { return {}; }

    void on_finished(const Exchange&, std::string_view, TimePoint) override {}

    int lines = 0;
    int violations = 0;
  };

  Counter port;
  Bridge::Options options;
  options.max_notifications_per_second = 100;
  Bridge bridge(port, options);
  TimePoint now{std::chrono::hours(1)};
  bridge.on_host_line(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
      now);
  bridge.on_server_line(
      R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}})",
      now);
  port.lines = 0;
  for (int i = 0; i < 100'000; ++i) {
    bridge.on_server_line(
        R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})",
        now);
  }
  EXPECT_EQ(port.lines, 200);
  EXPECT_EQ(port.violations, 1);
  now += std::chrono::seconds(10);
  bridge.on_server_line(
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})",
      now);
  EXPECT_EQ(port.lines, 201);
}

TEST(Hostile, WhatOnlyWeMaySayIsTakenOut) {  // I6, M32
  Script script;
  open_legacy(script);
  script.run(kCall);
  script.run(R"(
server> {$R,"id":2,"result":{"_meta":{"calaboose/decision":{"verdict":"allow"},"k":1},"content":[{"_meta":{"\u0063alaboose/x":1}},{"calaboose/kept":1}]}}
violation server reserved
host< {$R,"id":"h","result":{"_meta":{"k":1},"content":[{"_meta":{}},{"calaboose/kept":1}]}}
)");
  script.run(R"(
host> {$R,"id":"h","method":"tools/list"}
server< {$R,"id":3,"method":"tools/list"}
server> {$R,"id":3,"error":{"code":-31001,"message":"denied","data":{"calaboose/decision":{},"k":[{"calaboose/x":1}]}}}
violation server reserved
host< {$R,"id":"h","error":{"code":-32603,"message":"denied","data":{"k":[{}]}}}
)");
}

TEST(Hostile, ResultsAreObjects) {
  Script script;
  open_legacy(script);
  script.run(kCall);
  script.run(R"(
server> {$R,"id":2,"result":[1]}
violation server invalid-result
host< {$R,"id":"h","error":{"code":-32603,"message":"the server's result is not an object"}}
)");
}

TEST(Hostile, ABrokenLineOfTheHostIsAnswered) {  // M20
  Script script;
  open_legacy(script);
  script.bridge().on_host_line(
      R"({"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"\ud83d"}})", script.now());
  script.bridge().on_host_line("{]", script.now());
  script.bridge().on_host_line(R"({"jsonrpc":"1.0","id":8,"method":"x"})", script.now());
  script.bridge().on_host_line(R"({"jsonrpc":"2.0","id":null,"method":"x"})", script.now());
  EXPECT_EQ(script.take_host_line().substr(0, 40), R"({"jsonrpc":"2.0","id":8,"error":{"code":)");
  EXPECT_EQ(script.take_host_line().substr(0, 43),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":)");
  EXPECT_EQ(
      script.take_host_line(),
      R"({"jsonrpc":"2.0","id":8,"error":{"code":-32600,"message":"invalid request: jsonrpc is not \"2.0\""}})");
  EXPECT_EQ(
      script.take_host_line(),
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: the id is neither a string nor an integer"}})");
}

TEST(Hostile, TooManyRequestsAreRefused) {
  Bridge::Options options;
  options.max_in_flight = 2;
  Script script(options);
  open_legacy(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":2,"method":"tools/list"}
host> {$R,"id":2,"method":"tools/list"}
server< {$R,"id":3,"method":"tools/list"}
host> {$R,"id":3,"method":"tools/list"}
host< {$R,"id":3,"error":{"code":-32603,"message":"too many requests are in flight"}}
host> {$R,"id":4,"method":"ping"}
host< {$R,"id":4,"result":{}}
)");
}

}  // namespace
}  // namespace calaboose::mcp
