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
