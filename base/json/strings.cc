// SPDX-License-Identifier: Apache-2.0
#include "base/json/strings.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace calaboose::json {
namespace {

std::uint32_t hex4(std::string_view body, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = body[i];
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = (value << 4U) | static_cast<std::uint32_t>(digit);
  }
  return value;
}

std::size_t find_backslash(std::string_view body, std::size_t from) {
  const void* hit = std::memchr(body.data() + from, '\\', body.size() - from);
  return hit == nullptr ? body.size()
                        : static_cast<std::size_t>(static_cast<const char*>(hit) - body.data());
}

}  // namespace

std::uint32_t decode_escape(std::string_view body, std::size_t at, unsigned& length) {
  length = 2;
  switch (body[at + 1]) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'u':
      break;
    default:
      return static_cast<unsigned char>(body[at + 1]);
  }
  length = 6;
  const std::uint32_t unit = hex4(body, at + 2);
  if (unit < 0xD800 || unit > 0xDBFF) {
    return unit;
  }
  length = 12;
  return 0x10000U + ((unit - 0xD800U) << 10U) + (hex4(body, at + 8) - 0xDC00U);
}

void append_unescaped(std::string& out, std::string_view body) {
  for (std::size_t i = 0; i < body.size();) {
    const std::size_t stop = find_backslash(body, i);
    out.append(body, i, stop - i);
    i = stop;
    if (i < body.size()) {
      unsigned length = 0;
      append_utf8(out, decode_escape(body, i, length));
      i += length;
    }
  }
}

bool unescaped_equals(std::string_view body, std::string_view text) {
  std::size_t t = 0;
  std::string encoded;  // at most four bytes: never leaves the small buffer
  for (std::size_t i = 0; i < body.size();) {
    const std::size_t stop = find_backslash(body, i);
    const std::size_t run = stop - i;
    if (text.size() - t < run || std::memcmp(body.data() + i, text.data() + t, run) != 0) {
      return false;
    }
    i = stop;
    t += run;
    if (i < body.size()) {
      unsigned length = 0;
      encoded.clear();
      append_utf8(encoded, decode_escape(body, i, length));
      if (text.substr(t, encoded.size()) != encoded) {
        return false;
      }
      i += length;
      t += encoded.size();
    }
  }
  return t == text.size();
}

// UTF-8 order is code point order. UTF-16 differs in one case only: surrogates (lead bytes F0..F4
// in UTF-8) sort before U+E000..U+FFFF (lead bytes EE and EF). The first different byte decides,
// and it is a lead byte in that case.
void append_pointer_token(std::string& out, std::string_view name) {
  out += '/';
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
}

bool utf16_less(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  const auto [pa, pb] =
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
  if (pa == a.begin() + static_cast<std::ptrdiff_t>(common)) {
    return a.size() < b.size();
  }
  const auto ca = static_cast<unsigned char>(*pa);
  const auto cb = static_cast<unsigned char>(*pb);
  const bool a_supplementary = ca >= 0xF0;
  const bool b_supplementary = cb >= 0xF0;
  if (a_supplementary != b_supplementary && ca >= 0xEE && cb >= 0xEE) {
    return a_supplementary;
  }
  return ca < cb;
}

}  // namespace calaboose::json
