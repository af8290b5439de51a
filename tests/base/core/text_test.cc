// SPDX-License-Identifier: Apache-2.0
// Making foreign text harmless; UTF-8 in and out.
#include "base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace calaboose {
namespace {

using std::string_literals::operator""s;

TEST(Printable, LeavesHonestTextAlone) {
  for (const std::string_view text : {"", "plain", "Grüße, 日本語 \u00A0 😀", "~!@"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_block(text), text);
  }
}

TEST(Printable, EscapesWhatATerminalWouldObey) {  // I11, M05
  EXPECT_EQ(printable("\x1b[31m\x07\x7f\0"s), "\\x1b[31m\\x07\\x7f\\x00");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\x9b2J");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable_block("a\nb\tc\rd\x1b"), "a\nb\tc\\rd\\x1b");
}

TEST(Printable, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(printable("a\u200Bb\u202Ec\uFEFFd\u00ADe\u2066"),
            "a\\u200bb\\u202ec\\ufeffd\\xade\\u2066");
  EXPECT_EQ(printable("\U000E0041\uFE0F\u3164\uFFFE\u034F\u17B4\U0001D173\U0001BCA0"),
            "\\U000e0041\\ufe0f\\u3164\\ufffe\\u034f\\u17b4\\U0001d173\\U0001bca0");
  EXPECT_EQ(printable("\u2028\u2029\uFDD0\U0010FFFF"), "\\u2028\\u2029\\ufdd0\\U0010ffff");
}

TEST(Printable, ShowsInvalidBytes) {
  EXPECT_EQ(printable("a\xFF\xC0\xAF\xED\xA0\x80z"), "a\\xff\\xc0\\xaf\\xed\\xa0\\x80z");
  EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82");
}

TEST(Printable, IsCutAtItsBound) {
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("", 0), "");
  EXPECT_EQ(printable("a", 0), "…");
  EXPECT_LE(printable(std::string(10'000, '\x01')).size(), 4096U + 16U);
  EXPECT_TRUE(is_valid_utf8(printable("ééééé", 3)));  // never inside a character
}

TEST(Printable, ResultIsAlwaysPrintable) {
  for (unsigned a = 0; a <= 0xFF; ++a) {
    for (unsigned b = 0; b <= 0xFF; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b)};
      const std::string shown = printable(text);
      EXPECT_TRUE(is_valid_utf8(shown));
      EXPECT_EQ(printable(shown), shown);
    }
  }
}

TEST(Utf8, DecodesAndRefusesAtTheBounds) {
  constexpr std::uint32_t kBad = 0xFFFFFFFF;

  struct Case {
    std::string_view text;
    std::uint32_t cp;
    unsigned length;
  };

  for (const Case& c : std::initializer_list<Case>{
           {"a", 'a', 1},
           {"\xC2\x80", 0x80, 2},
           {"\xDF\xBF", 0x7FF, 2},
           {"\xE0\xA0\x80", 0x800, 3},
           {"\xED\x9F\xBF", 0xD7FF, 3},
           {"\xEE\x80\x80", 0xE000, 3},
           {"\xEF\xBF\xBF", 0xFFFF, 3},
           {"\xF0\x90\x80\x80", 0x10000, 4},
           {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
           {"\x80", kBad, 1},
           {"\xC0\x80", kBad, 1},
           {"\xC1\xBF", kBad, 1},
           {"\xC2", kBad, 1},
           {"\xC2\x41", kBad, 1},
           {"\xE0\x9F\xBF", kBad, 1},
           {"\xED\xA0\x80", kBad, 1},
           {"\xE2\x82", kBad, 1},
           {"\xF0\x8F\xBF\xBF", kBad, 1},
           {"\xF4\x90\x80\x80", kBad, 1},
           {"\xF5\x80\x80\x80", kBad, 1},
           {"\xF0\x90\x80", kBad, 1},
           {"\xFF", kBad, 1},
       }) {
    unsigned length = 0;
    EXPECT_EQ(decode_utf8(c.text, 0, length), c.cp) << printable(c.text);
    EXPECT_EQ(length, c.length) << printable(c.text);
    EXPECT_EQ(is_valid_utf8(c.text), c.cp != kBad) << printable(c.text);
  }
}

TEST(Utf8, EveryScalarComesBack) {
  for (std::uint32_t cp = 0; cp <= 0x10FFFF; ++cp) {
    if (cp >= 0xD800 && cp <= 0xDFFF) {
      continue;
    }
    std::string text;
    append_utf8(text, cp);
    unsigned length = 0;
    ASSERT_EQ(decode_utf8(text, 0, length), cp);
    ASSERT_EQ(length, text.size());
  }
}

TEST(Utf8, DecodesInTheMiddle) {
  unsigned length = 0;
  EXPECT_EQ(decode_utf8("aé€", 1, length), 0xE9U);
  EXPECT_EQ(decode_utf8("aé€", 3, length), 0x20ACU);
  EXPECT_EQ(length, 3U);
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_FALSE(is_valid_utf8("valid then \xC3"));
}

TEST(Hex, IsLowerCase) {
  constexpr std::array<std::uint8_t, 5> kBytes{0x00, 0x0F, 0xA5, 0xFF, 0x10};
  EXPECT_EQ(to_hex(kBytes), "000fa5ff10");
  EXPECT_EQ(to_hex({}), "");
}

}  // namespace
}  // namespace calaboose
