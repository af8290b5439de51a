// SPDX-License-Identifier: Apache-2.0
// What holds for any text: the second pass finds nothing, nothing grows, hostile runs cost no more
// than others.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "policy/scan/odd.h"
#include "tests/policy/scan/strip_all.h"

namespace calaboose::policy {
namespace {

// Texts that hold much of what the rules look at, from a fixed seed.
std::string random_text(std::mt19937_64& engine) {
  static const std::vector<std::string> kPieces{
      "a",
      "ig",
      " ",
      "\n",
      "1",
      "é",
      "葛",
      "ש",
      "م",
      "ی",
      "क",
      "\u094D",
      "ក",
      "ก",
      "ᠮ",
      "ᄒ",
      "😀",
      "👩",
      "🏽",
      "🏴",
      "♂",
      "\u20E3",
      "\u0301",
      "\U0001D15F",
      "\u200B",
      "\u200C",
      "\u200D",
      "\u200E",
      "\u200F",
      "\u061C",
      "\u202A",
      "\u202B",
      "\u202C",
      "\u202D",
      "\u202E",
      "\u2066",
      "\u2067",
      "\u2068",
      "\u2069",
      "\u2060",
      "\u2061",
      "\u2062",
      "\u2063",
      "\uFE00",
      "\uFE0E",
      "\uFE0F",
      "\U000E0100",
      "\U000E0067",
      "\U000E007F",
      "\u180B",
      "\u180E",
      "\u00AD",
      "\u034F",
      "\u3164",
      "\u115F",
      "\u1160",
      "\uFFA0",
      "\u17B4",
      "\uFEFF",
      "\uFFF9",
      "\uFFFF",
      "\U0001D173",
      "\U0001BCA0",
      "\x1b",
      "\x1b[",
      "\x1b]",
      "\x07",
      "\x1b\\",
      "\x9c",
      "\xC2\x9B",
      "\xC2\x9D",
      "\xC2\x9C",
      "\x18",
      "m",
      ";",
      "0",
      "\x7f",
      "\u2029",
      "\r",
      "\xE2\x80",
      "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"};
  std::string text;
  for (std::uint64_t n = std::uniform_int_distribution<std::uint64_t>(1, 24)(engine); n > 0; --n) {
    text += kPieces[std::uniform_int_distribution<std::size_t>(0, kPieces.size() - 1)(engine)];
  }
  return text;
}

TEST(CharacterProperty, IdempotentNeverLongerAlwaysValid) {
  std::mt19937_64 engine(7);
  for (int i = 0; i < 6'000; ++i) {
    const std::string text = random_text(engine);
    for (const Profile profile : {Profile::kText, Profile::kTextFromFile, Profile::kName}) {
      const std::string once = stripped(text, profile);
      ASSERT_EQ(stripped(once, profile), once) << printable(text) << " -> " << printable(once);
      ASSERT_TRUE(is_valid_utf8(once));
      if (is_valid_utf8(text)) {
        ASSERT_LE(once.size(), text.size());
      }
      ASSERT_EQ(once.find('\x1b'), std::string::npos);
      if (profile == Profile::kName) {
        ASSERT_EQ(find_odd_text(once), std::string_view::npos) << printable(once);
      }
    }
  }
}

// Quadratic work on any of these would run into the test's time limit.
TEST(CharacterProperty, LinearOnHostileRuns) {
  constexpr std::size_t kRepeats = 60'000;
  for (const std::string_view piece :
       {"\x1b]", "\x1b[1", "\xC2\x9D", "\x1b_x", "\u200D", "\u2062", "\u2066", "\u2069",
        "\u202B\u202C", "\U000E0067", "ש\u2067", "ש\u2029", "a\u200F", "a\u200F\u2029", "👩\u200D",
        "\U0001F3F4\U000E0067", "\uFE0F", "a\u2062"}) {
    std::string text;
    text.reserve(piece.size() * kRepeats + 8);
    for (std::size_t i = 0; i < kRepeats; ++i) {
      text += piece;
    }
    text += "ש";
    EXPECT_LE(stripped(text).size(), text.size());
  }
}

}  // namespace
}  // namespace calaboose::policy
