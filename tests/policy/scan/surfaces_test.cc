// SPDX-License-Identifier: Apache-2.0
// Every string of every kind of message has its surface (M01): one odd character is planted in each
// leaf of a message, and the finding must name the surface and the place.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/json/write.h"
#include "policy/scan/scan.h"

namespace calaboose::policy {
namespace {

using Role = MessageContext::Role;

struct Planted {
  const char* name;
  MessageContext context;
  std::string message;  // every string value that starts with '!' gets an odd character
  std::map<std::string, std::string> expected;  // pointer -> surface
};

class Surfaces : public testing::TestWithParam<Planted> {};

// Replaces the '!' at the start of strings by a zero-width space.
std::string plant(std::string text) {
  for (std::size_t at = 0; (at = text.find("\"!", at)) != std::string::npos;) {
    text.replace(at + 1, 1, "\u200B");
  }
  return text;
}

TEST_P(Surfaces, AreNamedInFindings) {
  const std::string text = plant(GetParam().message);
  json::Tape tape;
  ASSERT_TRUE(tape.parse(text)) << tape.error().what << "\n" << text;
  const ScanResult result = Scanner().scan(GetParam().context, tape.root());
  std::map<std::string, std::string> found;
  for (const Finding& finding : result.findings) {
    EXPECT_EQ(finding.rule, "characters/zero-width");
    found[finding.pointer] = surface_name(finding.surface);
  }
  EXPECT_EQ(found, GetParam().expected);
}

std::vector<Planted> list_messages() {
  return {
      {"ToolsList",
       {Role::kResult, "tools/list", true},
       R"({"jsonrpc":"2.0","id":"!i","result":{"nextCursor":"!c","_meta":{"x":"!m"},"extra":"!e","tools":[{
         "name":"!n","title":"!t","description":"!d","strange":{"deep":["!s"]},"_meta":{"ui":{"a":"!m"}},
         "annotations":{"title":"!a"},"icons":[{"src":"!i","mimeType":"!m"}],
         "inputSchema":{"type":"object","title":"!t","properties":{"a":{"description":"!d","default":"!v","enum":["!e"],
            "pattern":"!p","items":{"anyOf":[{"const":"!k","examples":[{"x":"!x"}]}]}},
            "description":{"description":"!d"},"default":{"type":"!t"}},
          "required":["!r"],"$defs":{"z":{"$comment":"!c"}}},
         "outputSchema":{"properties":{"o":{"description":"!d"}}}}]}})",
       {{"/result/extra", "other"},
        {"/result/tools/0/name", "tool.name"},
        {"/result/tools/0/title", "tool.title"},
        {"/result/tools/0/description", "tool.description"},
        {"/result/tools/0/strange/deep/0", "other"},
        {"/result/tools/0/annotations/title", "tool.annotations"},
        {"/result/tools/0/icons/0/src", "tool.icon.src"},
        {"/result/tools/0/icons/0/mimeType", "tool.icon.src"},
        {"/result/tools/0/inputSchema/title", "tool.param.description"},
        {"/result/tools/0/inputSchema/properties/a/description", "tool.param.description"},
        {"/result/tools/0/inputSchema/properties/a/default", "tool.param.default"},
        {"/result/tools/0/inputSchema/properties/a/enum/0", "tool.param.enum"},
        {"/result/tools/0/inputSchema/properties/a/pattern", "tool.schema"},
        {"/result/tools/0/inputSchema/properties/a/items/anyOf/0/const", "tool.param.enum"},
        {"/result/tools/0/inputSchema/properties/a/items/anyOf/0/examples/0/x",
         "tool.param.default"},
        {"/result/tools/0/inputSchema/properties/description/description",
         "tool.param.description"},
        {"/result/tools/0/inputSchema/properties/default/type", "tool.schema"},
        {"/result/tools/0/inputSchema/required/0", "tool.param.name"},
        {"/result/tools/0/inputSchema/$defs/z/$comment", "tool.param.description"},
        {"/result/tools/0/outputSchema/properties/o/description", "tool.param.description"}}},
      {"ParameterNames",
       {Role::kResult, "tools/list", true},
       R"({"result":{"tools":[{"inputSchema":{"properties":{"!x":{}},"!kw":1}}]}})",
       {{"/result/tools/0/inputSchema/properties/\\u200bx", "tool.param.name"},
        {"/result/tools/0/inputSchema/\\u200bkw", "tool.schema"}}},
      {"PromptsList",
       {Role::kResult, "prompts/list", true},
       R"({"result":{"prompts":[{"name":"!n","title":"!t","description":"!d","_meta":{"a":"!m"},
          "arguments":[{"name":"!n","title":"!t","description":"!d"}],"icons":[{"src":"!s"}]}]}})",
       {{"/result/prompts/0/name", "prompt.name"},
        {"/result/prompts/0/title", "prompt.description"},
        {"/result/prompts/0/description", "prompt.description"},
        {"/result/prompts/0/arguments/0/name", "prompt.name"},
        {"/result/prompts/0/arguments/0/title", "prompt.argument.description"},
        {"/result/prompts/0/arguments/0/description", "prompt.argument.description"},
        {"/result/prompts/0/icons/0/src", "tool.icon.src"}}},
      {"ResourcesList",
       {Role::kResult, "resources/list", true},
       R"({"result":{"resources":[{"uri":"!u","name":"!n","title":"!t","description":"!d","mimeType":"!m"}]}})",
       {{"/result/resources/0/uri", "resource.uri"},
        {"/result/resources/0/name", "resource.name"},
        {"/result/resources/0/title", "resource.description"},
        {"/result/resources/0/description", "resource.description"},
        {"/result/resources/0/mimeType", "other"}}},
      {"ResourceTemplates",
       {Role::kResult, "resources/templates/list", true},
       R"({"result":{"resourceTemplates":[{"uriTemplate":"!u","name":"!n","description":"!d"}]}})",
       {{"/result/resourceTemplates/0/uriTemplate", "resource.uri"},
        {"/result/resourceTemplates/0/name", "resource.name"},
        {"/result/resourceTemplates/0/description", "resource.description"}}},
  };
}

std::vector<Planted> result_messages() {
  return {
      {"ToolsCall",
       {Role::kResult, "tools/call", true},
       R"({"result":{"content":[{"type":"text","text":"!t","annotations":{"audience":["!a"]}},
          {"type":"image","data":"!d","mimeType":"!m"},{"type":"resource_link","uri":"!u","name":"!n","title":"!t",
          "description":"!d"},{"type":"resource","resource":{"uri":"!u","text":"!t","blob":"!b","_meta":{"a":"!m"}}}],
          "structuredContent":{"a":["!s"],"!k":1,"_meta":"!m","text":"!t"},"requestState":"!r","isError":false}})",
       {{"/result/content/0/text", "result.text"},
        {"/result/content/0/annotations/audience/0", "other"},
        {"/result/content/1/mimeType", "other"},
        {"/result/content/2/uri", "result.resource_link.uri"},
        {"/result/content/2/name", "resource.name"},
        {"/result/content/2/title", "resource.description"},
        {"/result/content/2/description", "resource.description"},
        {"/result/content/3/resource/uri", "result.resource_link.uri"},
        {"/result/content/3/resource/text", "result.resource"},
        {"/result/structuredContent/a/0", "result.structured"},
        {"/result/structuredContent/\\u200bk", "result.structured"},
        {"/result/structuredContent/_meta", "result.structured"},
        {"/result/structuredContent/text", "result.structured"}}},
      {"InputRequests",
       {Role::kResult, "tools/call", true},
       R"({"result":{"resultType":"inputRequired","requestState":"!r","inputRequests":{"!key":{"method":"elicitation/create",
          "params":{"message":"!m","url":"!u","elicitationId":"!i","requestedSchema":{"properties":{"a":{"title":"!t"}}}}},
          "k2":{"method":"sampling/createMessage","params":{"systemPrompt":"!s",
          "messages":[{"role":"user","content":{"type":"text","text":"!t"}}]}}}}})",
       {{"/result/inputRequests/\\u200bkey/params/message", "elicitation.message"},
        {"/result/inputRequests/\\u200bkey/params/url", "elicitation.message"},
        {"/result/inputRequests/\\u200bkey/params/requestedSchema/properties/a/title",
         "elicitation.message"},
        {"/result/inputRequests/k2/params/systemPrompt", "prompt.message"},
        {"/result/inputRequests/k2/params/messages/0/content/text", "prompt.message"}}},
      {"PromptsGet",
       {Role::kResult, "prompts/get", true},
       R"({"result":{"description":"!d","messages":[{"role":"user","content":{"type":"text","text":"!t"}},
          {"role":"user","content":[{"type":"resource","resource":{"text":"!r"}},{"type":"audio","data":"!d"}]}]}})",
       {{"/result/description", "prompt.description"},
        {"/result/messages/0/content/text", "prompt.message"},
        {"/result/messages/1/content/0/resource/text", "result.resource"}}},
      {"ResourcesRead",
       {Role::kResult, "resources/read", true},
       R"({"result":{"contents":[{"uri":"!u","mimeType":"!m","text":"!t","blob":"!b","_meta":{"q":"!m"}}]}})",
       {{"/result/contents/0/uri", "resource.uri"},
        {"/result/contents/0/mimeType", "other"},
        {"/result/contents/0/text", "resource.text"}}},
      {"Completion",
       {Role::kResult, "completion/complete", true},
       R"({"result":{"completion":{"values":["!v"],"total":1}}})",
       {{"/result/completion/values/0", "completion"}}},
      {"Initialize",
       {Role::kResult, "initialize", true},
       R"({"result":{"protocolVersion":"!p","instructions":"!i","capabilities":{"experimental":{"x":"!c"}},
          "serverInfo":{"name":"!n","title":"!t","version":"!v","icons":[{"src":"!s"}]}}})",
       {{"/result/protocolVersion", "other"},
        {"/result/instructions", "instructions"},
        {"/result/capabilities/experimental/x", "other"},
        {"/result/serverInfo/name", "server.name"},
        {"/result/serverInfo/title", "server.info"},
        {"/result/serverInfo/version", "server.info"},
        {"/result/serverInfo/icons/0/src", "tool.icon.src"}}},
      {"Discover",
       {Role::kResult, "server/discover", true},
       R"({"result":{"instructions":"!i","serverInfo":{"name":"!n"}}})",
       {{"/result/instructions", "instructions"}, {"/result/serverInfo/name", "server.name"}}},
      {"Error",
       {Role::kError, "tools/call", true},
       R"({"id":"!i","error":{"code":-32000,"message":"!m","data":{"a":["!d"]},"more":"!o"}})",
       {{"/error/message", "error.message"},
        {"/error/data/a/0", "error.data"},
        {"/error/more", "other"}}},
  };
}

std::vector<Planted> other_messages() {
  return {
      {"LogNotification",
       {Role::kNotification, "notifications/message", true},
       R"({"method":"notifications/message","params":{"level":"info","logger":"!l","data":{"a":"!d"},"_meta":{"s":"!m"}}})",
       {{"/params/logger", "log.data"}, {"/params/data/a", "log.data"}}},
      {"ProgressNotification",
       {Role::kNotification, "notifications/progress", true},
       R"({"method":"notifications/progress","params":{"progressToken":"!t","progress":1,"message":"!m","x":"!x"}})",
       {{"/params/message", "progress.message"}, {"/params/x", "other"}}},
      {"ResourceUpdated",
       {Role::kNotification, "notifications/resources/updated", true},
       R"({"method":"notifications/resources/updated","params":{"uri":"!u"}})",
       {{"/params/uri", "resource.uri"}}},
      {"ElicitationRequest",
       {Role::kRequest, "elicitation/create", true},
       R"({"id":"!i","method":"elicitation/create","params":{"message":"!m","requestedSchema":{"title":"!t"}}})",
       {{"/params/message", "elicitation.message"},
        {"/params/requestedSchema/title", "elicitation.message"}}},
      {"SamplingRequest",
       {Role::kRequest, "sampling/createMessage", true},
       R"({"id":1,"method":"sampling/createMessage","params":{"systemPrompt":"!s","modelPreferences":{"hints":[{"name":"!h"}]},
          "tools":[{"name":"!n","description":"!d"}],
          "messages":[{"content":{"type":"tool_result","content":[{"type":"text","text":"!t"}]}}]}})",
       {{"/params/systemPrompt", "prompt.message"},
        {"/params/modelPreferences/hints/0/name", "other"},
        {"/params/tools/0/name", "tool.name"},
        {"/params/tools/0/description", "tool.description"},
        {"/params/messages/0/content/content/0/text", "result.text"}}},
      {"UnknownMethod",
       {Role::kNotification, "notifications/strange", true},
       R"({"method":"!m","params":{"x":{"y":"!z"}},"more":"!o"})",
       {{"/method", "other"}, {"/params/x/y", "other"}, {"/more", "other"}}},
      {"HostCall",
       {Role::kRequest, "tools/call", false},
       R"({"id":"!i","method":"!m","params":{"name":"!n","arguments":{"a":["!v"]},"_meta":{"p":"!m"},
          "requestState":"!r","inputResponses":{"k":{"content":{"a":"!a"}}}}})",
       {{"/method", "argument"},
        {"/params/name", "argument"},
        {"/params/arguments/a/0", "argument"},
        {"/params/inputResponses/k/content/a", "argument"}}},
      {"HostResult",
       {Role::kResult, "sampling/createMessage", false},
       R"({"id":1,"result":{"content":{"type":"text","text":"!t"},"_meta":{"a":"!m"}}})",
       {{"/result/content/text", "argument"}}},
  };
}

std::string name_of(const testing::TestParamInfo<Planted>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Lists, Surfaces, testing::ValuesIn(list_messages()), name_of);
INSTANTIATE_TEST_SUITE_P(Results, Surfaces, testing::ValuesIn(result_messages()), name_of);
INSTANTIATE_TEST_SUITE_P(Others, Surfaces, testing::ValuesIn(other_messages()), name_of);

TEST(SurfaceNames, AreUniqueAndComeBack) {
  std::set<std::string_view> names;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(Surface::kStderr); ++i) {
    const auto surface = static_cast<Surface>(i);
    EXPECT_TRUE(names.insert(surface_name(surface)).second) << surface_name(surface);
    bool known = false;
    EXPECT_EQ(surface_by_name(surface_name(surface), known), surface);
    EXPECT_TRUE(known);
  }
  bool known = true;
  EXPECT_EQ(surface_by_name("result.nonsense", known), Surface::kOther);
  EXPECT_FALSE(known);
  EXPECT_EQ(surface_by_name("result.blob", known), Surface::kOpaque);
  EXPECT_TRUE(known);
}

TEST(SurfaceNames, Actions) {
  EXPECT_EQ(action_name(Action::kAllow), "allow");
  EXPECT_EQ(action_name(Action::kFlag), "flag");
  EXPECT_EQ(action_name(Action::kStrip), "strip");
  EXPECT_EQ(action_name(Action::kRedact), "redact");
  EXPECT_EQ(action_name(Action::kBlock), "block");
  EXPECT_LT(Action::kAllow, Action::kFlag);
  EXPECT_LT(Action::kRedact, Action::kBlock);
}

}  // namespace
}  // namespace calaboose::policy
