// SPDX-License-Identifier: Apache-2.0
// Renamed members never collide and never break the document.
#include "policy/scan/names.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json/write.h"
#include "policy/scan/scan.h"

namespace calaboose::policy {
namespace {

std::string structured(const std::string& object) {
  const std::string text =
      R"({"jsonrpc":"2.0","id":1,"result":{"structuredContent":)" + object + "}}";
  json::Tape tape;
  EXPECT_TRUE(tape.parse(text)) << tape.error().what;
  const ScanResult result =
      Scanner().scan({MessageContext::Role::kResult, "tools/call", true}, tape.root());
  if (!result.changed) {
    return object;
  }
  json::Tape again;
  EXPECT_TRUE(again.parse(result.text)) << again.error().what << "\n" << result.text;
  return json::minified(again.root().at("result", "structuredContent"));
}

TEST(MemberNames, AreStripped) {
  EXPECT_EQ(structured("{\"a\u200Bb\":1,\"c\":2}"), R"({"ab":1,"c":2})");
  EXPECT_EQ(structured(R"({"x":{"\u001b[1mkey":{"y":"\u0007"}}})"), R"({"x":{"key":{"y":""}}})");
}

TEST(MemberNames, CollisionsAreWrittenOut) {
  EXPECT_EQ(structured("{\"ab\":1,\"a\u200Bb\":2}"), R"({"ab":1,"a\\u200bb":2})");
  EXPECT_EQ(structured("{\"a\u200Bb\":1,\"ab\":2}"), R"({"a\\u200bb":1,"ab":2})");
  EXPECT_EQ(structured("{\"a\u200Bb\":1,\"a\u2060b\":2}"), R"({"ab":1,"a\\u2060b":2})");
  EXPECT_EQ(structured("{\"\U000E0041\":1,\"\":2}"), R"({"\\udb40\\udc41":1,"":2})");
}

TEST(MemberNames, EvenTheWrittenOutFormMayBeTaken) {
  EXPECT_EQ(structured("{\"ab\":1,\"a\\\\u200bb\":2,\"a\u200Bb\":3}"),
            R"({"ab":1,"a\\u200bb":2,"a\\u200bb_":3})");
  EXPECT_EQ(structured("{\"a\u200Bb\":1,\"a\\\\u200bb_\":0,\"ab\":2,\"a\\\\u200bb\":3}"),
            R"({"a\\u200bb__":1,"a\\u200bb_":0,"ab":2,"a\\u200bb":3})");
}

TEST(MemberNames, ObjectsDoNotInfluenceEachOther) {
  EXPECT_EQ(structured("[{\"a\u200B\":{\"a\u200B\":1,\"b\":2}},{\"a\u200B\":3,\"a\":4}]"),
            R"([{"a":{"a":1,"b":2}},{"a\\u200b":3,"a":4}])");
}

TEST(MemberNames, ManyCollisionsStayLinear) {
  std::string object = "{\"x\":0";
  for (int i = 0; i < 20'000; ++i) {
    object += ",\"x" + std::string(static_cast<std::size_t>(i % 50), '_') + "\u200B" +
              std::to_string(i) + "\":0";
  }
  object += "}";
  EXPECT_NE(structured(object), object);
}

}  // namespace
}  // namespace calaboose::policy
