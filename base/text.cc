// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <array>
#include <cstdio>
#include <cstring>

namespace calaboose {
namespace {

constexpr std::uint32_t kInvalid = 0xFFFFFFFF;

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

// What a terminal or a reader could be fooled by: controls, format characters, fillers, private
// tags.
bool is_deceptive(std::uint32_t cp) {
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };

  static constexpr auto kRanges = std::to_array<Range>({
      {0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
      {0x61C, 0x61C},   {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
      {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
      {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
      {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
  });
  for (const Range& range : kRanges) {
    if (cp >= range.first && cp <= range.last) {
      return true;
    }
  }
  return (cp & 0xFFFEU) == 0xFFFEU;
}

void append_escape(std::string& out, std::uint32_t cp) {
  std::array<char, 16> buffer{};
  const char* format = cp <= 0xFF ? "\\x%02x" : (cp <= 0xFFFF ? "\\u%04x" : "\\U%08x");
  // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral)
  const int n = std::snprintf(buffer.data(), buffer.size(), format, cp);
  out.append(buffer.data(), static_cast<std::size_t>(n));
}

std::string escape_text(std::string_view text, std::size_t max_bytes, bool keep_layout) {
  std::string out;
  out.reserve(text.size() < max_bytes ? text.size() : max_bytes);
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= max_bytes) {
      out += "…";
      break;
    }
    unsigned length = 1;
    const std::uint32_t cp = decode_utf8(text, i, length);
    if (cp == kInvalid) {
      append_escape(out, static_cast<unsigned char>(text[i]));
    } else if (cp == '\n' || cp == '\t') {
      if (keep_layout) {
        out += static_cast<char>(cp);
      } else {
        out += cp == '\n' ? "\\n" : "\\t";
      }
    } else if (cp == '\r') {
      out += "\\r";
    } else if (is_deceptive(cp)) {
      append_escape(out, cp);
    } else {
      out.append(text, i, length);
    }
    i += length;
  }
  return out;
}

}  // namespace

std::uint32_t decode_utf8(std::string_view text, std::size_t at, unsigned& length) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const std::size_t left = text.size() - at;
  length = 1;
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return lead;
  }
  unsigned need = 0;
  std::uint32_t cp = 0;
  std::uint32_t least = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    need = 1, cp = lead & 0x1FU, least = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    need = 2, cp = lead & 0x0FU, least = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    need = 3, cp = lead & 0x07U, least = 0x10000;
  } else {
    return kInvalid;
  }
  if (left <= need) {
    return kInvalid;
  }
  for (unsigned k = 1; k <= need; ++k) {
    if (!is_continuation(byte(k))) {
      return kInvalid;
    }
    cp = (cp << 6U) | (byte(k) & 0x3FU);
  }
  if (cp < least || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) {
    return kInvalid;
  }
  length = need + 1;
  return cp;
}

void append_utf8(std::string& out, std::uint32_t cp) {
  if (cp < 0x80) {
    out += static_cast<char>(cp);
  } else if (cp < 0x800) {
    out += static_cast<char>(0xC0U | (cp >> 6U));
    out += static_cast<char>(0x80U | (cp & 0x3FU));
  } else if (cp < 0x10000) {
    out += static_cast<char>(0xE0U | (cp >> 12U));
    out += static_cast<char>(0x80U | ((cp >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (cp & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (cp >> 18U));
    out += static_cast<char>(0x80U | ((cp >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((cp >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (cp & 0x3FU));
  }
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (text.size() - i >= 8) {  // eight ASCII bytes at once
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + i, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        i += 8;
        continue;
      }
    }
    unsigned length = 1;
    if (decode_utf8(text, i, length) == kInvalid) {
      return false;
    }
    i += length;
  }
  return true;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  return escape_text(text, max_bytes, false);
}

std::string printable_block(std::string_view text, std::size_t max_bytes) {
  return escape_text(text, max_bytes, true);
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0x0FU];
  }
  return out;
}

}  // namespace calaboose
