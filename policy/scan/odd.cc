// SPDX-License-Identifier: Apache-2.0
// Printable ASCII is skipped 16 bytes at a time; other text costs a decode per character.
#include "policy/scan/odd.h"

#include <bit>
#include <cstdint>

#include "base/json/strings.h"
#include "policy/scan/unicode.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace calaboose::policy {
namespace {

// JSON outside of strings has line breaks as white space, and inside it has no raw controls at all:
// there, bytes under 0x20 need no look, but backslashes do. Decoded text is the other way round.
template <bool kJson>
constexpr bool is_dull(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if constexpr (kJson) {
    return byte < 0x7F && byte != '\\';
  }
  return (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t' || byte == '\r';
}

// The first byte from `i` on that needs a look.
template <bool kJson>
std::size_t skip_dull(std::string_view text, std::size_t i) {
#ifdef __SSE2__
  const __m128i del = _mm_set1_epi8(0x7F);
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; text.size() - i >= 16; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    // Signed: bytes from 0x80 on are under zero. In text everything under 0x20 is handed out, line
    // breaks too.
    __m128i look = _mm_or_si128(_mm_cmpeq_epi8(bytes, del),
                                _mm_cmplt_epi8(bytes, _mm_set1_epi8(kJson ? 0 : 0x20)));
    if constexpr (kJson) {
      look = _mm_or_si128(look, _mm_cmpeq_epi8(bytes, backslash));
    }
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(look));
    if (mask != 0) {
      return i + static_cast<std::size_t>(std::countr_zero(mask));
    }
  }
#endif
  while (i < text.size() && is_dull<kJson>(text[i])) {
    ++i;
  }
  return i;
}

// Steps over non-ASCII characters that are common and never odd without decoding: most of Latin,
// Greek, Cyrillic, Kana, Han and Hangul. Returns 0 if the character must be decoded.
unsigned plain_length(unsigned char lead, unsigned char second) {
  if (lead >= 0xC3 && lead <= 0xDF) {
    return lead == 0xCD || lead == 0xD8 ? 0 : 2;  // grapheme joiner, Arabic letter mark
  }
  if (lead >= 0xE3 && lead <= 0xED) {
    return lead == 0xE3 && second == 0x85 ? 0 : 3;  // Hangul filler
  }
  return 0;
}

template <bool kJson, class Wanted>
std::size_t find(std::string_view text, std::size_t i, Wanted wanted) {
  while ((i = skip_dull<kJson>(text, i)) < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (kJson && byte == '\\') {
      const char kind = text[i + 1];
      unsigned length = 2;
      if (kind == 'b' || kind == 'f' ||
          (kind == 'u' && wanted(json::decode_escape(text, i, length)))) {
        return i;
      }
      i += length;
      continue;
    }
    if (byte < 0x80) {
      if (is_forbidden_control(byte)) {
        return i;
      }
      ++i;
      continue;
    }
    const unsigned quick = plain_length(byte, static_cast<unsigned char>(text[i + 1]));
    std::size_t end = i + quick;
    if (quick == 0 && wanted(decode_valid(text, i, end))) {
      return i;
    }
    i = end;
  }
  return std::string_view::npos;
}

constexpr auto kOdd = [](std::uint32_t cp) {
  return is_odd(cp);
};  // a type of its own, so that it is inlined

}  // namespace

std::size_t find_odd_json(std::string_view raw) {
  return find<true>(raw, 0, kOdd);
}

std::size_t find_odd_text(std::string_view text, std::size_t from) {
  return find<false>(text, from, kOdd);
}

std::size_t find_control(std::string_view text, std::size_t from) {
  return find<false>(
      text, from, [](std::uint32_t cp) { return is_forbidden_control(cp) || is_noncharacter(cp); });
}

}  // namespace calaboose::policy
