// SPDX-License-Identifier: Apache-2.0
// What the owner's hooks see and can do.
#include <gtest/gtest.h>

#include "script.h"

namespace calaboose::mcp {
namespace {

constexpr std::string_view kOpen = R"(
host> {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{}}}
host< {$R,"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{}}}
)";

Decision replace_with(std::string text) {
  Decision decision;
  decision.kind = Decision::Kind::kReplace;
  decision.text = std::move(text);
  return decision;
}

TEST(Hooks, SeeEveryExchange) {
  Script script;
  std::vector<std::string> seen;
  const auto note = [&](const char* side) {
    return [&seen, side](const Exchange* exchange, const Message& message) {
      seen.push_back(std::string(side) + " " +
                     (exchange == nullptr ? "- " + message.method
                                          : exchange->method + " " + exchange->name + " " +
                                                exchange->host_id + " " + exchange->server_id));
      return Decision();
    };
  };
  script.host_hook = note("host");
  script.server_hook = note("server");
  script.run(kOpen);
  script.run(R"(
host> {$R,"method":"notifications/initialized"}
server< {$R,"method":"notifications/initialized"}
host> {$R,"id":"q","method":"tools/call","params":{"name":"x\u0041","_meta":{"progressToken":1}}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"x\u0041","_meta":{"progressToken":2}}}
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
host< {$R,"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
server> {$R,"id":2,"result":{}}
host< {$R,"id":"q","result":{}}
server> {$R,"method":"notifications/tools/list_changed"}
host< {$R,"method":"notifications/tools/list_changed"}
host> {$R,"id":1,"method":"ping"}
host< {$R,"id":1,"result":{}}
)");
  EXPECT_EQ(seen,
            (std::vector<std::string>{
                "host initialize  0 ", "server initialize  0 1", "host - notifications/initialized",
                "host tools/call xA \"q\" 2", "server tools/call xA \"q\" 2",
                "server tools/call xA \"q\" 2", "server - notifications/tools/list_changed"}));
}

TEST(Hooks, ReplaceBothWays) {
  Script script;
  script.run(kOpen);
  script.host_hook = [](const Exchange*, const Message&) {
    return replace_with(
        R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","arguments":{"safe":true}}})");
  };
  script.server_hook = [](const Exchange*, const Message&) {
    return replace_with(
        R"({"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"calaboose/findings":[]}}})");
  };
  script.run(R"(
host> {$R,"id":5,"method":"tools/call","params":{"name":"a"}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a","arguments":{"safe":true}}}
server> {$R,"id":2,"result":{"content":["bad"]}}
host< {$R,"id":5,"result":{"content":[],"_meta":{"calaboose/findings":[]}}}
)");
}

TEST(Hooks, ABadReplacementIsAnInternalError) {
  for (const std::string_view text :
       {"{", R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"a"}})",
        R"({"jsonrpc":"2.0","id":5,"method":"tools/list"})",
        R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}})",
        R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"a":1,"a":2}})"}) {
    Script script;
    script.run(kOpen);
    script.host_hook = [text](const Exchange*, const Message&) {
      return replace_with(std::string(text));
    };
    script.run(R"(
host> {$R,"id":5,"method":"tools/call","params":{"name":"a"}}
host< {$R,"id":5,"error":{"code":-32603,"message":"the request could not be re-written"}}
)");
  }
  Script script;
  script.run(kOpen);
  script.server_hook = [](const Exchange*, const Message&) {
    return replace_with(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  };
  script.run(R"(
host> {$R,"id":5,"method":"tools/call","params":{"name":"a"}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
server> {$R,"id":2,"result":{}}
host< {$R,"id":5,"error":{"code":-32603,"message":"the answer could not be re-written"}}
)");
}

TEST(Hooks, RefuseRequestsResultsAndNotifications) {
  Script script;
  script.run(kOpen);
  script.host_hook = [](const Exchange* exchange, const Message&) {
    Decision decision;
    decision.kind = Decision::Kind::kRefuse;
    decision.code = -31001;
    decision.message = "no";
    decision.text = R"({"rule": "r1"})";
    if (exchange != nullptr && exchange->name == "as_result") {
      decision.as_tool_result = true;
      decision.text = R"({"content":[],"isError":true})";
    }
    return decision;
  };
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
host< {$R,"id":1,"error":{"code":-31001,"message":"no","data":{"rule":"r1"}}}
host> {$R,"id":1,"method":"tools/call","params":{"name":"as_result"}}
host< {$R,"id":1,"result":{"content":[],"isError":true}}
host> {$R,"method":"notifications/initialized"}
server< {$R,"method":"notifications/initialized"}
)");
  EXPECT_EQ(script.finished.back(), "tools/call refused");
  script.host_hook = nullptr;
  script.server_hook = [](const Exchange*, const Message&) {
    Decision decision;
    decision.kind = Decision::Kind::kRefuse;
    decision.message = "blocked";
    return decision;
  };
  script.run(R"(
server> {$R,"method":"notifications/tools/list_changed"}
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":2,"method":"tools/list"}
server> {$R,"id":2,"result":{"tools":[]}}
host< {$R,"id":1,"error":{"code":-31001,"message":"blocked"}}
)");
}

TEST(Hooks, ARefusedToolCallHasItsTypeInTheModernEra) {
  Script script;
  script.bridge().set_era_hint(EraChoice::kOnlyModern);
  script.run(R"(
host> {$R,"id":1,"method":"server/discover","params":{$META}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{}}}}
server> {$R,"id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}
host< {$R,"id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}
)");
  script.host_hook = [](const Exchange*, const Message&) {
    Decision decision;
    decision.kind = Decision::Kind::kRefuse;
    decision.as_tool_result = true;
    decision.text = R"({"content":[],"isError":true})";
    return decision;
  };
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
host< {$R,"id":1,"result":{"content":[],"isError":true,"resultType":"complete"}}
)");
}

TEST(Hooks, HostClosingCancelsWhatIsInFlight) {
  Script script;
  script.run(kOpen);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":2,"method":"tools/list"}
)");
  script.bridge().on_host_closed(script.now());
  script.run(R"(
server< {$R,"method":"notifications/cancelled","params":{"requestId":2,"reason":"the host has closed the session"}}
server> {$R,"id":2,"result":{}}
violation server late-response
server> {$R,"method":"notifications/tools/list_changed"}
)");
  EXPECT_EQ(script.finished.back(), "tools/list cancelled");
}

}  // namespace
}  // namespace calaboose::mcp
