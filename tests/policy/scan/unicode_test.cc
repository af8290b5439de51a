// SPDX-License-Identifier: Apache-2.0
// Our range tables against ICU (used in tests only).
#include "policy/scan/unicode.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace calaboose::policy {
namespace {

template <class F>
void for_each_scalar(F&& f) {
  for (std::uint32_t cp = 0; cp <= 0x10FFFF; ++cp) {
    if (cp < 0xD800 || cp > 0xDFFF) {
      f(cp, static_cast<UChar32>(cp));
    }
  }
}

// Every character that Unicode lets a display ignore is looked at, and nothing visible is.
TEST(Unicode, InvisibleIsWhatUnicodeIgnores) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    const bool interlinear = cp >= 0xFFF9 && cp <= 0xFFFB;
    EXPECT_EQ(invisible_kind(cp) != Invisible::kOrdinary,
              (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) || interlinear)
        << std::hex << cp;
  });
}

TEST(Unicode, Noncharacters) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    EXPECT_EQ(is_noncharacter(cp), u_hasBinaryProperty(c, UCHAR_NONCHARACTER_CODE_POINT) != 0)
        << std::hex << cp;
  });
}

TEST(Unicode, ControlsAreTheControls) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    const bool layout = cp == '\t' || cp == '\n' || cp == '\r';
    EXPECT_EQ(is_forbidden_control(cp), u_charType(c) == U_CONTROL_CHAR && !layout)
        << std::hex << cp;
  });
}

TEST(Unicode, EmojiHoldsThePictographs) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    const bool skin_tone = u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) != 0;
    if (u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0 || skin_tone) {
      EXPECT_TRUE(is_emoji_base(cp)) << std::hex << cp;
    } else if (cp < 0x1F000) {
      EXPECT_FALSE(is_emoji_base(cp)) << std::hex << cp;
    }
  });
}

TEST(Unicode, Viramas) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    EXPECT_EQ(is_virama(cp), u_getCombiningClass(c) == 9) << std::hex << cp;
  });
}

TEST(Unicode, RightToLeftLettersAreStrong) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    const UCharDirection direction = u_charDirection(c);
    const bool strong = direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
    if (is_right_to_left(cp) && u_isdefined(c) != 0) {
      EXPECT_TRUE(strong || u_charType(c) == U_NON_SPACING_MARK || direction == U_OTHER_NEUTRAL)
          << std::hex << cp;
    }
    if (strong && u_isalpha(c) != 0) {
      EXPECT_TRUE(is_right_to_left(cp)) << std::hex << cp;
    }
  });
}

TEST(Unicode, IdeographsAreHan) {
  for_each_scalar([](std::uint32_t cp, UChar32 c) {
    UErrorCode error = U_ZERO_ERROR;
    if (uscript_getScript(c, &error) == USCRIPT_HAN) {
      EXPECT_TRUE(is_ideograph(cp)) << std::hex << cp;
    } else if (is_ideograph(cp) && u_isalpha(c) != 0) {
      EXPECT_NE(u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC), 0) << std::hex << cp;
    }
  });
}

// The scripts that the joiners belong to. Historic scripts that ICU knows and the tables leave out
// are not a fault.
TEST(Unicode, ScriptsOfTheJoiners) {
  const auto script = [](std::uint32_t cp) {
    UErrorCode error = U_ZERO_ERROR;
    return uscript_getScript(static_cast<UChar32>(cp), &error);
  };
  for_each_scalar([&](std::uint32_t cp, UChar32 c) {
    if (u_isalpha(c) == 0) {
      return;
    }
    switch (script(cp)) {
      case USCRIPT_ARABIC:
        EXPECT_TRUE(is_cursive(cp) || cp >= 0x10E60) << std::hex << cp;
        break;
      case USCRIPT_SYRIAC:
      case USCRIPT_NKO:
      case USCRIPT_MONGOLIAN:
      case USCRIPT_MANDAIC:
        EXPECT_TRUE(is_cursive(cp)) << std::hex << cp;
        break;
      case USCRIPT_DEVANAGARI:
      case USCRIPT_BENGALI:
      case USCRIPT_GURMUKHI:
      case USCRIPT_GUJARATI:
      case USCRIPT_ORIYA:
      case USCRIPT_TAMIL:
      case USCRIPT_TELUGU:
      case USCRIPT_KANNADA:
      case USCRIPT_MALAYALAM:
      case USCRIPT_SINHALA:
      case USCRIPT_TIBETAN:
      case USCRIPT_JAVANESE:
      case USCRIPT_BALINESE:
        EXPECT_TRUE(is_brahmic(cp)) << std::hex << cp;
        break;
      case USCRIPT_THAI:
      case USCRIPT_LAO:
      case USCRIPT_KHMER:
      case USCRIPT_MYANMAR:
        EXPECT_TRUE(is_brahmic(cp) && is_unspaced(cp)) << std::hex << cp;
        break;
      case USCRIPT_LATIN:
      case USCRIPT_GREEK:
      case USCRIPT_CYRILLIC:
      case USCRIPT_HAN:
      case USCRIPT_HIRAGANA:
      case USCRIPT_KATAKANA:
      case USCRIPT_HANGUL:
        EXPECT_FALSE(is_brahmic(cp) || is_unspaced(cp) || is_cursive(cp)) << std::hex << cp;
        break;
      default:
        break;
    }
  });
}

}  // namespace
}  // namespace calaboose::policy
