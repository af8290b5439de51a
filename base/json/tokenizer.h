// SPDX-License-Identifier: Apache-2.0
// One pass over a JSON text that fills a tape.
// Place: base/json; internal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace calaboose::json {

/// Fills `tape` from its text. A resource for one call.
///
/// There is no recursion: the chain of `parent` links on the tape is the stack, so hostile depth
/// costs tape entries (bounded by the limits) and never machine stack.
class Tokenizer {
 public:
  Tokenizer(Tape& tape, const Limits& limits);

  /// True: the tape is complete. False: the tape's error says why.
  bool run();

 private:
  enum class Next : std::uint8_t { kValue, kAfter, kDone, kFail };

  Next value();
  Next after_value();
  Next open(Kind kind);
  Next close(Kind kind);
  Next scalar(Kind kind, std::string_view word);
  bool member_name();
  bool string(bool is_name);
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
  bool push(Kind kind, const char* begin, const char* end, bool is_name, bool has_escape);

  bool names_are_unique(std::uint32_t object);
  bool many_names_are_unique(std::uint32_t object);
  std::string_view name_text(const Tape::NameKey& key) const;
  bool duplicate(std::uint32_t name);

  std::uint32_t offset(const char* at) const { return static_cast<std::uint32_t>(at - begin_); }

  bool fail(std::string what, const char* at);
  bool over_limit(std::string what, const char* at);

  bool fail_here(std::string what) { return fail(std::move(what), p_); }

  Tape& tape_;
  const Limits& limits_;
  const char* begin_;
  const char* p_;
  const char* end_;
  std::uint32_t depth_ = 0;
  std::uint32_t current_ = 0;  // innermost open container; meaningful while depth_ > 0
  bool minified_ = true;
};

}  // namespace calaboose::json
