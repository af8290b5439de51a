// SPDX-License-Identifier: Apache-2.0
// The few properties of characters that the character rules need, in range tables of ours.
// Place: policy/scan; internal. Pure. A full Unicode library would cost 30 MB of mapped data for
// the same answers; the tests compare these tables with ICU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// The tables behind the functions of the same names without `_slow`.
Invisible invisible_kind_slow(std::uint32_t cp);
bool is_right_to_left_slow(std::uint32_t cp);

/// The kind; letters of Latin, Greek, Cyrillic, Kana, Han and Hangul are answered without a call.
inline Invisible invisible_kind(std::uint32_t cp) {
  if (cp < 0xAD || (cp > 0x3164 && cp < 0xFE00) || (cp > 0xAD && cp < 0x34F)) {
    return Invisible::kOrdinary;
  }
  return invisible_kind_slow(cp);
}

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

bool is_emoji_base(std::uint32_t cp);  // Extended_Pictographic or a skin tone
bool is_ideograph(std::uint32_t cp);   // Han

/// A letter that is strong R or AL.
inline bool is_right_to_left(std::uint32_t cp) {
  return cp >= 0x5D0 && is_right_to_left_slow(cp);
}

bool is_virama(std::uint32_t cp);    // canonical combining class 9
bool is_cursive(std::uint32_t cp);   // scripts whose letters join: Arabic and relatives
bool is_brahmic(std::uint32_t cp);   // Indic scripts and relatives
bool is_unspaced(std::uint32_t cp);  // Thai, Lao, Khmer, Myanmar and so on: no spaces in between
bool is_mongolian_letter(std::uint32_t cp);
bool is_combining(std::uint32_t cp);  // marks that a grapheme joiner can stand between

/// True if `base` takes the variation selector VS1..VS14 (U+FE00..FE0D) in the standardized list.
bool takes_standard_selector(std::uint32_t base, std::uint32_t selector);

/// Decodes the character at `at` of a text that is known to be valid UTF-8; sets `end` to one past
/// it.
inline std::uint32_t decode_valid(std::string_view text, std::size_t at, std::size_t& end) {
  const auto byte = [&](std::size_t k) {
    return std::uint32_t{static_cast<unsigned char>(text[at + k])};
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) {
    end = at + 1;
    return lead;
  }
  if (lead < 0xE0) {
    end = at + 2;
    return (lead & 0x1FU) << 6U | (byte(1) & 0x3FU);
  }
  if (lead < 0xF0) {
    end = at + 3;
    return (lead & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  }
  end = at + 4;
  return (lead & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U |
         (byte(3) & 0x3FU);
}

constexpr bool is_ascii_letter(std::uint32_t cp) {
  return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}

}  // namespace calaboose::policy
