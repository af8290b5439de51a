// SPDX-License-Identifier: Apache-2.0
// Look-ups on a tape.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/json/strings.h"

namespace calaboose::json {
namespace {

Tape parsed(std::string_view text) {
  Tape tape;
  EXPECT_TRUE(tape.parse(text)) << tape.error().what;
  return tape;
}

TEST(Value, MissingAnswersNoToEverything) {
  const Value missing;
  EXPECT_FALSE(missing.exists());
  EXPECT_FALSE(missing.is_null());
  EXPECT_FALSE(missing.find("a").at("b", "c").element(3).pointer("/x").exists());
  EXPECT_EQ(missing.raw(), "");
  EXPECT_EQ(missing.size(), 0U);
  EXPECT_EQ(missing.string(), std::nullopt);
  EXPECT_EQ(missing.string_or("x"), "x");
  EXPECT_FALSE(missing.string_equals(""));
  EXPECT_EQ(missing.boolean(), std::nullopt);
  EXPECT_EQ(missing.int64(), std::nullopt);
  EXPECT_EQ(missing.number(), std::nullopt);
  EXPECT_EQ(pointer_of(missing), "");
  int calls = 0;
  missing.each_element([&](Value) { ++calls; });
  missing.each_member([&](Value, Value) { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST(Value, FindsMembersAfterUnescaping) {
  const Tape tape = parsed(R"({"abc":1,"a\u0062d":2,"\ud83d\ude00":3,"":4,"a":{"b":5}})");
  EXPECT_EQ(tape.root().find("abc").int64(), 1);
  EXPECT_EQ(tape.root().find("abd").int64(), 2);
  EXPECT_EQ(tape.root().find("\U0001F600").int64(), 3);
  EXPECT_EQ(tape.root().find("").int64(), 4);
  EXPECT_EQ(tape.root().at("a", "b").int64(), 5);
  EXPECT_FALSE(tape.root().find("ab").exists());
  EXPECT_FALSE(tape.root().find("a\\u0062d").exists());
  EXPECT_FALSE(tape.root().find("b").exists());  // not one level down
  EXPECT_FALSE(tape.root().find("\xF0\x9F").exists());
  EXPECT_FALSE(tape.root().element(0).exists());
}

TEST(Value, StringsAreUnescaped) {
  const Tape tape = parsed(R"(["plain","\"\\\/\b\f\n\r\t","\u00e9\u20AC\ud83d\ude00x",""])");
  EXPECT_EQ(tape.root().element(0).string(), "plain");
  EXPECT_EQ(tape.root().element(1).string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(tape.root().element(2).string(), "é€\U0001F600x");
  EXPECT_TRUE(tape.root().element(1).string_equals("\"\\/\b\f\n\r\t"));
  EXPECT_TRUE(tape.root().element(2).string_equals("é€\U0001F600x"));
  EXPECT_FALSE(tape.root().element(2).string_equals("é€\U0001F600"));
  EXPECT_FALSE(tape.root().element(2).string_equals("é€\U0001F600xy"));
  EXPECT_FALSE(tape.root().element(2).string_equals("é€"));
  EXPECT_TRUE(tape.root().element(3).string_equals(""));
}

TEST(Value, IntegersAreExactOrNothing) {
  const auto integer = [](std::string_view text) { return parsed(text).root().int64(); };
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer("-0"), 0);
  EXPECT_EQ(integer("9223372036854775808"), std::nullopt);
  EXPECT_EQ(integer("1.0"), std::nullopt);
  EXPECT_EQ(integer("1e0"), std::nullopt);
  EXPECT_EQ(integer("\"1\""), std::nullopt);
}

TEST(Value, DoublesSaturate) {
  const auto number = [](std::string_view text) { return *parsed(text).root().number(); };
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(number("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("1e99999999999999999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(number("-1e-99999999999999999999999")));
  EXPECT_EQ(number("0e99999"), 0.0);
  EXPECT_EQ(number("0.00001e400"), std::numeric_limits<double>::infinity());
}

TEST(Value, ElementsAndMembersInOrder) {
  const Tape tape = parsed(R"([[1,[2]],{"b":{"x":0},"a":[]},3])");
  std::string seen;
  tape.root().each_element([&](Value element) { seen += std::string(element.raw()) + ";"; });
  EXPECT_EQ(seen, R"([1,[2]];{"b":{"x":0},"a":[]};3;)");
  seen.clear();
  tape.root().element(1).each_member([&](Value name, Value value) {
    seen += *name.string() + "=" + std::string(value.raw()) + ";";
  });
  EXPECT_EQ(seen, R"(b={"x":0};a=[];)");
  EXPECT_EQ(tape.root().element(2).int64(), 3);
  EXPECT_FALSE(tape.root().element(3).exists());
}

// The example of RFC 6901 section 5.
TEST(Pointer, FollowsTheStandardsExamples) {
  const Tape tape = parsed(
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  const Value root = tape.root();
  EXPECT_EQ(root.pointer("").index(), 0U);
  EXPECT_TRUE(root.pointer("/foo").is_array());
  EXPECT_TRUE(root.pointer("/foo/0").string_equals("bar"));
  EXPECT_EQ(root.pointer("/").int64(), 0);
  EXPECT_EQ(root.pointer("/a~1b").int64(), 1);
  EXPECT_EQ(root.pointer("/c%d").int64(), 2);
  EXPECT_EQ(root.pointer("/e^f").int64(), 3);
  EXPECT_EQ(root.pointer("/g|h").int64(), 4);
  EXPECT_EQ(root.pointer("/i\\j").int64(), 5);
  EXPECT_EQ(root.pointer("/k\"l").int64(), 6);
  EXPECT_EQ(root.pointer("/ ").int64(), 7);
  EXPECT_EQ(root.pointer("/m~0n").int64(), 8);
}

TEST(Pointer, RefusesWhatIsNotOne) {
  const Tape tape = parsed(R"({"a":[10,20],"~":1,"01":2})");
  for (const std::string_view bad : {"a", "/a/01", "/a/-1", "/a/2", "/a/-", "/a/+1",
                                     "/a/99999999999", "/~", "/~2", "/a/0/x", "/b", "/a/"}) {
    EXPECT_FALSE(tape.root().pointer(bad).exists()) << bad;
  }
  EXPECT_EQ(tape.root().pointer("/01").int64(), 2);
}

TEST(Pointer, PointerOfIsTheInverse) {
  const Tape tape =
      parsed(R"({"result":{"content":[1,{"te~x/t":["v"]}],"\u0061":null},"":[[[]]]})");
  for (std::uint32_t i = 0; i < tape.tokens().size(); ++i) {
    const bool is_name = tape.tokens()[i].is_name;
    const std::string pointer = pointer_of(Value(&tape, i));
    EXPECT_EQ(tape.root().pointer(pointer).index(), is_name ? i + 1 : i) << pointer;
  }
  EXPECT_EQ(pointer_of(tape.root().at("result", "content").element(1).find("te~x/t").element(0)),
            "/result/content/1/te~0x~1t/0");
}

TEST(LineColumn, CountsFromOne) {
  const std::string_view text = "ab\ncd\n\nx";
  const auto at = [&](std::size_t offset) {
    const LineColumn place = line_column(text, offset);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  EXPECT_EQ(at(0), "1:1");
  EXPECT_EQ(at(2), "1:3");
  EXPECT_EQ(at(3), "2:1");
  EXPECT_EQ(at(6), "3:1");
  EXPECT_EQ(at(7), "4:1");
  EXPECT_EQ(at(99), "4:2");
}

TEST(Strings, Utf16OrderDiffersFromUtf8Order) {
  EXPECT_TRUE(utf16_less("\U00010000", "\uE000"));  // surrogates come before the private area
  EXPECT_TRUE(utf16_less("\U0010FFFF", "\uFFFF"));
  EXPECT_FALSE(utf16_less("\uFFFF", "\U00010000"));
  EXPECT_TRUE(utf16_less("\uD7FF", "\U00010000"));
  EXPECT_TRUE(utf16_less("\U00010000", "\U00010001"));
  EXPECT_TRUE(utf16_less("\U0001F600", "\U00020000"));
  EXPECT_TRUE(utf16_less("a", "ab"));
  EXPECT_FALSE(utf16_less("a", "a"));
  EXPECT_TRUE(utf16_less("", "a"));
  EXPECT_TRUE(utf16_less("é", "€"));
}

TEST(Kind, Names) {
  EXPECT_EQ(kind_name(Kind::kNull), "null");
  EXPECT_EQ(kind_name(Kind::kTrue), "boolean");
  EXPECT_EQ(kind_name(Kind::kFalse), "boolean");
  EXPECT_EQ(kind_name(Kind::kNumber), "number");
  EXPECT_EQ(kind_name(Kind::kString), "string");
  EXPECT_EQ(kind_name(Kind::kArray), "array");
  EXPECT_EQ(kind_name(Kind::kObject), "object");
}

}  // namespace
}  // namespace calaboose::json
