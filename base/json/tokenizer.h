// SPDX-License-Identifier: Apache-2.0
// One pass over a JSON text that fills a tape.
// Place: base/json; internal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace calaboose::json {

/// "'x'", or "byte 0x0a" for what cannot be shown; for messages.
std::string byte_name(char c);

/// Fills `tape` from its text. A resource for one call.
///
/// There is no recursion: the chain of `parent` links on the tape is the stack, so hostile depth
/// costs tape entries (bounded by the limits) and never machine stack.
class Tokenizer {
 public:
  Tokenizer(Tape& tape, const Limits& limits);

  /// True: the tape is complete. False: the tape's error says why, its tokens are of no use.
  bool run();

 private:
  enum class Next : std::uint8_t { kValue, kAfter, kDone, kFail };

  Next value();
  Next after_value();
  Next open(Kind kind);
  Next close(Kind kind);
  Next word(Kind kind, std::string_view text);
  bool member_name();
  bool string(bool is_name);
  [[gnu::noinline]] bool string_from(const char* stop, bool is_name);
  bool escape(const char* quote);
  bool wide(const char* quote);
  bool number();

  bool skip_space() {
    if (p_ != end_ && static_cast<unsigned char>(*p_) > ' ' &&
        (*p_ != '/' || !limits_.allow_comments)) {
      return true;
    }
    return p_ == end_ || skip_space_slow();
  }

  bool skip_space_slow();
  bool comment();

  bool push(Kind kind, const char* begin, const char* end, bool is_name = false,
            bool has_escape = false) {
    if (count_ == room_ && !grow(begin)) {
      return false;
    }
    tokens_[count_] = Tape::Token{offset(begin), offset(end), count_ + 1, current_, 0,
                                  kind,          is_name,     has_escape, 0};
    ++count_;
    return true;
  }

  [[gnu::noinline]] bool grow(const char* at);

  bool names_are_unique(std::uint32_t object);
  bool many_names_are_unique(std::uint32_t object);
  std::string_view name_text(const Tape::NameKey& key) const;
  bool duplicate(std::uint32_t name);

  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }

  [[gnu::cold, gnu::noinline]] bool fail(std::string_view what, const char* at);
  [[gnu::cold, gnu::noinline]] bool over_limit(std::string_view what, const char* at);

  bool fail_here(std::string_view what) { return fail(what, p_); }

  Tape& tape_;
  const Limits& limits_;
  const char* begin_;
  const char* p_;
  const char* end_;
  Tape::Token* tokens_ = nullptr;  // the tape's memory: count_ tokens written, room for room_
  std::uint32_t count_ = 0;
  std::uint32_t room_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t current_ = 0;  // innermost open container; meaningful while depth_ > 0
  bool minified_ = true;
};

}  // namespace calaboose::json
