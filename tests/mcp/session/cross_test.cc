// SPDX-License-Identifier: Apache-2.0
// Host and server of different eras (protocol.md section 13).
#include <gtest/gtest.h>

#include "script.h"

namespace calaboose::mcp {
namespace {

// Modern host, legacy server.

void open_modern_legacy(Script& script) {
  script.add(
      "LOG",
      R"("_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":)");
  script.run(R"(
host> {$R,"id":"d","method":"server/discover","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"}}}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"}}}}
server> {$R,"id":"calaboose-probe-1","error":{"code":-32601,"message":"Method not found"}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{},"tasks":{}},"serverInfo":{"name":"s","version":"2"},"instructions":"hi","_meta":{"k":1},"new":1.0}}
server< {$R,"method":"notifications/initialized"}
host< {$R,"id":"d","result":{"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{}},"instructions":"hi","_meta":{"k":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}},"new":1.0,"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"]}}
)");
}

TEST(ModernHostLegacyServer, TranslatesCalls) {
  Script script;
  open_modern_legacy(script);
  EXPECT_EQ(script.ready, std::vector<std::string>{"legacy 2025-06-18"});
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":2,"method":"tools/list","params":{}}
server> {$R,"id":2,"result":{"tools":[{"name":"a","execution":{"taskSupport":"optional"},"x":1},{"name":"b"}],"nextCursor":""}}
host< {$R,"id":1,"result":{"tools":[{"name":"a","x":1},{"name":"b"}],"nextCursor":"","resultType":"complete","ttlMs":0,"cacheScope":"private"}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"a","task":{"ttl":1},"_meta":{"foreign":1,$VERSION,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"progressToken":"p"}}}
server< {$R,"id":3,"method":"tools/call","params":{"name":"a","_meta":{"foreign":1,"progressToken":3}}}
server> {$R,"method":"notifications/progress","params":{"progressToken":3,"progress":1}}
host< {$R,"method":"notifications/progress","params":{"progressToken":"p","progress":1}}
server> {$R,"id":3,"result":{"content":[],"isError":true,"resultType":"odd"}}
host< {$R,"id":2,"result":{"content":[],"isError":true,"resultType":"complete"}}
host> {$R,"id":3,"method":"tools/call","params":{$META,"name":"a","requestState":"x"}}
host< {$R,"id":3,"error":{"code":-32602,"message":"this server never asked for input"}}
host> {$R,"id":3,"method":"prompts/list","params":{$META}}
host< {$R,"id":3,"error":{"code":-32601,"message":"Method not found: the server does not offer it"}}
host> {$R,"id":4,"method":"tools/call","params":{$META,"name":"slow"}}
server< {$R,"id":4,"method":"tools/call","params":{"name":"slow"}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":4}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":4}}
)");
}

TEST(ModernHostLegacyServer, TranslatesErrors) {
  Script script;
  open_modern_legacy(script);
  script.run(R"(
host> {$R,"id":1,"method":"resources/read","params":{$META,"uri":"f:/\u0061"}}
server< {$R,"id":2,"method":"resources/read","params":{"uri":"f:/\u0061"}}
server> {$R,"id":2,"error":{"code":-32002,"message":"gone"}}
host< {$R,"id":1,"error":{"code":-32602,"message":"gone","data":{"uri":"f:/a"}}}
host> {$R,"id":1,"method":"resources/read","params":{$META,"uri":"f:/a"}}
server< {$R,"id":3,"method":"resources/read","params":{"uri":"f:/a"}}
server> {$R,"id":3,"error":{"code":-32002,"message":"gone","data":{"uri":"f:/b","k":1}}}
host< {$R,"id":1,"error":{"code":-32602,"message":"gone","data":{"uri":"f:/b","k":1}}}
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":4,"method":"tools/call","params":{"name":"a"}}
server> {$R,"id":4,"error":{"code":-32042,"message":"url","data":{"elicitations":[]}}}
host< {$R,"id":1,"error":{"code":-32603,"message":"url","data":{"elicitations":[]}}}
host> {$R,"id":1,"method":"tools/call","params":{$META,"name":"a"}}
server< {$R,"id":5,"method":"tools/call","params":{"name":"a"}}
server> {$R,"id":5,"error":{"code":-32050,"message":"x"}}
host< {$R,"id":1,"error":{"code":-32603,"message":"x"}}
)");
}

TEST(ModernHostLegacyServer, LogLevelFollowsTheRequests) {  // M31
  Script script;
  open_modern_legacy(script);
  script.run(R"(
# before the host has opened in earnest: to nobody
server> {$R,"method":"notifications/message","params":{"level":"error","data":1}}
host> {$R,"id":1,"method":"tools/call","params":{"name":"a",$LOG"warning"}}}
server< {$R,"id":2,"method":"logging/setLevel","params":{"level":"warning"}}
server< {$R,"id":3,"method":"tools/call","params":{"name":"a"}}
server> {$R,"id":2,"result":{}}
server> {$R,"method":"notifications/message","params":{"level":"info","data":1}}
violation server unexpected-notification
server> {$R,"method":"notifications/message","params":{"level":"error","data":1,"x":1}}
host< {$R,"method":"notifications/message","params":{"level":"error","data":1,"x":1}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"b",$LOG"error"}}}
server< {$R,"id":4,"method":"tools/call","params":{"name":"b"}}
host> {$R,"id":3,"method":"tools/call","params":{"name":"c",$LOG"debug"}}}
server< {$R,"id":5,"method":"logging/setLevel","params":{"level":"debug"}}
server< {$R,"id":6,"method":"tools/call","params":{"name":"c"}}
server> {$R,"method":"notifications/message","params":{"level":"debug","data":1}}
host< {$R,"method":"notifications/message","params":{"level":"debug","data":1}}
server> {$R,"id":3,"result":{"content":[]}}
host< {$R,"id":1,"result":{"content":[],"resultType":"complete"}}
server> {$R,"id":4,"result":{"content":[]}}
host< {$R,"id":2,"result":{"content":[],"resultType":"complete"}}
server> {$R,"id":6,"result":{"content":[]}}
host< {$R,"id":3,"result":{"content":[],"resultType":"complete"}}
server> {$R,"method":"notifications/message","params":{"level":"emergency","data":1}}
violation server unexpected-notification
)");
}

TEST(ModernHostLegacyServer, ServesSubscriptions) {  // M40
  Script script;
  open_modern_legacy(script);
  script.run(R"(
server> {$R,"method":"notifications/tools/list_changed"}
host> {$R,"id":"L","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true,"promptsListChanged":true}}}
host< {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:"L"},"notifications":{"toolsListChanged":true}}}
host> {$R,"id":2,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a","f:/b","f:/a"]}}}
server< {$R,"id":2,"method":"resources/subscribe","params":{"uri":"f:/a"}}
server< {$R,"id":3,"method":"resources/subscribe","params":{"uri":"f:/b"}}
server> {$R,"id":2,"result":{}}
# not acknowledged yet: only the first listen hears
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{"k":1},"x":2}}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{"k":1,$SUB:"L"},"x":2}}
server> {$R,"id":3,"error":{"code":-32002,"message":"no"}}
host< {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:2},"notifications":{"toolsListChanged":true,"resourceSubscriptions":["f:/a"]}}}
server> {$R,"method":"notifications/tools/list_changed"}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:"L"}}}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:2}}}
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a"}}
host< {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a","_meta":{$SUB:2}}}
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/b"}}
server> {$R,"method":"notifications/prompts/list_changed"}
# shared by a third one, so that the end of the second does not unsubscribe
host> {$R,"id":3,"method":"subscriptions/listen","params":{$META,"notifications":{"resourceSubscriptions":["f:/a"]}}}
host< {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:3},"notifications":{"resourceSubscriptions":["f:/a"]}}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":2}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":3}}
server< {$R,"id":4,"method":"resources/unsubscribe","params":{"uri":"f:/a"}}
closed gone
host< {$R,"id":"L","error":{"code":-32603,"message":"gone","data":{"hint":"see its log"}}}
)");
  EXPECT_EQ(script.bridge().in_flight(), 0U);
}

TEST(ModernHostLegacyServer, ServerRequestsAreRefused) {  // M29, M34
  Script script;
  open_modern_legacy(script);
  script.run(R"(
server> {$R,"id":1,"method":"elicitation/create","params":{}}
violation server unexpected-request
server< {$R,"id":1,"error":{"code":-32601,"message":"Method not found"}}
server> {$R,"id":2,"method":"ping"}
server< {$R,"id":2,"result":{}}
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":2,"method":"tools/list","params":{}}
server> {$R,"method":"notifications/vendor"}
violation server unexpected-notification
server> {$R,"method":"notifications/message","params":{"level":"error","data":1}}
violation server unexpected-notification
)");
}

TEST(ModernHostLegacyServer, RestartsAServerThatDiesOfTheProbe) {
  Script script;
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{}}}}
closed the server exited
restart
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}
server> {$R,"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{}}}
server< {$R,"method":"notifications/initialized"}
server< {$R,"id":2,"method":"tools/list","params":{}}
server> {$R,"id":2,"result":{"tools":[]}}
host< {$R,"id":1,"result":{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}}
)");
}

TEST(ModernHostLegacyServer, ARememberedVerdictSkipsTheProbe) {
  Script script;
  script.bridge().set_era_hint(EraChoice::kOnlyLegacy);
  script.run(R"(
host> {$R,"id":1,"method":"tools/list","params":{$META}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}
)");
}

// Legacy host, modern server.

void open_legacy_modern(Script& script, const std::string& capabilities) {
  script.bridge().set_era_hint(EraChoice::kOnlyModern);
  script.add("CAPS", capabilities);
  script.add(
      "CLIENT",
      R"("io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"})");
  script.run(R"(
host> {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"h","version":"1"}}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{"_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":$CAPS,"instructions":"i","ttlMs":1,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"3"}},"new":1}}
host< {$R,"id":0,"result":{"capabilities":$CAPS,"instructions":"i","new":1,"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"3"}}}
)");
}

TEST(LegacyHostModernServer, TranslatesCalls) {
  Script script;
  open_legacy_modern(script, R"({"tools":{},"logging":{}})");
  script.run(R"(
host> {$R,"method":"notifications/initialized"}
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":1,"method":"tools/list","params":{"_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":1,"result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"public","k":1,"_meta":{"io.modelcontextprotocol/serverInfo":{},"z":1}}}
host< {$R,"id":1,"result":{"tools":[],"k":1,"_meta":{"z":1}}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"a","_meta":{"foreign":1,"progressToken":5}}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a","_meta":{"foreign":1,"progressToken":2,$VERSION,$CLIENT}}}
server> {$R,"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
host< {$R,"method":"notifications/progress","params":{"progressToken":5,"progress":1}}
server> {$R,"id":2,"result":{"resultType":"complete","content":[]}}
host< {$R,"id":2,"result":{"content":[]}}
host> {$R,"id":3,"method":"ping"}
host< {$R,"id":3,"result":{}}
host> {$R,"id":3,"method":"tasks/list"}
host< {$R,"id":3,"error":{"code":-32601,"message":"Method not found: the server does not offer it"}}
server> {$R,"id":9,"method":"ping"}
violation server unexpected-request
)");
}

TEST(LegacyHostModernServer, LogLevelRidesOnEachRequest) {
  Script script;
  open_legacy_modern(script, R"({"tools":{},"logging":{}})");
  script.run(R"(
host> {$R,"id":1,"method":"logging/setLevel","params":{"level":"loud"}}
host< {$R,"id":1,"error":{"code":-32602,"message":"unknown log level"}}
host> {$R,"id":1,"method":"logging/setLevel","params":{"level":"info"}}
host< {$R,"id":1,"result":{}}
server> {$R,"method":"notifications/message","params":{"level":"info","data":1}}
violation server unexpected-notification
host> {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
server< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$VERSION,$CLIENT,"io.modelcontextprotocol/logLevel":"info"}}}
server> {$R,"method":"notifications/message","params":{"level":"info","data":1}}
host< {$R,"method":"notifications/message","params":{"level":"info","data":1}}
server> {$R,"method":"notifications/message","params":{"level":"debug","data":1}}
violation server unexpected-notification
)");
}

TEST(LegacyHostModernServer, WrapsOutputThatIsNoObject) {
  Script script;
  open_legacy_modern(script, R"({"tools":{}})");
  script.run(R"(
host> {$R,"id":1,"method":"tools/list"}
server< {$R,"id":1,"method":"tools/list","params":{"_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":1,"result":{"resultType":"complete","tools":[{"name":"a","outputSchema":{"type":"array","items":{"$ref":"#/$defs/x"}}},{"name":"b","outputSchema":{"type":"object"}},{"name":"c","outputSchema":true}],"ttlMs":0,"cacheScope":"private"}}
host< {$R,"id":1,"result":{"tools":[{"name":"a","outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/x"},"$id":"urn:calaboose:output"}},"required":["result"]}},{"name":"b","outputSchema":{"type":"object"}},{"name":"c","outputSchema":{"type":"object","properties":{"result":true},"required":["result"]}}]}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
server< {$R,"id":2,"method":"tools/call","params":{"name":"a","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":2,"result":{"resultType":"complete","content":[],"structuredContent":[1.0]}}
host< {$R,"id":2,"result":{"content":[],"structuredContent":{"result":[1.0]}}}
host> {$R,"id":2,"method":"tools/call","params":{"name":"b"}}
server< {$R,"id":3,"method":"tools/call","params":{"name":"b","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":3,"result":{"resultType":"complete","content":[],"structuredContent":{"k":1}}}
host< {$R,"id":2,"result":{"content":[],"structuredContent":{"k":1}}}
# an object under a wrapped schema is wrapped too
host> {$R,"id":2,"method":"tools/call","params":{"name":"c"}}
server< {$R,"id":4,"method":"tools/call","params":{"name":"c","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":4,"result":{"resultType":"complete","content":[],"structuredContent":{"k":1}}}
host< {$R,"id":2,"result":{"content":[],"structuredContent":{"result":{"k":1}}}}
)");
}

TEST(LegacyHostModernServer, AskingForInputIsAClearError) {  // M39
  Script script;
  open_legacy_modern(script, R"({"tools":{},"prompts":{}})");
  script.run(R"(
host> {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
server< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":1,"result":{"resultType":"input_required","requestState":"x"}}
violation server invalid-result
host< {$R,"id":1,"result":{"content":[{"type":"text","text":"the server asked for input; input requests are not available in this version"}],"isError":true}}
host> {$R,"id":1,"method":"prompts/get","params":{"name":"a"}}
server< {$R,"id":2,"method":"prompts/get","params":{"name":"a","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":2,"result":{"resultType":"input_required","requestState":"x"}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server asked for input; input requests are not available in this version"}}
host> {$R,"id":1,"method":"prompts/get","params":{"name":"a"}}
server< {$R,"id":3,"method":"prompts/get","params":{"name":"a","_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":3,"result":{"resultType":"odd"}}
violation server invalid-result
host< {$R,"id":1,"error":{"code":-32603,"message":"the server's result is of a type that the protocol does not have here"}}
)");
}

TEST(LegacyHostModernServer, ChangesComeFromAListenOfOurOwn) {  // M40
  Script script;
  open_legacy_modern(script, R"({"tools":{"listChanged":true},"resources":{"subscribe":true}})");
  script.run(R"(
host> {$R,"method":"notifications/initialized"}
server< {$R,"id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{$VERSION,$CLIENT}}}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:1},"notifications":{"toolsListChanged":true}}}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
host< {$R,"method":"notifications/tools/list_changed"}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1,"k":1},"x":1}}
host< {$R,"method":"notifications/tools/list_changed","params":{"_meta":{"k":1},"x":1}}
server> {$R,"method":"notifications/prompts/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
host> {$R,"id":5,"method":"resources/subscribe","params":{"uri":"f:/a"}}
server< {$R,"id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["f:/a"]},"_meta":{$VERSION,$CLIENT}}}
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:2},"notifications":{"resourceSubscriptions":["f:/a"]}}}
host< {$R,"id":5,"result":{}}
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a","_meta":{$SUB:2}}}
host< {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a"}}
host> {$R,"id":6,"method":"resources/unsubscribe","params":{"uri":"f:/a"}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":2,"reason":"unsubscribed"}}
host< {$R,"id":6,"result":{}}
server> {$R,"method":"notifications/resources/updated","params":{"uri":"f:/a","_meta":{$SUB:2}}}
violation server unexpected-notification
# not honoured; refused; cancelled
host> {$R,"id":7,"method":"resources/subscribe","params":{"uri":"f:/b"}}
server< {$R,"id":3,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["f:/b"]},"_meta":{$VERSION,$CLIENT}}}
server> {$R,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{$SUB:3},"notifications":{}}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":3,"reason":"not honoured"}}
host< {$R,"id":7,"error":{"code":-32602,"message":"the server does not honour this subscription"}}
host> {$R,"id":8,"method":"resources/subscribe","params":{"uri":"f:/b"}}
server< {$R,"id":4,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["f:/b"]},"_meta":{$VERSION,$CLIENT}}}
server> {$R,"id":4,"error":{"code":-32603,"message":"no"}}
host< {$R,"id":8,"error":{"code":-32603,"message":"the server did not accept this subscription"}}
host> {$R,"id":9,"method":"resources/subscribe","params":{"uri":"f:/c"}}
server< {$R,"id":5,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["f:/c"]},"_meta":{$VERSION,$CLIENT}}}
host> {$R,"method":"notifications/cancelled","params":{"requestId":9}}
server< {$R,"method":"notifications/cancelled","params":{"requestId":5,"reason":"cancelled by the host"}}
server> {$R,"id":1,"result":{"resultType":"complete","_meta":{$SUB:1}}}
server> {$R,"method":"notifications/tools/list_changed","params":{"_meta":{$SUB:1}}}
violation server unexpected-notification
)");
  EXPECT_EQ(script.bridge().in_flight(), 0U);
}

TEST(LegacyHostModernServer, FallsForwardWhenInitializeIsRefused) {
  Script script;
  script.run(R"(
host> {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
server< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}
server> {$R,"id":1,"error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28"],"requested":"2025-06-18"}}}
server< {$R,"id":"calaboose-probe-1","method":"server/discover","params":{"_meta":{$VERSION,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"}}}}
server> {$R,"id":"calaboose-probe-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}
host< {$R,"id":0,"result":{"capabilities":{},"protocolVersion":"2025-06-18","serverInfo":{"name":"server","version":"0"}}}
)");
}

}  // namespace
}  // namespace calaboose::mcp
