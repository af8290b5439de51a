// SPDX-License-Identifier: Apache-2.0
// The grammar of RFC 8259 as three small steps: a value starts, a value has ended, a name is due.
// After every value the enclosing container (the parent link) says what may follow.
#include "base/json/tokenizer.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/json/scan_bytes.h"
#include "base/text.h"

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

// "'x'" or "byte 0xNN", for messages.
std::string byte_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7F) {
    return std::string("'") + c + "'";
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("byte 0x") + kDigits[byte >> 4U] + kDigits[byte & 0x0FU];
}

}  // namespace

Tokenizer::Tokenizer(Tape& tape, const Limits& limits)
    : tape_(tape),
      limits_(limits),
      begin_(tape.text_.data()),
      p_(begin_),
      end_(begin_ + tape.text_.size()) {}

bool Tokenizer::fail(std::string_view what, const char* at) {
  tape_.error_ = ParseError{std::string(what), static_cast<std::size_t>(at - begin_), false};
  return false;
}

bool Tokenizer::over_limit(std::string_view what, const char* at) {
  tape_.error_ = ParseError{std::string(what), static_cast<std::size_t>(at - begin_), true};
  return false;
}

bool Tokenizer::run() {
  const std::size_t size = tape_.text_.size();
  const std::size_t most =
      std::min<std::size_t>(limits_.max_bytes, std::numeric_limits<std::uint32_t>::max() - 1);
  if (size > most) {
    return over_limit("text longer than " + std::to_string(most) + " bytes", begin_ + most);
  }
  if (tape_.text_.starts_with("\xEF\xBB\xBF")) {
    return fail_here("byte order mark");
  }
  if (!skip_space()) {
    return false;
  }
  minified_ = true;  // white space around the root value does not count
  Next next = Next::kValue;
  while (next != Next::kDone) {
    next = value();
    while (next == Next::kAfter) {
      next = after_value();
    }
    if (next == Next::kFail) {
      return false;
    }
  }
  tape_.minified_ = minified_;
  tape_.tokens_.resize(count_);
  if (!skip_space()) {
    return false;
  }
  return p_ == end_ || fail_here("unexpected " + byte_name(*p_) + " after the value");
}

// Makes room for more tokens; the first step suits ordinary messages (a token for every eight
// bytes).
bool Tokenizer::grow(const char* at) {
  if (count_ >= limits_.max_tokens) {
    return over_limit("more than " + std::to_string(limits_.max_tokens) + " values and names", at);
  }
  const std::size_t wanted =
      std::max<std::size_t>(tape_.text_.size() / 8 + 16, std::size_t{count_} * 2);
  room_ = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, limits_.max_tokens));
  tape_.tokens_.resize(room_);
  tokens_ = tape_.tokens_.data();
  return true;
}

// p_ is at the first byte of a value.
inline Tokenizer::Next Tokenizer::value() {
  if (p_ == end_) {
    fail_here("unexpected end of text, expected a value");
    return Next::kFail;
  }
  switch (*p_) {
    case '{':
      return open(Kind::kObject);
    case '[':
      return open(Kind::kArray);
    case '"':
      return string(false) ? Next::kAfter : Next::kFail;
    case 't':
      return word(Kind::kTrue, "true");
    case 'f':
      return word(Kind::kFalse, "false");
    case 'n':
      return word(Kind::kNull, "null");
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return number() ? Next::kAfter : Next::kFail;
    default:
      fail_here("expected a value");
      return Next::kFail;
  }
}

Tokenizer::Next Tokenizer::open(Kind kind) {
  if (depth_ >= limits_.max_depth) {
    over_limit("nested deeper than " + std::to_string(limits_.max_depth), p_);
    return Next::kFail;
  }
  const auto index = count_;
  if (!push(kind, p_, p_ + 1)) {
    return Next::kFail;
  }
  ++depth_;
  current_ = index;
  ++p_;
  if (!skip_space()) {
    return Next::kFail;
  }
  if (p_ != end_ && *p_ == (kind == Kind::kObject ? '}' : ']')) {
    return close(kind);
  }
  if (kind == Kind::kArray) {
    return Next::kValue;
  }
  return member_name() ? Next::kValue : Next::kFail;
}

// p_ is at the closing bracket of current_.
inline Tokenizer::Next Tokenizer::close(Kind kind) {
  if (kind == Kind::kObject && !names_are_unique(current_)) {
    return Next::kFail;
  }
  ++p_;
  Tape::Token& token = tokens_[current_];
  token.end = offset(p_);
  token.next = count_;
  current_ = token.parent;
  --depth_;
  return Next::kAfter;
}

// p_ is one past a value.
inline Tokenizer::Next Tokenizer::after_value() {
  if (depth_ == 0) {
    return Next::kDone;
  }
  Tape::Token& container = tokens_[current_];
  const Kind kind = container.kind;
  const char closing = kind == Kind::kObject ? '}' : ']';
  ++container.count;
  if (!skip_space()) {
    return Next::kFail;
  }
  if (p_ == end_) {
    fail_here(std::string("unexpected end of text, expected ',' or '") + closing + "'");
    return Next::kFail;
  }
  if (*p_ == closing) {
    return close(kind);
  }
  if (*p_ != ',') {
    fail_here(std::string("expected ',' or '") + closing + "'");
    return Next::kFail;
  }
  ++p_;
  if (!skip_space()) {
    return Next::kFail;
  }
  if (limits_.allow_comments && p_ != end_ && *p_ == closing) {
    minified_ = false;  // the trailing comma must not be copied
    return close(kind);
  }
  if (kind == Kind::kArray) {
    return Next::kValue;
  }
  return member_name() ? Next::kValue : Next::kFail;
}

inline bool Tokenizer::member_name() {
  if (p_ == end_ || *p_ != '"') {
    return fail_here(p_ == end_ ? "unexpected end of text, expected a member name"
                                : "expected a member name in double quotes");
  }
  if (!string(true) || !skip_space()) {
    return false;
  }
  if (p_ == end_ || *p_ != ':') {
    return fail_here(p_ == end_ ? "unexpected end of text, expected ':'" : "expected ':'");
  }
  ++p_;
  return skip_space();
}

Tokenizer::Next Tokenizer::word(Kind kind, std::string_view text) {
  if (static_cast<std::size_t>(end_ - p_) < text.size() ||
      std::memcmp(p_, text.data(), text.size()) != 0) {
    fail_here("expected a value");
    return Next::kFail;
  }
  if (!push(kind, p_, p_ + text.size())) {
    return Next::kFail;
  }
  p_ += text.size();
  return Next::kAfter;
}

// p_ is at the opening quote. Nearly all strings are plain: they take no call from here.
inline bool Tokenizer::string(bool is_name) {
  const char* const stop = skip_plain_string_bytes(p_ + 1, end_);
  if (stop == end_ || *stop != '"') {
    return string_from(stop, is_name);
  }
  const char* const quote = p_;
  p_ = stop + 1;
  return push(Kind::kString, quote, stop + 1, is_name);
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

inline bool Tokenizer::number() {
  const char* const start = p_;
  const char* p = p_;
  const auto digits = [&] {
    const char* const first = p;
    while (p != end_ && is_digit(*p)) {
      ++p;
    }
    return p != first;
  };
  if (*p == '-') {
    ++p;
  }
  const char* const integer = p;
  if (!digits()) {
    return fail("invalid number: expected a digit", p);
  }
  if (*integer == '0' && p - integer > 1) {
    return fail("invalid number: leading zero", integer);
  }
  if (p != end_ && *p == '.') {
    ++p;
    if (!digits()) {
      return fail("invalid number: expected a digit after '.'", p);
    }
  }
  if (p != end_ && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p != end_ && (*p == '+' || *p == '-')) {
      ++p;
    }
    if (!digits()) {
      return fail("invalid number: expected a digit in the exponent", p);
    }
  }
  if (static_cast<std::size_t>(p - start) > limits_.max_number_bytes) {
    return over_limit("number longer than " + std::to_string(limits_.max_number_bytes) + " bytes",
                      start);
  }
  p_ = p;
  return push(Kind::kNumber, start, p);
}

bool Tokenizer::skip_space_slow() {
  for (; p_ != end_; ++p_) {
    const char c = *p_;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      minified_ = false;
    } else if (c == '/' && limits_.allow_comments) {
      minified_ = false;
      if (!comment()) {
        return false;
      }
    } else {
      break;
    }
  }
  return true;
}

// p_ is at a slash; leaves it at the comment's last byte.
bool Tokenizer::comment() {
  const char* const start = p_;
  const std::string_view rest(p_, static_cast<std::size_t>(end_ - p_));
  std::string_view body;
  if (rest.starts_with("//")) {
    const std::size_t newline = rest.find('\n');
    body = rest.substr(0, newline == std::string_view::npos ? rest.size() : newline);
  } else if (rest.starts_with("/*")) {
    const std::size_t close = rest.find("*/", 2);
    if (close == std::string_view::npos) {
      return fail("unterminated comment", start);
    }
    body = rest.substr(0, close + 2);
  } else {
    return fail("expected a value or a comment", start);
  }
  if (!is_valid_utf8(body)) {
    return fail("invalid UTF-8 in a comment", start);
  }
  if (body.find('\0') != std::string_view::npos) {
    return fail("NUL character in a comment", start);
  }
  p_ = start + body.size() - 1;
  return true;
}

}  // namespace calaboose::json
