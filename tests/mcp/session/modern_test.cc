// SPDX-License-Identifier: Apache-2.0
// Modern host, modern server: nothing but ids, tokens, subscription ids and declared capabilities
// changes.
#include <gtest/gtest.h>

#include "script.h"

namespace calaboose::mcp {
namespace {

constexpr std::string_view kOpen = R"(
host> {$R,"id":"d","method":"server/discover","params":{$META}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{$META1}}
server> {$R,"id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"extensions":{"io.modelcontextprotocol/tasks":{},"a.b/c":{}}},"instructions":"i","ttlMs":5,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"new":1.0}}
host< {$R,"id":"d","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"extensions":{"a.b/c":{}}},"instructions":"i","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"new":1.0}}
)";

void prepare(Script& script) {
  script.add(
      "META1",
      R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{}})");
  script.run(kOpen);
}

TEST(ModernPair, AnswersDiscoverFromTheProbe) {
  Script script;
  prepare(script);
  EXPECT_EQ(script.opened, std::vector<std::string>{"modern"});
  EXPECT_EQ(script.ready, std::vector<std::string>{"modern 2026-07-28"});
}

TEST(ModernPair, KeepsUnknownFieldsOrderAndNumbersOfEveryKind) {  // I4
  Script script;
  prepare(script);
  script.run(R"(
host> {"x":0,$R,"id":7,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0},"_meta":{"traceparent":"00-1","progressToken":"p",$VERSION,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{},"u/v":{}}},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"}}}}
server< {"x":0,$R,"id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":1.0},"_meta":{"traceparent":"00-1","progressToken":1,$VERSION,"io.modelcontextprotocol/clientCapabilities":{"extensions":{"u/v":{}}},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"}}}}
server> {$R,"method":"notifications/progress","params":{"progressToken":1,"progress":1,"_meta":{"z":1}}}
host< {$R,"method":"notifications/progress","params":{"progressToken":"p","progress":1,"_meta":{"z":1}}}
server> {$R,"id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"\u0041"}],"structuredContent":[1.0,1E400],"new":1},"top":2}
host< {$R,"id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"\u0041"}],"structuredContent":[1.0,1E400],"new":1},"top":2}
)");
}

TEST(ModernPair, ChecksTheMetadataOfEachRequest) {
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{"_meta":{$VERSION}}}
host< {$R,"id":1,"error":{"code":-32602,"message":"_meta: io.modelcontextprotocol/clientCapabilities is missing or malformed"}}
host> {$R,"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}}
host< {$R,"id":1,"error":{"code":-32602,"message":"_meta: io.modelcontextprotocol/protocolVersion must be a string"}}
host> {$R,"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
host< {$R,"id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2030-01-01"}}}
host> {$R,"id":1,"method":"tools/list","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"loud"}}}
host< {$R,"id":1,"error":{"code":-32602,"message":"_meta: io.modelcontextprotocol/logLevel is missing or malformed"}}
host> {$R,"id":1,"method":"initialize","params":{$META}}
host< {$R,"id":1,"error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":1,"method":"ping","params":{$META}}
host< {$R,"id":1,"error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":1,"method":"tasks/get","params":{$META,"taskId":"t"}}
host< {$R,"id":1,"error":{"code":-32601,"message":"Method not found"}}
host> {$R,"id":1,"method":"completion/complete","params":{$META}}
host< {$R,"id":1,"error":{"code":-32601,"message":"Method not found: the server does not offer it"}}
host> {$R,"id":1,"method":"tools/call","params":{$META}}
host< {$R,"id":1,"error":{"code":-32602,"message":"params.name must be a string"}}
)");
}

TEST(ModernPair, PinsTheEraOfTheHost) {
  Script script;
  prepare(script);
  // server/discover has not pinned; the first other request does.
  script.run(R"(
host> {$R,"id":1,"method":"tools/list"}
host< {$R,"id":1,"error":{"code":-32602,"message":"neither initialize nor _meta: io.modelcontextprotocol/protocolVersion"}}
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":1,"method":"tools/list","params":{$META}}
server> {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}
host< {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}
host> {$R,"id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
host< {$R,"id":2,"error":{"code":-32022,"message":"this session speaks 2026-07-28","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
host> {$R,"id":3,"method":"tools/list"}
host< {$R,"id":3,"error":{"code":-32602,"message":"_meta: io.modelcontextprotocol/protocolVersion is missing"}}
)");
}

TEST(ModernPair, InitializePinsLegacy) {
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}
host< {$R,"id":1,"result":{"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{}},"instructions":"i","new":1.0,"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"}}}
host> {$R,"id":2,"method":"tools/list","params":{$META}}
host< {$R,"id":2,"error":{"code":-32600,"message":"this session was opened with initialize"}}
)");
}

TEST(ModernPair, UnknownResultTypeIsInvalid) {  // M30
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server> {$R,"id":1,"result":{"resultType":"surprise","content":[]}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server's result is of a type that the protocol does not have here"}}
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":2,"method":"tools/call","params":{$META,"name":"a"}}
server> {$R,"id":2,"result":{"resultType":"task","taskId":"t"}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server's result is of a type that the protocol does not have here"}}
# absent: complete
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":3,"method":"tools/call","params":{$META,"name":"a"}}
server> {$R,"id":3,"result":{"content":[]}}
violation server invalid-result
host< {$R,"id":1,"result":{"content":[],"resultType":"complete"}}
)");
}

TEST(ModernPair, AskingForInputNeedsAnOffer) {  // M39, M34
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}
server< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{}}}}
server> {$R,"id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"password?"}}}}}
violation server invalid-result
host< {$R,"id":1,"result":{"content":[{"type":"text","text":"the server asked for input; input requests are not available in this version"}],"isError":true,"resultType":"complete"}}
host> {$R,"id":2,"method":"prompts/get","params":{$META,"name":"a"}}
server< {$R,"id":2,"method":"prompts/get","params":{$META,"name":"a"}}
server> {$R,"id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}}
violation server invalid-result
host< {$R,"id":2,"error":{"code":-32603,"message":"the server asked for input; input requests are not available in this version"}}
# on a method that may not ask; with neither field
host> {$R,"id":3,"method":"tools/list","params":{$META}}
server< {$R,"id":3,"method":"tools/list","params":{$META}}
server> {$R,"id":3,"result":{"resultType":"input_required","requestState":"x"}}
violation server invalid-result
host< {$R,"id":3,"error":{"code":-32603,"message":"the server asked for input where the protocol has none"}}
host> {$R,"id":4,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":4,"method":"tools/call","params":{$META,"name":"a"}}
server> {$R,"id":4,"result":{"resultType":"input_required"}}
violation server invalid-result
host< {$R,"id":4,"error":{"code":-32603,"message":"the server asked for input in a form that the protocol does not have"}}
# only a state: the host may come again
host> {$R,"id":5,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":5,"method":"tools/call","params":{$META,"name":"a"}}
server> {$R,"id":5,"result":{"resultType":"input_required","requestState":"s\u0041"}}
host< {$R,"id":5,"result":{"resultType":"input_required","requestState":"s\u0041"}}
host> {$R,"id":6,"method":"tools/call","params":{$META,"name":"a","requestState":"s\u0041"}}
server< {$R,"id":6,"method":"tools/call","params":{$META,"name":"a","requestState":"s\u0041"}}
)");
}

TEST(ModernPair, AskingForInputPassesWhenDeclaredAndAllowed) {  // M39
  Bridge::Options options;
  options.allow_client_capabilities = true;
  Script script(options);
  script.add(
      "META1",
      R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{}})");
  script.add(
      "FORM",
      R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})");
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a",$FORM}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{$META1}}
server> {$R,"id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":5,"cacheScope":"public"}}
server< {$R,"id":1,"method":"tools/call","params":{"name":"a",$FORM}}
server> {$R,"id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}}}}
host< {$R,"id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}}}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"a",$FORM}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a",$FORM}}
server> {$R,"id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url"}}}}}
violation server invalid-result
host< {$R,"id":2,"result":{"content":[{"type":"text","text":"the server asked for input; input requests are not available in this version"}],"isError":true,"resultType":"complete"}}
)");
}

TEST(ModernPair, ListensWithTheHostsOwnId) {  // M40
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":"L","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a"]}}}
server< {$R,"id":1,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a"]}}}
# before the acknowledgement
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:"1"},"notifications":{"toolsListChanged":true}}}
violation server unexpected-notification
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:1,"k":1},"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a"]}}}
host< {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:"L","k":1},"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a"]}}}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:"L"}}}
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a/b","_meta":{$SUB:1}}}
host< {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a/b","_meta":{$SUB:"L"}}}
# of a type, for a URI, under an id that was not asked for; untagged; acknowledged again
server> {$R,"method":"notifications/prompts/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/ab","_meta":{$SUB:1}}}
violation server unexpected-notification
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:2}}}
violation server unexpected-notification
server> {$R,"method":"notifications/tools/list_changed"}
violation server unexpected-notification
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:1},"notifications":{}}}
violation server unexpected-notification
# no timeout once acknowledged
wait 700000
server> {$R,"id":1,"result":{"resultType":"complete","_meta":{$SUB:1}}}
host< {$R,"id":"L","result":{"resultType":"complete","_meta":{$SUB:"L"}}}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
)");
}

TEST(ModernPair, ListenEndsByEitherSide) {
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
server< {$R,"id":1,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":1}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":1}}
host> {$R,"id":2,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
server< {$R,"id":2,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
server> {$R,"method":"notifications/cancelled","params":{"requestId":2,"reason":"bye"}}
host< {$R,"method":"notifications/cancelled","params":{"requestId":2,"reason":"bye"}}
server> {$R,"method":"notifications/cancelled","params":{"requestId":2}}
violation server unexpected-notification
host> {$R,"id":3,"method":"subscriptions/listen","params":{$META}}
host< {$R,"id":3,"error":{"code":-32602,"message":"params.notifications is missing or malformed"}}
# not acknowledged in time
host> {$R,"id":4,"method":"subscriptions/listen","params":{$META,"notifications":{}}}
server< {$R,"id":3,"method":"subscriptions/listen","params":{$META,"notifications":{}}}
wait 60000
server< {$R,"method":"notifications/cancelled","params":{"requestId":3,"reason":"timeout"}}
host< {$R,"id":4,"error":{"code":-32603,"message":"the server did not answer within 60000 ms","data":{"hint":"raise the timeout of this server, or see its log"}}}
)");
  EXPECT_EQ(script.bridge().in_flight(), 0U);
}

TEST(ModernPair, AnAcknowledgementCannotWiden) {  // M40
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
server< {$R,"id":1,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:1},"notifications":{"toolsListChanged":true,"promptsListChanged":true}}}
violation server unexpected-notification
host< {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:1},"notifications":{"toolsListChanged":true}}}
server> {$R,"method":"notifications/prompts/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
)");
}

TEST(ModernPair, LogMessagesOnlyWhileAskedFor) {  // M31
  Script script;
  prepare(script);
  script.add(
      "LOG",
      R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"warning"})");
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a",$LOG}}
server< {$R,"id":1,"method":"tools/call","params":{"name":"a",$LOG}}
server> {$R,"method":"notifications/message","params":{"level":"info","data":"x"}}
violation server unexpected-notification
server> {$R,"method":"notifications/message","params":{"level":"error","data":"x"}}
host< {$R,"method":"notifications/message","params":{"level":"error","data":"x"}}
server> {$R,"id":1,"result":{"resultType":"complete","content":[]}}
host< {$R,"id":1,"result":{"resultType":"complete","content":[]}}
server> {$R,"method":"notifications/message","params":{"level":"error","data":"x"}}
violation server unexpected-notification
)");
}

TEST(ModernPair, ServerRequestsAreOnlyRecorded) {  // M29
  Script script;
  prepare(script);
  script.run(R"(
server> {$R,"id":1,"method":"ping"}
violation server unexpected-request
server> {$R,"id":2,"method":"elicitation/create","params":{}}
violation server unexpected-request
)");
}

TEST(ModernPair, CacheHintsAreCapped) {  // M41
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":1,"method":"tools/list","params":{$META}}
server> {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":-5,"cacheScope":"everybody"}}
violation server invalid-result
host< {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":2,"method":"tools/list","params":{$META}}
server> {$R,"id":2,"result":{"resultType":"complete","tools":[],"ttlMs":315360000000,"cacheScope":"public"}}
violation server invalid-result
host< {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":86400000,"cacheScope":"public"}}
)");
}

TEST(ModernPair, PagesPassUnchangedButNeverRepeat) {  // M42
  Script script;
  prepare(script);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{$META,"cursor":""}}
server< {$R,"id":1,"method":"tools/list","params":{$META,"cursor":""}}
server> {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","nextCursor":"\u0070"}}
host< {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","nextCursor":"\u0070"}}
host> {$R,"id":1,"method":"tools/list","params":{$META,"cursor":"p"}}
server< {$R,"id":2,"method":"tools/list","params":{$META,"cursor":"p"}}
server> {$R,"id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","nextCursor":"\u0070"}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server repeats a page of its list"}}
host> {$R,"id":1,"method":"tools/list","params":{$META,"cursor":""}}
server< {$R,"id":3,"method":"tools/list","params":{$META,"cursor":""}}
server> {$R,"id":3,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","nextCursor":""}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server repeats a page of its list"}}
)");
}

}  // namespace
}  // namespace calaboose::mcp
