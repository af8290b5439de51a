// SPDX-License-Identifier: Apache-2.0
// Strict JSON over the original text: a tape of tokens, never a tree of copies.
// Place: base/json; under schema, policy, sanitizer, sessions and configuration. Pure, no I/O.
//
// The text stays where it is; the tape holds one 24-byte token per value and member name. Numbers
// stay text (1e400 and 30-digit integers survive), untouched strings keep the sender's spelling,
// member order is kept.
//
//   Tape tape;
//   tape.parse(R"({"id":1,"method":"ping"})");            // ok
//   tape.root().find("method").string_equals("ping");      // true
//   tape.parse(R"({"a":1,"\u0061":2})");                   // error: duplicate member name "a",
//   offset 7 tape.parse("[1,]");                                     // error: expected a value,
//   offset 3
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace calaboose::json {

enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

/// "null", "boolean", "number", "string", "array", "object".
std::string_view kind_name(Kind kind);

/// Bounds on one text. Exceeding one is an error with Errc::kLimit that names the bound.
struct Limits {
  std::size_t max_bytes = 16U << 20U;     // whole text
  std::uint32_t max_depth = 128;          // nested arrays and objects
  std::uint32_t max_tokens = 4'000'000;   // values plus member names
  std::uint32_t max_number_bytes = 1024;  // spelling of one number
  bool allow_comments = false;  // our own configuration files: // and /* */, trailing commas too
};

/// Why a text was refused; `offset` is in bytes from its start.
struct ParseError {
  std::string what;  // ours, with foreign fragments already made printable
  std::size_t offset = 0;
  bool is_limit = false;
};

class Value;

/// std::allocator that leaves new elements unset: the tape is grown in steps and filled at once.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  template <class U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = UnsetAllocator<U>;
  };

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
};

/// Tokens of one text. The text must outlive the tape's use. Reusable: parse() keeps its memory, so
/// a steady stream of messages allocates nothing.
///
/// Threads   const methods may be called at the same time.
class Tape {
 public:
  struct Token {
    std::uint32_t begin;   // first byte of the value in the text (a string's opening quote)
    std::uint32_t end;     // one past its last byte
    std::uint32_t next;    // index of the first token after this value and all it contains
    std::uint32_t parent;  // index of the enclosing array or object; 0 for the root itself
    std::uint32_t count;   // array: elements; object: members; else 0
    Kind kind;
    bool is_name;     // this string is a member name; its value is the next token
    bool has_escape;  // string with at least one backslash
    std::uint8_t reserved;
  };

  using Tokens = std::vector<Token, UnsetAllocator<Token>>;

  /// Parses exactly one JSON value with optional white space around it (RFC 8259, stricter: no
  /// duplicate member names after unescaping, no invalid UTF-8, no lone surrogate, no NUL in any
  /// form, no BOM). On error the tape is empty. Cost O(bytes) (objects with many members: O(n log
  /// n)). Throws nothing but std::bad_alloc.
  bool parse(std::string_view text, const Limits& limits = {});

  /// The reason why the last parse() returned false.
  const ParseError& error() const { return error_; }

  /// parse() with the reason as an Error (kInvalidInput or kLimit); "what" reads "invalid JSON at
  /// byte 7: …".
  Result<void> parse_or_error(std::string_view text, const Limits& limits = {});

  bool empty() const { return tokens_.empty(); }

  Value root() const;

  std::string_view text() const { return text_; }

  const Tokens& tokens() const { return tokens_; }

  /// No white space (or comment) inside the root value but outside its strings, and no member name
  /// with an escape: raw slices are already in the one form that we emit (invariant I4).
  bool is_minified() const { return minified_; }

 private:
  friend class Tokenizer;

  // One member name while the names of a big object are compared.
  struct NameKey {
    std::uint64_t hash;
    std::uint32_t offset;  // in the text, or in unescaped_ when the name has an escape
    std::uint32_t size;
    std::uint32_t index;  // token
    bool unescaped;
  };

  std::string_view text_;
  Tokens tokens_;
  ParseError error_;
  bool minified_ = true;
  std::vector<NameKey> names_;  // scratch, kept so that a stream of messages allocates nothing
  std::string unescaped_;       // scratch
};

/// A view of one value; valid as long as tape and text are. A default Value is "missing": every
/// question about it answers no, so look-ups chain without checks.
class Value {
 public:
  Value() = default;

  Value(const Tape* tape, std::uint32_t index) : tape_(tape), index_(index) {}

  bool exists() const { return tape_ != nullptr; }

  explicit operator bool() const { return exists(); }

  Kind kind() const { return token().kind; }  // requires exists()

  bool is(Kind kind) const { return exists() && token().kind == kind; }

  bool is_null() const { return is(Kind::kNull); }

  bool is_bool() const { return is(Kind::kTrue) || is(Kind::kFalse); }

  bool is_number() const { return is(Kind::kNumber); }

  bool is_string() const { return is(Kind::kString); }

  bool is_array() const { return is(Kind::kArray); }

  bool is_object() const { return is(Kind::kObject); }

  /// The sender's bytes of this value (with white space inside, if it had any). Empty when missing.
  std::string_view raw() const;

  /// Elements or members; 0 for anything else.
  std::uint32_t size() const { return exists() ? token().count : 0; }

  std::uint32_t index() const { return index_; }

  const Tape* tape() const { return tape_; }

  /// The member's value, or missing. Names compare after unescaping.
  Value find(std::string_view name) const;

  /// find() along several names.
  template <class... Names>
  Value at(std::string_view first, Names... rest) const {
    const Value next = find(first);
    if constexpr (sizeof...(rest) == 0) {
      return next;
    } else {
      return next.at(rest...);
    }
  }

  /// The i-th element, or missing. O(i).
  Value element(std::uint32_t i) const;
  /// RFC 6901 pointer ("" is this value), or missing.
  Value pointer(std::string_view pointer) const;

  /// A string's text, unescaped; nothing for other kinds.
  std::optional<std::string> string() const;
  /// string(), or `fallback`.
  std::string string_or(std::string_view fallback) const;
  /// True if this is a string with exactly this text. Allocates nothing.
  bool string_equals(std::string_view text) const;
  std::optional<bool> boolean() const;
  /// The exact integer, if this is a number spelled as one (-?digits, no fraction, no exponent)
  /// that fits.
  std::optional<std::int64_t> int64() const;
  std::optional<double> number() const;  // nearest double; infinity for 1e400

  /// Calls f(Value element) for each element.
  template <class F>
  void each_element(F&& f) const {
    if (!is_array()) {
      return;
    }
    const std::uint32_t stop = token().next;
    for (std::uint32_t i = index_ + 1; i < stop; i = tape_->tokens()[i].next) {
      f(Value(tape_, i));
    }
  }

  /// Calls f(Value name, Value value) for each member, in the sender's order.
  template <class F>
  void each_member(F&& f) const {
    if (!is_object()) {
      return;
    }
    const std::uint32_t stop = token().next;
    for (std::uint32_t i = index_ + 1; i < stop; i = tape_->tokens()[i + 1].next) {
      f(Value(tape_, i), Value(tape_, i + 1));
    }
  }

 private:
  const Tape::Token& token() const { return tape_->tokens()[index_]; }

  const Tape* tape_ = nullptr;
  std::uint32_t index_ = 0;
};

inline Value Tape::root() const {
  return tokens_.empty() ? Value() : Value(this, 0);
}

/// RFC 6901 pointer from the root of its tape to `value`, e.g. "/result/content/0/text".
std::string pointer_of(Value value);

/// 1-based line and column (bytes) of an offset.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

LineColumn line_column(std::string_view text, std::size_t offset);

}  // namespace calaboose::json
