// SPDX-License-Identifier: Apache-2.0
// Skips plain bytes of a JSON string, 16 (SSE2) or 8 at a time.
// Place: base/json; internal to it and to policy/scan. Pure.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace calaboose::json {

/// True for bytes that a JSON string may hold without a further look: ASCII from space on, no
/// quote, no backslash.
inline bool is_plain_string_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// The first byte in [p, end) that is not plain, or `end`; eight bytes at a time, for any machine.
inline const char* skip_plain_string_bytes_portable(const char* p, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
  for (; end - p >= 8; p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    // "Has a zero byte", twice, and "has a byte under 0x20 or over 0x7F". A borrow can raise a
    // false alarm only beside a true one, and the loop below finds that.
    const std::uint64_t quote = word ^ (kOnes * '"');
    const std::uint64_t backslash = word ^ (kOnes * '\\');
    const std::uint64_t hit = ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) |
                              (word - kOnes * 0x20) | word;
    if ((hit & kHighs) != 0) {
      break;
    }
  }
  while (p != end && is_plain_string_byte(*p)) {
    ++p;
  }
  return p;
}

/// The first byte in [p, end) that is not plain, or `end`.
inline const char* skip_plain_string_bytes(const char* p, const char* end) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i space = _mm_set1_epi8(' ');
  for (; end - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    // Signed comparison: bytes from 0x80 on are negative, so one test finds controls and non-ASCII
    // alike.
    const __m128i stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmplt_epi8(bytes, space));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(stop));
    if (mask != 0) {
      return p + std::countr_zero(mask);
    }
  }
#endif
  return skip_plain_string_bytes_portable(p, end);
}

}  // namespace calaboose::json
