// SPDX-License-Identifier: Apache-2.0
// The character rules on single texts: what goes, what stays, and the properties that hold for any
// text.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "policy/scan/odd.h"
#include "policy/scan/rewrite.h"
#include "policy/scan/unicode.h"
#include "tests/policy/scan/strip_all.h"

namespace calaboose::policy {
namespace {

using std::string_literals::operator""s;

struct Row {
  const char* name;
  std::string input;
  std::string output;
  CharacterRule rule;
  std::uint32_t count;
};

class Stripped : public testing::TestWithParam<Row> {};

TEST_P(Stripped, ExactlyAndCounted) {
  std::string out;
  Tally tally;
  ASSERT_TRUE(strip_all(GetParam().input, Profile::kText, out, tally));
  EXPECT_EQ(out, GetParam().output);
  EXPECT_EQ(tally.of(GetParam().rule), GetParam().count) << character_rule_id(GetParam().rule);
}

std::vector<Row> control_rows() {  // M05
  constexpr CharacterRule kEsc = CharacterRule::kEscapeSequence;
  constexpr CharacterRule kCtl = CharacterRule::kControl;
  return {
      {"Colour", "\x1b[1;31mred\x1b[0m!", "red!", kEsc, 2},
      {"PrivateMode", "a\x1b[?25lb", "ab", kEsc, 1},
      {"CsiWithIntermediate", "a\x1b[2 qb", "ab", kEsc, 1},
      {"CsiUnfinished", "a\x1b[12;3", "a", kEsc, 1},
      {"CsiBrokenByLetterOutside", "a\x1b[1é", "aé", kEsc, 1},
      {"CsiBrokenByNewline", "a\x1b[1\nb", "a\nb", kEsc, 1},
      {"CsiWithControlInside", "a\x1b[1\x08;2mb", "ab", kEsc, 1},
      {"CsiBrokenByEscape", "a\x1b[1\x1b[2mb", "ab", kEsc, 2},
      {"C1Csi",
       "a\xC2\x9B"
       "2Jb",
       "ab", kEsc, 1},
      {"OscBell",
       "a\x1b]0;title\x07"
       "b",
       "ab", kEsc, 1},
      {"OscSt", "a\x1b]8;;http://x\x1b\\b", "ab", kEsc, 1},
      {"OscC1End",
       "a\x1b]0;title\xC2\x9C"
       "b",
       "ab", kEsc, 1},
      {"OscC1Start",
       "a\xC2\x9D"
       "0;title\x07"
       "b",
       "ab", kEsc, 1},
      {"OscOverLines",
       "a\x1b]52;c;QUJD\nREVG\x07"
       "b",
       "ab", kEsc, 1},
      {"OscUnfinishedKeepsTheText", "a\x1b]0;all the rest", "a0;all the rest", kEsc, 1},
      {"OscBrokenOff", "a\x1b]0;x\x18y", "ay", kEsc, 1},
      {"OscBrokenByOsc", "a\x1b]0;x\x1b]1;y\x07z", "az", kEsc, 2},
      {"Dcs", "a\x1bPq#0;2;0;0;0\x1b\\b", "ab", kEsc, 1},
      {"Apc", "a\x1b_Gf=100;AAAA\x1b\\b", "ab", kEsc, 1},
      {"Pm", "a\x1b^secret\x1b\\b", "ab", kEsc, 1},
      {"Sos", "a\x1bXtext\x1b\\b", "ab", kEsc, 1},
      {"C1Apc",
       "a\xC2\x9Ftext\xC2\x9C"
       "b",
       "ab", kEsc, 1},
      {"Charset", "a\x1b(Bb", "ab", kEsc, 1},
      {"Reset",
       "a\x1b"
       "cb",
       "ab", kEsc, 1},
      {"Keypad", "a\x1b=b", "ab", kEsc, 1},
      {"EscapeAtEnd", "a\x1b", "a", kEsc, 1},
      {"EscapeBeforeWide", "a\x1bé", "aé", kEsc, 1},
      {"EscapeBeforeNewline", "a\x1b\nb", "a\nb", kEsc, 1},
      {"TwoEscapes", "a\x1b\x1b[1mb", "ab", kEsc, 2},
      {"Controls",
       "a\x01\x07\x08\x0b\x0c\x0e\x1f\x7f"
       "b",
       "ab", kCtl, 8},
      {"Nul", "a\0b"s, "ab", kCtl, 1},
      {"LoneC1",
       "a\xC2\x80\xC2\x85\xC2\x9C"
       "b",
       "ab", kCtl, 3},
      {"Noncharacters",
       "a\uFDD0\uFFFE\uFFFF\U0001FFFE\U0010FFFF"
       "b",
       "ab", CharacterRule::kNoncharacter, 5},
      {"InvalidBytes", "a\xFF\xC3(", "a\uFFFD\uFFFD(", CharacterRule::kInvalidUtf8, 2},
      {"SurrogateBytes", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD", CharacterRule::kInvalidUtf8, 3},
  };
}

std::vector<Row> invisible_rows() {  // M02 M03 M04
  constexpr CharacterRule kTags = CharacterRule::kTags;
  constexpr CharacterRule kZero = CharacterRule::kZeroWidth;
  constexpr CharacterRule kSelect = CharacterRule::kVariationSelector;
  constexpr CharacterRule kHidden = CharacterRule::kInvisible;
  constexpr CharacterRule kBidi = CharacterRule::kBidi;
  return {
      {"TagsAlone",
       "a\U000E0061\U000E0062\U000E007F"
       "b",
       "ab", kTags, 3},
      {"TagsAfterOtherEmoji",
       "\U0001F600\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "\U0001F600",
       kTags, 6},
      {"UnknownFlag", "\U0001F3F4\U000E0075\U000E0073\U000E0063\U000E0061\U000E007F", "\U0001F3F4",
       kTags, 5},
      {"FlagWithoutEnd", "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067",
       "\U0001F3F4", kTags, 5},
      {"TextAfterFlag",
       "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F\U000E0061",
       "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", kTags, 1},
      {"LanguageTag",
       "a\U000E0001"
       "b",
       "ab", kTags, 1},
      {"ZwspInLatin", "i\u200Bg", "ig", kZero, 1},
      {"ZwspAfterThaiBeforeLatin", "ก\u200Ba", "กa", kZero, 1},
      {"ZwjInLatin", "a\u200Db", "ab", kZero, 1},
      {"ZwnjInLatin", "a\u200Cb", "ab", kZero, 1},
      {"ZwnjRunInPersian", "می\u200C\u200C\u200Cخ", "می\u200Cخ", kZero, 2},
      {"ZwjRunInEmoji", "\U0001F468\u200D\u200D\U0001F469", "\U0001F468\u200D\U0001F469", kZero, 1},
      {"ZwjAfterEmojiBeforeText", "\U0001F468\u200Dx", "\U0001F468x", kZero, 1},
      {"BomInside",
       "a\uFEFF"
       "b",
       "ab", kZero, 1},
      {"WordJoiner", "a\u2060b", "ab", kHidden, 1},
      {"SelectorAfterLatin", "a\uFE0F", "a", kSelect, 1},
      {"SelectorRun", "\u2764\uFE0F\uFE0F\uFE0E", "\u2764\uFE0F", kSelect, 2},
      {"IdeographicAfterLatin", "a\U000E0100", "a", kSelect, 1},
      {"IdeographicRun", "葛\U000E0100\U000E0101", "葛\U000E0100", kSelect, 1},
      {"KeycapWithoutCap", "1\uFE0Fx", "1x", kSelect, 1},
      {"SelectorFirst", "\uFE0Fx", "x", kSelect, 1},
      {"MongolianAfterLatin", "a\u180B", "a", kSelect, 1},
      {"Operators", "a\u2062\u2063b", "ab", kHidden, 2},
      {"OperatorInWordBeforeTag", "Ma\u2062y\U000E0063n", "Mayn", kHidden, 1},
      {"OperatorInWord", "ig\u2062nore", "ignore", kHidden, 1},
      {"Deprecated",
       "a\u206A\u206F"
       "b",
       "ab", kHidden, 2},
      {"Interlinear", "a\uFFF9b\uFFFAc\uFFFB", "abc", kHidden, 3},
      {"Filler",
       "a\u3164b\u115Fc\uFFA0"
       "d",
       "abcd", kHidden, 3},
      {"SoftHyphenRun",
       "a\u00AD\u00AD"
       "b",
       "a\u00AD"
       "b",
       kHidden, 1},
      {"SoftHyphenAtEnd", "a\u00AD 1", "a 1", kHidden, 1},
      {"GraphemeJoinerInLatin", "a\u034Fb", "ab", kHidden, 1},
      {"UnassignedIgnorable",
       "a\u2065\uFFF0\U000E0FFF"
       "b",
       "ab", kHidden, 3},
      {"Override", "a\u202Eb\u202C", "ab", kBidi, 2},
      {"OverrideInHebrew", "של\u202Dום\u202C", "שלום", kBidi, 2},
      {"IsolatesInLatin", "a\u2066b\u2069", "ab", kBidi, 2},
      {"OpenIsolateInHebrew", "של\u2067ום", "שלום", kBidi, 1},
      {"IsolateOverLines", "של\u2067ום\nשל\u2069ום", "שלום\nשלום", kBidi, 2},
      {"CloserFirst", "של\u2069ום\u2067", "שלום", kBidi, 2},
      {"MarkInLatin", "a\u200Eb\u200F", "ab", kBidi, 2},
      {"MarkRunInHebrew", "של\u200F\u200E\u200Fום", "של\u200Fום", kBidi, 2},
      {"MarkInLatinParagraphBesideHebrew", "שלום\na\u200Fb", "שלום\nab", kBidi, 1},
      {"EmbeddingThatCrossesAnIsolate", "ש\u2067\u202Bל\u2069\u202Cם", "ש\u2067ל\u2069ם", kBidi, 2},
  };
}

std::string name_of(const testing::TestParamInfo<Row>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Controls, Stripped, testing::ValuesIn(control_rows()), name_of);
INSTANTIATE_TEST_SUITE_P(Invisible, Stripped, testing::ValuesIn(invisible_rows()), name_of);

TEST(Kept, TextsThatNeedTheirInvisibleCharacters) {
  for (const std::string& text : std::vector<std::string>{
           "plain\ttext\r\nwith lines",
           "written out: \\x1b[31m \\u200B &#8203;",
           "Família 👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🏴‍☠️ "
           "❤️‍🔥 "
           "🧑🏿‍🤝‍🧑🏻 ☝🏽 ✌️ ☺︎",
           "1️⃣ #️⃣ *️⃣ 0︀",
           "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F "
           "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",
           "می‌خواهم PDF‌ها را",  // ZWNJ, also after Latin before Persian
           "ه‍ ۱۴۰۲",                     // ZWJ shows the joining form
           "ক্‌ষ র‍্য ശ്‍ ක්‍ෂ",  // Bengali, Malayalam, Sinhala
           "ភាសា\u200Bខ្មែរ ภาษา\u200Bไทย ພາສາ\u200Bລາວ မြန်မာ\u200Bစာ",
           "ᠮᠣᠩ\u180Bᠭᠣᠯ ᠨᠢ\u180Eᠠ",
           "葛\U000E0100城 邉\U000E0105 \u4FAE\uFE00",
           "שלום \u2066C++\u2069 עולם\u200F!",
           "مرحبا\u061C \u202Aabc\u202C \u2068x\u2069",
           "f\u2061(x) = a\u2062b + 2\u2064½",
           "Silben\u00ADtrennung",
           "ᄒ\u1160ᆫ \u115Fᅡ",             // conjoining jamo with fillers
           "\U0001D15F\U0001D173\U0001D15F",  // musical beam
           "\u2028 \u2029 \u00A0 \u3000 \u2800 \uFFFC \uFFFD \uE000",
           "e\u0301\u034F\u0323",
           "∪︀ ⊕︀ 𝒜",
       }) {
    EXPECT_EQ(stripped(text), text);
  }
}

TEST(Kept, ByteOrderMarkAtTheStartOfAFileOnly) {
  EXPECT_EQ(stripped("\uFEFFtext", Profile::kTextFromFile), "\uFEFFtext");
  EXPECT_EQ(stripped("\uFEFFtext", Profile::kText), "text");
  EXPECT_EQ(stripped("\uFEFF\uFEFFtext", Profile::kTextFromFile), "\uFEFFtext");
}

TEST(Names, HoldNothingInvisible) {
  EXPECT_EQ(stripped("می\u200Cخواهم", Profile::kName), "میخواهم");
  EXPECT_EQ(stripped("❤️_👨\u200D👩", Profile::kName), "❤_👨👩");
  EXPECT_EQ(stripped("a\u2028b\u00ADc\x1b[1md", Profile::kName), "abcd");
  EXPECT_EQ(stripped("read_file", Profile::kName), "read_file");
  EXPECT_EQ(stripped("prénom_日本", Profile::kName), "prénom_日本");
}

// Every code point alone between letters: the odd ones go in a name, and nothing else does.
TEST(Names, LoseExactlyTheOddCharacters) {
  for (std::uint32_t cp = 1; cp <= 0x10FFFF; ++cp) {
    if (cp >= 0xD800 && cp <= 0xDFFF) {
      continue;
    }
    if (cp > 0x30000 && cp < 0xE0000 && (cp & 0xFFFFU) < 0xFF00) {
      cp += 0x30;  // empty planes: samples
    }
    std::string text = "x";
    append_utf8(text, cp);
    text += ",";
    std::string out;
    Tally tally;
    const bool changed = strip_characters(text, Profile::kName, out, tally);
    ASSERT_EQ(changed, is_odd(cp)) << std::hex << cp;
    ASSERT_EQ(find_odd_text(text) != std::string_view::npos, is_odd(cp)) << std::hex << cp;
    ASSERT_EQ(find_odd_json(text) != std::string_view::npos, is_odd(cp) && cp >= 0x7F)
        << std::hex << cp;
  }
}

}  // namespace
}  // namespace calaboose::policy
