// SPDX-License-Identifier: Apache-2.0
// What the tokenizer refuses, with the exact words and place, and both sides of each bound (M20).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/json/scan_bytes.h"

namespace calaboose::json {
namespace {

using std::string_literals::operator""s;

struct Bad {
  const char* name;
  std::string text;
  std::string what;
  std::size_t offset;
};

class Refused : public testing::TestWithParam<Bad> {};

TEST_P(Refused, WithReasonAndPlace) {
  Tape tape;
  EXPECT_FALSE(tape.parse(GetParam().text));
  EXPECT_EQ(tape.error().what, GetParam().what);
  EXPECT_EQ(tape.error().offset, GetParam().offset);
  EXPECT_FALSE(tape.error().is_limit);
  EXPECT_TRUE(tape.empty());
  EXPECT_FALSE(tape.root().exists());
}

std::vector<Bad> structure_cases() {
  return {
      {"Empty", "", "unexpected end of text, expected a value", 0},
      {"OnlySpace", " \n", "unexpected end of text, expected a value", 2},
      {"ByteOrderMark", "\xEF\xBB\xBF{}", "byte order mark", 0},
      {"Utf16", "\xFE\xFF\0{"s, "expected a value", 0},
      {"OpenArray", "[1", "unexpected end of text, expected ',' or ']'", 2},
      {"OpenObject", "{\"a\":1", "unexpected end of text, expected ',' or '}'", 6},
      {"JustBrace", "{", "unexpected end of text, expected a member name", 1},
      {"NoValue", "{\"a\":", "unexpected end of text, expected a value", 5},
      {"NoColon", "{\"a\"", "unexpected end of text, expected ':'", 4},
      {"WrongColon", "{\"a\" 1}", "expected ':'", 5},
      {"EqualsSign", "{\"a\"=1}", "expected ':'", 4},
      {"BareName", "{a:1}", "expected a member name in double quotes", 1},
      {"SingleQuotes", "{'a':1}", "expected a member name in double quotes", 1},
      {"NumberAsName", "{1:1}", "expected a member name in double quotes", 1},
      {"TrailingCommaObject", "{\"a\":1,}", "expected a member name in double quotes", 7},
      {"TrailingCommaArray", "[1,]", "expected a value", 3},
      {"LeadingComma", "[,1]", "expected a value", 1},
      {"TwoCommas", "[1,,2]", "expected a value", 3},
      {"MissingComma", "[1 2]", "expected ',' or ']'", 3},
      {"WrongBracket", "[1}", "expected ',' or ']'", 2},
      {"WrongBrace", "{\"a\":1]", "expected ',' or '}'", 6},
      {"TwoValues", "{}{}", "unexpected '{' after the value", 2},
      {"TwoLines", "1\n2", "unexpected '2' after the value", 2},
      {"NulAfter", "1\0"s, "unexpected byte 0x00 after the value", 1},
      {"Closing", "]", "expected a value", 0},
      {"Comment", "[1]//", "unexpected '/' after the value", 3},
      {"CommentBefore", "/*x*/1", "expected a value", 0},
      {"FormFeed", "[\f1]", "expected a value", 1},
      {"VerticalTab", "\v1", "expected a value", 0},
      {"NoBreakSpace",
       "\xC2\xA0"
       "1",
       "expected a value", 0},
  };
}

std::vector<Bad> scalar_cases() {
  return {
      {"NaN", "NaN", "expected a value", 0},
      {"Infinity", "[-Infinity]", "invalid number: expected a digit", 2},
      {"UpperNull", "Null", "expected a value", 0},
      {"HalfTrue", "tru", "expected a value", 0},
      {"LongTrue", "[truex]", "expected ',' or ']'", 5},
      {"LeadingZero", "[01]", "invalid number: leading zero", 1},
      {"MinusLeadingZero", "-00", "invalid number: leading zero", 1},
      {"Plus", "+1", "expected a value", 0},
      {"DotFirst", ".5", "expected a value", 0},
      {"DotLast", "[5.]", "invalid number: expected a digit after '.'", 3},
      {"EmptyExponent", "1e", "invalid number: expected a digit in the exponent", 2},
      {"SignedEmptyExponent", "[1e+]", "invalid number: expected a digit in the exponent", 4},
      {"Hex", "0x10", "unexpected 'x' after the value", 1},
      {"Minus", "-", "invalid number: expected a digit", 1},
      {"TwoDots", "[1.2.3]", "expected ',' or ']'", 4},
  };
}

std::vector<Bad> string_cases() {
  return {
      {"Unterminated", "[\"abc", "unterminated string", 1},
      {"EscapedQuote", "\"abc\\\"", "unterminated string", 0},
      {"LoneBackslash", "\"\\", "unterminated string", 0},
      {"UnterminatedWide", "\"\xC3\xA9", "unterminated string", 0},
      {"RawNewline", "\"a\nb\"", "raw control character in a string: byte 0x0a", 2},
      {"RawEscape", "\"0123456789abcdefg\x1b[31m\"", "raw control character in a string: byte 0x1b",
       18},
      {"RawNul", "\"a\0b\""s, "raw control character in a string: byte 0x00", 2},
      {"NulEscape", "\"a\\u0000\"", "NUL character in a string", 2},
      {"BadEscape", "\"\\x41\"", "invalid escape in a string", 1},
      {"NulByteEscape", "\"\\\0\""s, "invalid escape in a string", 1},
      {"ShortUnicode", "\"\\u12\"", "invalid \\u escape in a string", 1},
      {"BadHex", "\"\\u12g4\"", "invalid \\u escape in a string", 1},
      {"UpperU", "\"\\U0041\"", "invalid escape in a string", 1},
      {"HighAlone", "\"\\ud800\"", "lone surrogate in a string", 1},
      {"HighThenText", "\"\\ud83dxxxxxx\"", "lone surrogate in a string", 1},
      {"HighThenHigh", "\"\\ud83d\\ud83d\"", "lone surrogate in a string", 1},
      {"HighThenOther", "\"\\ud83d\\u0041\"", "lone surrogate in a string", 1},
      {"HighThenShort", "\"\\ud83d\\u00", "lone surrogate in a string", 1},
      {"LowAlone", "\"\\udc00\"", "lone surrogate in a string", 1},
      {"LowInName", "{\"\\uDFFF\":1}", "lone surrogate in a string", 2},
      {"ContinuationAlone", "\"\x80\"", "invalid UTF-8 in a string", 1},
      {"Overlong", "\"\xC0\xAF\"", "invalid UTF-8 in a string", 1},
      {"OverlongThree", "\"\xE0\x9F\xBF\"", "invalid UTF-8 in a string", 1},
      {"OverlongFour", "\"\xF0\x8F\xBF\xBF\"", "invalid UTF-8 in a string", 1},
      {"SurrogateBytes", "\"\xED\xA0\x80\"", "invalid UTF-8 in a string", 1},
      {"TooHigh", "\"\xF4\x90\x80\x80\"", "invalid UTF-8 in a string", 1},
      {"FiveBytes", "\"\xF8\x88\x80\x80\x80\"", "invalid UTF-8 in a string", 1},
      {"CutSequence", "\"\xE2\x82\"", "invalid UTF-8 in a string", 1},
      {"CutAtEnd", "\"\xE2\x82", "invalid UTF-8 in a string", 1},
      {"Latin1", "\"caf\xE9\"", "invalid UTF-8 in a string", 4},
      {"Duplicate", R"({"a":1,"a":2})", "duplicate member name \"a\"", 7},
      {"DuplicateEscaped", R"({"a":1,"\u0061":2})", "duplicate member name \"a\"", 7},
      {"DuplicateSurrogates", "{\"\\ud83d\\ude00\":1,\"\xF0\x9F\x98\x80\":2}",
       "duplicate member name \"\xF0\x9F\x98\x80\"", 18},
      {"DuplicateEmpty", R"({"":1,"b":2,"":3})", "duplicate member name \"\"", 12},
      {"DuplicateDeep", R"([{"x":{"k":1,"l":2,"k":3}}])", "duplicate member name \"k\"", 19},
      {"DuplicateShownSafely", R"({"\u001b[2J":1,"\u001b[2J":2})",
       "duplicate member name \"\\x1b[2J\"", 15},
  };
}

std::string name_of(const testing::TestParamInfo<Bad>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Structure, Refused, testing::ValuesIn(structure_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Scalars, Refused, testing::ValuesIn(scalar_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Strings, Refused, testing::ValuesIn(string_cases()), name_of);

// Both ways of skipping plain bytes stop where a loop over bytes stops, for every byte at every
// place.
TEST(PlainBytes, StopAtTheFirstOther) {
  for (unsigned value = 0; value <= 0xFF; ++value) {
    const char byte = static_cast<char>(value);
    for (std::size_t at = 0; at < 40; ++at) {
      std::string text(40, 'x');
      text[at] = byte;
      const char* const begin = text.data();
      const char* const end = begin + text.size();
      const char* const expected = is_plain_string_byte(byte) ? end : begin + at;
      EXPECT_EQ(skip_plain_string_bytes(begin, end), expected) << value << " at " << at;
      EXPECT_EQ(skip_plain_string_bytes_portable(begin, end), expected) << value << " at " << at;
    }
  }
}

// Every prefix of a valid text that is not a bare number is refused.
TEST(Tokenizer, RefusesEveryPrefix) {
  const std::string text =
      R"({"a":[1,-2.5e3,"x\u00e9\ud83d\ude00y",true,null],"é":{"b":{}},"c":false})";
  Tape tape;
  ASSERT_TRUE(tape.parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(tape.parse(std::string_view(text).substr(0, size))) << size;
  }
}

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(Tokenizer, DepthIsBoundedOnBothSides) {  // M20
  Tape tape;
  Limits limits;
  limits.max_depth = 5;
  EXPECT_TRUE(tape.parse(nested(5, '[', ']'), limits));
  EXPECT_FALSE(tape.parse(nested(6, '[', ']'), limits));
  EXPECT_TRUE(tape.error().is_limit);
  EXPECT_EQ(tape.error().what, "nested deeper than 5");
  EXPECT_EQ(tape.error().offset, 5U);
  EXPECT_FALSE(tape.parse(R"([{"a":[{"b":[[]]}]}])", limits));
  EXPECT_TRUE(tape.parse("[[[[[]]]],[[[[]]]]]", limits));  // depth, not number of arrays
}

TEST(Tokenizer, HostileDepthDoesNotUseTheStack) {  // M20
  Tape tape;
  Limits limits;
  limits.max_depth = 3'000'000;
  const std::string deep = nested(1'500'000, '[', ']');
  EXPECT_TRUE(tape.parse(deep, limits));
  EXPECT_FALSE(tape.parse(std::string(1'500'000, '['), limits));
  EXPECT_FALSE(tape.parse(std::string(100'000, '[')));
  EXPECT_TRUE(tape.error().is_limit);
}

TEST(Tokenizer, SizeIsBoundedOnBothSides) {
  Tape tape;
  Limits limits;
  limits.max_bytes = 10;
  EXPECT_TRUE(tape.parse("\"12345678\"", limits));
  EXPECT_FALSE(tape.parse("\"123456789\"", limits));
  EXPECT_TRUE(tape.error().is_limit);
  EXPECT_EQ(tape.error().what, "text longer than 10 bytes");
}

TEST(Tokenizer, CountIsBoundedOnBothSides) {
  Tape tape;
  Limits limits;
  limits.max_tokens = 4;
  EXPECT_TRUE(tape.parse("[1,2,3]", limits));
  EXPECT_FALSE(tape.parse("[1,2,3,4]", limits));
  EXPECT_TRUE(tape.error().is_limit);
  EXPECT_EQ(tape.error().what, "more than 4 values and names");
  EXPECT_FALSE(tape.parse(R"({"a":1,"b":2})", limits));  // names count
  EXPECT_FALSE(tape.parse("[[[[[]]]]]", limits));
}

TEST(Tokenizer, NumberLengthIsBoundedOnBothSides) {
  Tape tape;
  EXPECT_TRUE(tape.parse(std::string(1024, '7')));
  EXPECT_FALSE(tape.parse(std::string(1025, '7')));
  EXPECT_TRUE(tape.error().is_limit);
  EXPECT_EQ(tape.error().what, "number longer than 1024 bytes");
}

TEST(Tokenizer, ErrorCarriesCodeAndPlace) {
  Tape tape;
  const Result<void> bad = tape.parse_or_error("[1,]");
  EXPECT_EQ(bad.error().code(), Errc::kInvalidInput);
  EXPECT_EQ(bad.error().what(), "invalid JSON at byte 3: expected a value");
  const Result<void> deep = tape.parse_or_error(nested(200, '[', ']'));
  EXPECT_EQ(deep.error().code(), Errc::kLimit);
  EXPECT_TRUE(tape.parse_or_error("[1]").ok());
}

// Duplicates are found by each of the three ways of looking (filter, pairwise, sorted), at every
// position.
TEST(Tokenizer, FindsDuplicatesInObjectsOfAnySize) {
  for (const std::size_t count : {2U, 3U, 8U, 23U, 24U, 25U, 26U, 100U, 1000U}) {
    for (const std::size_t twin : {std::size_t{0}, count / 2, count - 1}) {
      std::string text = "{";
      for (std::size_t i = 0; i < count; ++i) {
        text += "\"name" + std::to_string(i) + "\":{\"name0\":0},";
      }
      Tape tape;
      ASSERT_TRUE(tape.parse(text + "\"last\":0}")) << count;
      const std::size_t place = text.size();
      EXPECT_FALSE(tape.parse(text + "\"name" + std::to_string(twin) + "\":0}"))
          << count << " " << twin;
      EXPECT_EQ(tape.error().offset, place);
      EXPECT_FALSE(tape.parse(text + "\"\\u006eame" + std::to_string(twin) + "\":0}"))
          << count << " " << twin;
      EXPECT_EQ(tape.error().offset, place);
    }
  }
}

TEST(Tokenizer, ReportsTheFirstDuplicateOfMany) {
  std::string text = "{";
  for (int i = 0; i < 60; ++i) {
    text += "\"n" + std::to_string(i) + "\":0,";
  }
  const std::size_t place = text.size();
  Tape tape;
  EXPECT_FALSE(tape.parse(text + "\"n7\":0,\"n3\":0,\"n7\":0}"));
  EXPECT_EQ(tape.error().offset, place);
  EXPECT_EQ(tape.error().what, "duplicate member name \"n7\"");
}

TEST(Tokenizer,
     MillionMembersStayFast) {  // M20; quadratic work would run into the test's time limit
  std::string text = "{";
  for (int i = 0; i < 1'000'000; ++i) {
    text += '"';
    text += std::to_string(i);
    text += "\":0,";
  }
  text += "\"x\":0}";
  Tape tape;
  Limits limits;
  limits.max_bytes = text.size();
  ASSERT_TRUE(tape.parse(text, limits)) << tape.error().what;
  EXPECT_EQ(tape.root().size(), 1'000'001U);
}

TEST(Tokenizer, TapeIsReusable) {
  Tape tape;
  ASSERT_TRUE(tape.parse(R"({"a":[1,2]})"));
  EXPECT_FALSE(tape.parse("{"));
  EXPECT_TRUE(tape.empty());
  ASSERT_TRUE(tape.parse("[7]"));
  EXPECT_EQ(tape.error().what, "");
  EXPECT_EQ(tape.tokens().size(), 2U);
  EXPECT_EQ(tape.root().element(0).int64(), 7);
}

TEST(Tokenizer, TokensDescribeTheText) {
  const std::string text = R"({ "a" : [1, "x\n"] })";
  Tape tape;
  ASSERT_TRUE(tape.parse(text));
  ASSERT_EQ(tape.tokens().size(), 5U);
  const Tape::Token& object = tape.tokens()[0];
  EXPECT_EQ(object.begin, 0U);
  EXPECT_EQ(object.end, text.size());
  EXPECT_EQ(object.next, 5U);
  EXPECT_EQ(object.count, 1U);
  const Tape::Token& name = tape.tokens()[1];
  EXPECT_TRUE(name.is_name);
  EXPECT_EQ(name.parent, 0U);
  const Tape::Token& array = tape.tokens()[2];
  EXPECT_EQ(array.count, 2U);
  EXPECT_EQ(array.next, 5U);
  EXPECT_EQ(tape.tokens()[4].parent, 2U);
  EXPECT_TRUE(tape.tokens()[4].has_escape);
  EXPECT_EQ(Value(&tape, 4).raw(), R"("x\n")");
}

TEST(Tokenizer, KnowsWhatIsMinified) {
  const auto minified = [](std::string_view text) {
    Tape tape;
    EXPECT_TRUE(tape.parse(text)) << text;
    return tape.is_minified();
  };
  EXPECT_TRUE(minified(R"({"a b":[1,"c d"]})"));
  EXPECT_TRUE(minified("{\"a\":1}\n"));  // outside the value
  EXPECT_TRUE(minified("  {}"));
  EXPECT_TRUE(minified(R"({"a":"\u0041"})"));  // values keep their spelling
  EXPECT_FALSE(minified(R"({"\u0061":1})"));
  EXPECT_FALSE(minified("{\"a\": 1}"));
  EXPECT_FALSE(minified("{ }"));
  EXPECT_FALSE(minified("[1 ]"));
  EXPECT_FALSE(minified("[1,\n2]"));
}

Limits lenient() {
  Limits limits;
  limits.allow_comments = true;
  return limits;
}

TEST(Tokenizer, CommentsAndTrailingCommasWhereAllowed) {
  const std::string text =
      "// head\n{ /* one */ \"a\": [1, 2, /* two */], // three\n \"b\": {\"c\": \"//no\",}, }\n/* "
      "end */ // x";
  Tape tape;
  ASSERT_TRUE(tape.parse(text, lenient())) << tape.error().what;
  EXPECT_FALSE(tape.is_minified());
  EXPECT_EQ(tape.root().find("a").size(), 2U);
  EXPECT_TRUE(tape.root().at("b", "c").string_equals("//no"));
  EXPECT_FALSE(tape.parse(text));
  ASSERT_TRUE(tape.parse("[1,]", lenient()));
  EXPECT_FALSE(tape.is_minified());
}

TEST(Tokenizer, CommentErrors) {
  const auto why = [](std::string_view text) {
    Tape tape;
    EXPECT_FALSE(tape.parse(text, lenient())) << text;
    return tape.error().what + " @" + std::to_string(tape.error().offset);
  };
  EXPECT_EQ(why("[1 /* x"), "unterminated comment @3");
  EXPECT_EQ(why("[1 /*/]"), "unterminated comment @3");
  EXPECT_EQ(why("[1 / 2]"), "expected a value or a comment @3");
  EXPECT_EQ(why("// \xFF\n1"), "invalid UTF-8 in a comment @0");
  EXPECT_EQ(why("1 // a\0b"s), "NUL character in a comment @2");
  EXPECT_EQ(why("[,]"), "expected a value @1");
  EXPECT_EQ(why("{,}"), "expected a member name in double quotes @1");
  EXPECT_EQ(why("[1,,]"), "expected a value @3");
  EXPECT_EQ(why("// only"), "unexpected end of text, expected a value @7");
}

}  // namespace
}  // namespace calaboose::json
