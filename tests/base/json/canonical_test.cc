// SPDX-License-Identifier: Apache-2.0
// Canonical form and equality (pins, design 7.6).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/json/write.h"

namespace calaboose::json {
namespace {

std::string canonical_of(std::string_view text) {
  Tape tape;
  Limits limits;
  limits.max_depth = 1'000'000;
  EXPECT_TRUE(tape.parse(text, limits)) << tape.error().what;
  return canonical(tape.root());
}

TEST(CanonicalNumber, HasOneFormForEachValue) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"0", "0"},
      {"-0", "0"},
      {"0.000", "0"},
      {"-0e99999999999999999999999", "0"},
      {"1", "1"},
      {"1.0", "1"},
      {"10e-1", "1"},
      {"0.1e1", "1"},
      {"1E+0", "1"},
      {"15", "15"},
      {"-1.5", "-1.5"},
      {"-15e-1", "-1.5"},
      {"100", "100"},
      {"1e2", "100"},
      {"0.001", "0.001"},
      {"1e-6", "0.000001"},
      {"1e-7", "1e-7"},
      {"12e-8", "1.2e-7"},
      {"1e20", "100000000000000000000"},
      {"1e21", "1e+21"},
      {"1e400", "1e+400"},
      {"10e399", "1e+400"},
      {"0.00001e405", "1e+400"},
      {"9007199254740993", "9007199254740993"},
      {"123456789012345678901234567890", "1.2345678901234567890123456789e+29"},
      {"0.30000000000000004", "0.30000000000000004"},
      // Exponents beyond int64 stay exact, at every carry and borrow.
      {"1e99999999999999999999", "1e+99999999999999999999"},
      {"10e99999999999999999999", "1e+100000000000000000000"},
      {"100e99999999999999999999", "1e+100000000000000000001"},
      {"0.01e100000000000000000000", "1e+99999999999999999998"},
      {"0.1e-99999999999999999999", "1e-100000000000000000000"},
      {"10e-100000000000000000000", "1e-99999999999999999999"},
      {"12.5e-100000000000000000000", "1.25e-99999999999999999999"},
      {"1e00000000000000000000000000002", "100"},
      {"1e-00000000000000000000000000000", "1"},
      {"1e99999999999999999", "1e+99999999999999999"},
      {"1e999999999999999999", "1e+999999999999999999"},
      {"1000e99999999999999999", "1e+100000000000000002"},
  };
  for (const auto& [spelling, form] : cases) {
    EXPECT_EQ(canonical_number(spelling), form) << spelling;
  }
}

TEST(CanonicalNumber, IsItsOwnForm) {
  for (const std::string text :
       {"0", "15", "-1.5", "1e+400", "0.000001", "1.2e-7", "100000000000000000000",
        "1.2345678901234567890123456789e+29", "-1.25e-99999999999999999999"}) {
    EXPECT_EQ(canonical_number(text), text);
  }
}

// Moving the point and correcting the exponent never changes the form: m·10^-k e(x+k) for many k
// around every digit boundary of the exponent.
TEST(CanonicalNumber, ShiftsAgree) {
  for (const std::string exponent :
       {"99999999999999990", "100000000000000000", "999999999999999990", "9223372036854775800",
        "99999999999999999990", "1000000000000000000000"}) {
    for (const std::string sign : {"", "-"}) {
      const std::string base = canonical_number("123e" + sign + exponent);
      const std::string zeros(20, '0');
      for (std::size_t k = 1; k <= 20; ++k) {
        // 123 followed by k zeros, divided again by 10^k through the fraction: the value is the
        // same.
        EXPECT_EQ(canonical_number("123." + zeros.substr(0, k) + "e" + sign + exponent), base);
        const std::string up = canonical_number("123" + zeros.substr(0, k) + "e" + sign + exponent);
        EXPECT_NE(up, base);
      }
    }
  }
}

TEST(Canonical, OrdersNamesByUtf16Units) {
  // The example of RFC 8785 section 3.2.3.
  EXPECT_EQ(
      canonical_of(
          R"({"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
      "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"})"),
      "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small "
      "Letter O With "
      "Diaeresis\",\"€\":\"Euro Sign\",\"\U0001F600\":\"Emoji: Grinning Face\",\"\uFB33\":\"Hebrew "
      "Letter "
      "Dalet With Dagesh\"}");
}

TEST(Canonical, SpellsStringsOneWay) {
  EXPECT_EQ(canonical_of(R"(["\u0041\/\u001B\u000a\u0022\\\u007f"])"),
            "[\"A/\\u001b\\n\\\"\\\\\x7f\"]");
}

TEST(Canonical, NestsAndKeepsArrayOrder) {
  EXPECT_EQ(canonical_of(R"( { "b" : [ 3 , { "z" : 1.0, "a" : [ ] } , 1 ] , "a" : { } } )"),
            R"({"a":{},"b":[3,{"a":[],"z":1},1]})");
  EXPECT_EQ(canonical_of("null"), "null");
}

TEST(Canonical, DepthDoesNotUseTheStack) {  // M20
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  EXPECT_EQ(canonical_of(deep), deep);
}

bool same(std::string_view a, std::string_view b) {
  Tape first;
  Tape second;
  EXPECT_TRUE(first.parse(a));
  EXPECT_TRUE(second.parse(b));
  const bool result = equal(first.root(), second.root());
  EXPECT_EQ(result, equal(second.root(), first.root()));
  return result;
}

TEST(Equal, ComparesValues) {
  EXPECT_TRUE(same(R"({"a":1,"b":[true,"x"]})", R"({ "b" : [true, "\u0078"], "a" : 10e-1 })"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("true", "false"));
  EXPECT_FALSE(same("null", "false"));
  EXPECT_FALSE(same("{}", "[]"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(same("1e400", "1e401"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992"));
  EXPECT_TRUE(equal(Value(), Value()));
  Tape tape;
  ASSERT_TRUE(tape.parse("null"));
  EXPECT_FALSE(equal(tape.root(), Value()));
}

}  // namespace
}  // namespace calaboose::json
