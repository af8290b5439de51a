// SPDX-License-Identifier: Apache-2.0
// Strings that are not plain: escapes are checked, UTF-8 is validated. Kept away from the grammar
// so that its loop stays small.
#include "base/json/scan_bytes.h"
#include "base/json/tokenizer.h"

namespace calaboose::json {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    default:
      return false;
  }
}

// Value of a hexadecimal digit, or -1.
int hex_digit(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The four digits after "\u", or -1.
int hex_unit(const char* p, const char* end) {
  if (end - p < 4) {
    return -1;
  }
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(p[i]);
    if (digit < 0) {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

}  // namespace

// "'x'" or "byte 0xNN", for messages.
std::string byte_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7F) {
    return std::string("'") + c + "'";
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("byte 0x") + kDigits[byte >> 4U] + kDigits[byte & 0x0FU];
}

// p_ is at the opening quote, `stop` at the first byte of its string that is not plain.
bool Tokenizer::string_from(const char* stop, bool is_name) {
  const char* const quote = p_;
  bool has_escape = false;
  for (p_ = stop;; p_ = skip_plain_string_bytes(p_, end_)) {
    if (p_ == end_) {
      return fail("unterminated string", quote);
    }
    if (*p_ == '"') {
      break;
    }
    if (*p_ == '\\') {
      has_escape = true;
      if (!escape(quote)) {
        return false;
      }
    } else if (static_cast<unsigned char>(*p_) < 0x20) {
      return fail_here("raw control character in a string: " + byte_name(*p_));
    } else if (!wide(quote)) {
      return false;
    }
  }
  ++p_;
  if (is_name && has_escape) {
    minified_ = false;
  }
  return push(Kind::kString, quote, p_, is_name, has_escape);
}

// p_ is at a backslash.
bool Tokenizer::escape(const char* quote) {
  if (end_ - p_ < 2) {
    return fail("unterminated string", quote);
  }
  if (p_[1] != 'u') {
    if (!is_short_escape(p_[1])) {
      return fail_here("invalid escape in a string");
    }
    p_ += 2;
    return true;
  }
  const int unit = hex_unit(p_ + 2, end_);
  if (unit < 0) {
    return fail_here("invalid \\u escape in a string");
  }
  if (unit == 0) {
    return fail_here("NUL character in a string");
  }
  if (unit < 0xD800 || unit > 0xDFFF) {
    p_ += 6;
    return true;
  }
  const bool pair = unit < 0xDC00 && end_ - p_ >= 12 && p_[6] == '\\' && p_[7] == 'u';
  const int low = pair ? hex_unit(p_ + 8, end_) : -1;
  if (low < 0xDC00 || low > 0xDFFF) {
    return fail_here("lone surrogate in a string");
  }
  p_ += 12;
  return true;
}

// p_ is at a byte from 0x80 on: takes all non-ASCII characters that follow.
bool Tokenizer::wide(const char* quote) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (p_ != end_ && static_cast<unsigned char>(*p_) >= 0x80) {
    const auto lead = static_cast<unsigned char>(*p_);
    const auto left = end_ - p_;
    const auto second = static_cast<unsigned char>(left > 1 ? p_[1] : 0);
    if (lead >= 0xE1 && lead <= 0xEF && lead != 0xED && left > 2 && continues(p_[1]) &&
        continues(p_[2])) {
      p_ += 3;
    } else if (lead >= 0xC2 && lead <= 0xDF && continues(static_cast<char>(second))) {
      p_ += 2;
    } else if ((lead == 0xE0 || lead == 0xED) && left > 2 && continues(p_[2]) &&
               (lead == 0xE0 ? second >= 0xA0 && second <= 0xBF
                             : second >= 0x80 && second <= 0x9F)) {
      p_ += 3;
    } else if (lead >= 0xF0 && lead <= 0xF4 && left > 3 && continues(p_[1]) && continues(p_[2]) &&
               continues(p_[3]) && (lead != 0xF0 || second >= 0x90) &&
               (lead != 0xF4 || second <= 0x8F)) {
      p_ += 4;
    } else {
      return fail_here("invalid UTF-8 in a string");
    }
  }
  return p_ != end_ || fail("unterminated string", quote);
}

}  // namespace calaboose::json
