// SPDX-License-Identifier: Apache-2.0
// Legacy host, legacy server: everything passes as it is, but for ids, tokens and what the host may
// offer.
#include <gtest/gtest.h>

#include "script.h"

namespace calaboose::mcp {
namespace {

constexpr std::string_view kOpen = R"(
host> {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{},"tasks":{},"experimental":{"x":1}},"clientInfo":{"name":"h","version":"1","x":1e400},"extra":[1.0]}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"experimental":{"x":1}},"clientInfo":{"name":"h","version":"1","x":1e400},"extra":[1.0]}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"zoo":{}},"serverInfo":{"name":"s","version":"2"},"instructions":"hi","new":{"a":1.50}}}
host< {$R,"id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"zoo":{}},"serverInfo":{"name":"s","version":"2"},"instructions":"hi","new":{"a":1.50}}}
host> {$R,"method":"notifications/initialized","params":{"_meta":{"k":1}}}
server< {$R,"method":"notifications/initialized","params":{"_meta":{"k":1}}}
)";

TEST(LegacyPair, OpensWithTheHostsOwnInitialize) {
  Script script;
  script.run(kOpen);
  EXPECT_EQ(script.opened, std::vector<std::string>{"legacy"});
  EXPECT_EQ(script.ready, std::vector<std::string>{"legacy 2025-06-18"});
  EXPECT_EQ(script.finished, std::vector<std::string>{"initialize answered"});
}

TEST(LegacyPair, KeepsUnknownFieldsOrderAndNumbersOfEveryKind) {  // I4
  Script script;
  script.run(kOpen);
  script.run(R"(
host> { "params" : {"name":"t","z":1,"arguments":{"a":1.0,"b":"\u0041"},"_meta":{"progressToken":"tok","k":null}}, "x":0, $R, "id":"a\u0062", "method":"tools/call" }
server< {"params":{"name":"t","z":1,"arguments":{"a":1.0,"b":"\u0041"},"_meta":{"progressToken":2,"k":null}},"x":0,$R,"id":2,"method":"tools/call"}
server> {"y":1,$R,"method":"notifications/progress","params":{"progressToken":2,"progress":0.50,"q":[]}}
host< {"y":1,$R,"method":"notifications/progress","params":{"progressToken":"tok","progress":0.50,"q":[]}}
server> {"result":{"content":[],"n":1E5,"_meta":{"k":1}},"id":2,$R,"top":{}}
host< {"result":{"content":[],"n":1E5,"_meta":{"k":1}},"id":"a\u0062",$R,"top":{}}
host> {$R,"id":5,"method":"resources/read","params":{"uri":"x:y"}}
server< {$R,"id":3,"method":"resources/read","params":{"uri":"x:y"}}
server> {"error":{"code":-32002,"message":"no","data":{"uri":"x:y"},"more":1},$R,"id":3,"top":1}
host< {"error":{"code":-32002,"message":"no","data":{"uri":"x:y"},"more":1},$R,"id":5,"top":1}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{"a":1}},"z":1}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{"a":1}},"z":1}
server> {$R,"method":"notifications/message","params":{"level":"info","data":1.0,"x":1}}
host< {$R,"method":"notifications/message","params":{"level":"info","data":1.0,"x":1}}
server> {$R,"method":"notifications/vendor/thing","params":{"x":1}}
host< {$R,"method":"notifications/vendor/thing","params":{"x":1}}
)");
}

TEST(LegacyPair, CancelsBothWays) {  // M26
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":"7","method":"tools/call","params":{"name":"slow"}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"slow"}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":7,"reason":"other type"}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":"7","reason":"user","x":1}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":2,"reason":"user","x":1}}
server> {$R,"id":2,"result":{}}
violation server late-response
host> {$R,"method":"notifications/cancelled","params":{"requestId":"7"}}
server> {$R,"method":"notifications/cancelled","params":{"requestId":9}}
)");
  EXPECT_EQ(script.finished.back(), "tools/call cancelled");
  EXPECT_EQ(script.bridge().in_flight(), 0U);
}

TEST(LegacyPair, AnswersPingsHere) {
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":4,"method":"ping"}
host< {$R,"id":4,"result":{}}
server> {$R,"id":"p1","method":"ping"}
server< {$R,"id":"p1","result":{}}
)");
}

TEST(LegacyPair, RefusesWhatIsNoMethod) {
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":4,"method":"tools/destroy"}
host< {$R,"id":4,"error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":5,"method":"subscriptions/listen","params":{}}
host< {$R,"id":5,"error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":6,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
host< {$R,"id":6,"error":{"code":-32600,"message":"this session was opened with initialize already"}}
host> {$R,"method":"notifications/nothing"}
violation host unexpected-notification
)");
}

TEST(LegacyPair, RefusesAnIdThatIsInFlight) {  // M33
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":"a","method":"tools/list"}
server< {$R,"id":2,"method":"tools/list"}
host> {$R,"id":"\u0061","method":"tools/list"}
violation host invalid-message
host< {$R,"id":null,"error":{"code":-32600,"message":"this id is in flight already"}}
server> {$R,"id":2,"result":{"tools":[]}}
host< {$R,"id":"a","result":{"tools":[]}}
host> {$R,"id":"a","method":"tools/list"}
server< {$R,"id":3,"method":"tools/list"}
)");
}

TEST(LegacyPair, WaitsForTheServerAndKeepsTheOrder) {
  Script script;
  script.run(R"(
host> {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
host> {$R,"id":2,"method":"tools/list"}
host> {$R,"id":3,"method":"tools/call","params":{"name":"a"}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":2}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}
host< {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
)");
}

TEST(LegacyPair, FailsClearlyOnAnUnknownRevision) {  // M45
  Script script;
  script.run(R"(
host> {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server> {$R,"id":1,"result":{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{}}}
host< {$R,"id":1,"error":{"code":-32603,"message":"the server answered initialize with a protocol revision that is not supported here: 1999-01-01"}}
host> {$R,"id":2,"method":"tools/list"}
host< {$R,"id":2,"error":{"code":-32603,"message":"the server answered initialize with a protocol revision that is not supported here: 1999-01-01"}}
)");
  EXPECT_EQ(script.failed.size(), 1U);
}

TEST(LegacyPair, PassesTheServersRefusalOfInitialize) {
  Script script;
  script.run(R"(
host> {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server> {$R,"id":1,"error":{"code":-32000,"message":"no key","data":{"k":1}}}
host< {$R,"id":1,"error":{"code":-32000,"message":"no key","data":{"k":1}}}
host> {$R,"id":2,"method":"tools/list"}
host< {$R,"id":2,"error":{"code":-32603,"message":"the server refused initialize with error -32000"}}
)");
}

TEST(LegacyPair, AnswersEverythingWhenTheServerDies) {  // I9
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":2,"method":"tools/list"}
closed the server exited with status 3
host< {$R,"id":1,"error":{"code":-32603,"message":"the server exited with status 3","data":{"hint":"see its log"}}}
host> {$R,"id":2,"method":"tools/list"}
host< {$R,"id":2,"error":{"code":-32603,"message":"the server exited with status 3","data":{"hint":"see its log"}}}
server> {$R,"id":3,"result":{}}
)");
  EXPECT_EQ(script.failed, std::vector<std::string>{"the server exited with status 3"});
  EXPECT_EQ(script.finished.back(), "tools/list failed");
}

TEST(LegacyPair, AnswersInitializeWhenTheServerDiesBefore) {
  Script script;
  script.run(R"(
host> {$R,"id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
closed the server exited with status 127
host< {$R,"id":"i","error":{"code":-32603,"message":"the server exited with status 127","data":{"hint":"see its log"}}}
)");
}

TEST(LegacyPair, PassesServerRequestsOnlyWhenAllowed) {  // M29, M34
  Script closed;
  closed.run(kOpen);
  closed.run(R"(
server> {$R,"id":1,"method":"sampling/createMessage","params":{}}
violation server unexpected-request
server< {$R,"id":1,"error":{"code":-32601,"message":"Method not found"}}
)");
  Bridge::Options options;
  options.allow_client_capabilities = true;
  Script open(options);
  open.run(R"(
host> {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}}}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}
host< {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}}
host> {$R,"method":"notifications/initialized"}
server< {$R,"method":"notifications/initialized"}
server> {$R,"id":"r","method":"roots/list","x":1}
host< {$R,"id":1,"method":"roots/list","x":1}
server> {$R,"id":"s","method":"sampling/createMessage","params":{}}
violation server unexpected-request
server< {$R,"id":"s","error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":1,"result":{"roots":[]},"y":2}
server< {$R,"id":"r","result":{"roots":[]},"y":2}
host> {$R,"id":1,"result":{"roots":[]}}
violation host unknown-id
)");
}

TEST(LegacyPair, OpensAheadOfTheHost) {
  Bridge::Options options;
  options.fallback_client_info = R"({"name":"us","version":"1"})";
  Script script(options);
  script.bridge().start_server(EraChoice::kOnlyLegacy, script.now());
  script.run(R"(
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"us","version":"1"}}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{}}}
server< {$R,"method":"notifications/initialized"}
server> {$R,"method":"notifications/tools/list_changed"}
host> {$R,"id":9,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}}}}
host< {$R,"id":9,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{}}}
host> {$R,"method":"notifications/initialized"}
)");
}

}  // namespace
}  // namespace calaboose::mcp
