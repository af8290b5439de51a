// SPDX-License-Identifier: Apache-2.0
// Strict classification, and the tolerant search for an id.
#include "mcp/wire/message.h"

#include <gtest/gtest.h>

#include "mcp/wire/salvage.h"

namespace calaboose::mcp {
namespace {

struct Case {
  std::string_view text;
  MessageKind kind;
};

TEST(Classify, EveryShape) {  // M25, M27
  const std::string long_id(1100, 'x');
  const std::string with_long_id = R"({"jsonrpc":"2.0","id":")" + long_id + R"(","result":{}})";
  const std::vector<Case> cases = {
      {R"({"jsonrpc":"2.0","id":1,"method":"m"})", MessageKind::kRequest},
      {R"({"jsonrpc":"2.0","id":"","method":"m","params":{}})", MessageKind::kRequest},
      {R"({"jsonrpc":"2.0","id":-7,"method":"m","params":[]})", MessageKind::kRequest},
      {R"({"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"})",
       MessageKind::kRequest},
      {R"({"\u006asonrpc":"2\u002e0","i\u0064":1,"method":"m"})", MessageKind::kRequest},
      {R"({"jsonrpc":"2.0","method":"m","x":1})", MessageKind::kNotification},
      {R"({"jsonrpc":"2.0","id":1,"result":null})", MessageKind::kResult},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":""}})", MessageKind::kError},
      {R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":""}})", MessageKind::kError},
      {R"({"jsonrpc":"2.0","error":{"code":-1,"message":""}})", MessageKind::kError},
      {R"({"jsonrpc":"2.0","id":1.0,"method":"m"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1e0,"method":"m"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1E0,"result":1})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":null,"method":"m"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":true,"method":"m"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":{},"error":{"code":-1,"message":""}})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":null,"result":1})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","result":1})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","result":1})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","error":{"code":1,"message":""}})",
       MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}})",
       MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"method":"m","params":"p"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1.0,"message":""}})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1}})", MessageKind::kInvalid},
      {R"({"jsonrpc":"2.0","id":1,"error":"no"})", MessageKind::kInvalid},
      {R"({"jsonrpc":"1.0","id":1,"method":"m"})", MessageKind::kInvalid},
      {R"({"jsonrpc":2.0,"id":1,"method":"m"})", MessageKind::kInvalid},
      {R"({"id":1,"method":"m"})", MessageKind::kInvalid},
      {R"([])", MessageKind::kInvalid},
      {R"("x")", MessageKind::kInvalid},
      {with_long_id, MessageKind::kInvalid},
  };
  for (const Case& c : cases) {
    json::Tape tape;
    ASSERT_TRUE(tape.parse(c.text)) << c.text;
    const Message message = classify(tape.root());
    EXPECT_EQ(message.kind, c.kind) << c.text;
    EXPECT_EQ(message.why.empty(), c.kind != MessageKind::kInvalid) << c.text;
  }
}

TEST(Classify, FillsTheView) {
  json::Tape tape;
  ASSERT_TRUE(tape.parse(R"({"jsonrpc":"2.0","id":"a","method":"x\u0041","params":{"k":1}})"));
  const Message message = classify(tape.root());
  EXPECT_EQ(message.method, "xA");
  EXPECT_EQ(message.id.raw(), "\"a\"");
  EXPECT_EQ(message.params.raw(), R"({"k":1})");
  EXPECT_FALSE(message.result.exists());
}

TEST(Classify, AnInvalidMessageStillNamesItsId) {
  json::Tape tape;
  ASSERT_TRUE(tape.parse(R"({"jsonrpc":"2.0","id":5,"result":1,"error":1})"));
  EXPECT_EQ(classify(tape.root()).id.raw(), "5");
}

TEST(SalvageId, FindsTheOneTopLevelId) {
  const std::string long_text = R"({"id":")" + std::string(200, 'x') + R"(",)";
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {R"({"jsonrpc":"2.0","id":5,"result":{)", "5"},
      {R"( { "id" : "a b" , "x":)", "\"a b\""},
      {R"({"result":{"id":1},"id":-2,"a":1,"a":2})", "-2"},
      {R"({"a":"\"id\":9","id":3,)", "3"},
      {R"({"id":4,"id":4,)", "4"},
      {R"({"id":4,"id":5,)", ""},
      {R"({"id":4.5,)", ""},
      {R"({"id":4e1,)", ""},
      {R"({"id":04,)", ""},
      {R"({"id":12)", ""},
      {R"({"id":-,)", ""},
      {R"({"id":null,)", ""},
      {R"({"id":"a\u0062",)", ""},
      {R"({"id":"open)", ""},
      {R"({"id":"é",)", ""},
      {R"({"x":{"id":1})", ""},
      {R"([{"id":1},)", ""},
      {R"({"a":1} {"id":1,)", ""},
      {R"(id:1)", ""},
      {long_text, ""},
      {"", ""},
  };
  for (const auto& [line, id] : cases) {
    EXPECT_EQ(salvage_id(line).value_or(""), id) << line;
  }
}

}  // namespace
}  // namespace calaboose::mcp
