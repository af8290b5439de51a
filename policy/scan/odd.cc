// SPDX-License-Identifier: Apache-2.0
// Printable ASCII is skipped 16 bytes at a time; other text costs a decode per character.
#include "policy/scan/odd.h"

#include <bit>
#include <cstdint>

#include "base/json/strings.h"
#include "base/text.h"
#include "policy/scan/unicode.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace calaboose::policy {
namespace {

constexpr std::uint32_t kInvalid = 0xFFFFFFFF;

// JSON outside of strings has line breaks as white space, and inside it has no raw controls at all:
// there, bytes under 0x20 need no look. Decoded text has raw controls.
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
  const __m128i zero = _mm_setzero_si128();
  const __m128i other = kJson ? _mm_set1_epi8('\\') : _mm_set1_epi8('\x1F');
  for (; text.size() - i >= 16; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    // Signed: bytes from 0x80 on are under zero. In JSON 0x7F and the backslash are left to find;
    // in text everything up to 0x1F is handed to the loop below, line breaks too.
    const __m128i low =
        kJson ? _mm_or_si128(_mm_cmplt_epi8(bytes, zero), _mm_cmpeq_epi8(bytes, other))
              : _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    const auto mask =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(bytes, del))));
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
// Greek, Cyrillic, Kana, Han and Hangul. Returns 0 if the character must be decoded. Requires valid
// UTF-8.
unsigned plain_length(unsigned char lead, unsigned char second) {
  if (lead >= 0xC3 && lead <= 0xDF) {
    return lead == 0xCD || lead == 0xD8 ? 0 : 2;  // grapheme joiner, Arabic letter mark
  }
  if (lead >= 0xE3 && lead <= 0xED) {
    return lead == 0xE3 && second == 0x85 ? 0 : 3;  // Hangul filler
  }
  return 0;
}

template <bool kJson>
std::size_t find_odd(std::string_view text, std::size_t i) {
  while ((i = skip_dull<kJson>(text, i)) < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (kJson && byte == '\\') {
      const char kind = text[i + 1];
      unsigned length = 2;
      if (kind == 'b' || kind == 'f' ||
          (kind == 'u' && is_odd(json::decode_escape(text, i, length)))) {
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
    if (kJson) {
      const unsigned quick = plain_length(byte, static_cast<unsigned char>(text[i + 1]));
      if (quick != 0) {
        i += quick;
        continue;
      }
    }
    unsigned length = 1;
    const std::uint32_t cp = decode_utf8(text, i, length);
    if (cp == kInvalid || is_odd(cp)) {
      return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t find_odd_json(std::string_view raw) {
  return find_odd<true>(raw, 0);
}

std::size_t find_odd_text(std::string_view text, std::size_t from) {
  return find_odd<false>(text, from);
}

}  // namespace calaboose::policy
