// SPDX-License-Identifier: Apache-2.0
// The few properties of characters that the character rules need, in range tables of ours.
// Place: policy/scan; internal. Pure. A full Unicode library would cost 30 MB of mapped data for
// the same answers; the tests compare these tables with ICU.
#pragma once

#include <cstdint>

namespace calaboose::policy {

/// Characters that show nothing by themselves and are right in some places only. Everything else
/// that is not forbidden outright is kOrdinary.
enum class Invisible : std::uint8_t {
  kOrdinary,
  kZwsp,
  kZwnj,
  kZwj,
  kMark,       // LRM, RLM, ALM
  kBidi,       // embeddings, overrides, isolates and their ends
  kOperator,   // U+2061..2064
  kSelector,   // variation selectors, VS1..VS256
  kMongolian,  // free variation selectors and the vowel separator
  kTag,        // the tags block
  kSoftHyphen,
  kGraphemeJoiner,
  kFiller,  // Hangul fillers
  kKhmerVowel,
  kMusical,
  kShorthand,
  kBom,
  kDead,  // never right: word joiner, deprecated and unassigned format characters
};

Invisible invisible_kind(std::uint32_t cp);

/// C0 without tab, line feed and carriage return; DEL; C1.
constexpr bool is_forbidden_control(std::uint32_t cp) {
  return (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') || (cp >= 0x7F && cp <= 0x9F);
}

constexpr bool is_noncharacter(std::uint32_t cp) {
  return (cp & 0xFFFEU) == 0xFFFEU || (cp >= 0xFDD0 && cp <= 0xFDEF);
}

/// Line or paragraph separator: ends a paragraph, has no place in a name.
constexpr bool is_separator(std::uint32_t cp) {
  return cp == 0x2028 || cp == 0x2029;
}

/// Controls, noncharacters, separators and everything invisible: whatever the rules must look at.
inline bool is_odd(std::uint32_t cp) {
  return is_forbidden_control(cp) || (cp >= 0xAD && (is_noncharacter(cp) || is_separator(cp) ||
                                                     invisible_kind(cp) != Invisible::kOrdinary));
}

bool is_emoji_base(std::uint32_t cp);     // Extended_Pictographic or a skin tone
bool is_ideograph(std::uint32_t cp);      // Han
bool is_right_to_left(std::uint32_t cp);  // strong R or AL
bool is_virama(std::uint32_t cp);         // canonical combining class 9
bool is_cursive(std::uint32_t cp);        // scripts whose letters join: Arabic and relatives
bool is_brahmic(std::uint32_t cp);        // Indic scripts and relatives
bool is_unspaced(
    std::uint32_t cp);  // Thai, Lao, Khmer, Myanmar and relatives: words without spaces
bool is_mongolian_letter(std::uint32_t cp);
bool is_combining(std::uint32_t cp);  // marks that a grapheme joiner can stand between

/// True if `base` takes the variation selector VS1..VS14 (U+FE00..FE0D) in the standardized list.
bool takes_standard_selector(std::uint32_t base, std::uint32_t selector);

constexpr bool is_ascii_letter(std::uint32_t cp) {
  return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}

}  // namespace calaboose::policy
