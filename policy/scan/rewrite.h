// SPDX-License-Identifier: Apache-2.0
// What the character rules remove, and the copy that comes of it.
// Place: policy/scan; internal. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace calaboose::policy {

/// The rules of the set `characters`, each with its own id in findings.
enum class CharacterRule : std::uint8_t {
  kEscapeSequence,
  kControl,
  kTags,
  kBidi,
  kZeroWidth,
  kVariationSelector,
  kNoncharacter,
  kInvisible,
  kInvalidUtf8,
};
inline constexpr std::size_t kCharacterRules = 9;

/// "characters/escape-sequence", …
std::string_view character_rule_id(CharacterRule rule);

/// How often each rule removed something.
class Tally {
 public:
  void add(CharacterRule rule) { ++counts_[static_cast<std::size_t>(rule)]; }

  std::uint32_t of(CharacterRule rule) const { return counts_[static_cast<std::size_t>(rule)]; }

  bool empty() const {
    for (const std::uint32_t count : counts_) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  std::array<std::uint32_t, kCharacterRules> counts_{};
};

/// A copy of a text with pieces left out; copies nothing until the first piece is left out.
class Rewrite {
 public:
  explicit Rewrite(std::string_view text) : text_(text) {}

  /// Leaves out [begin, end) and puts `instead` there. Calls come in order of position.
  void cut(std::size_t begin, std::size_t end, std::string_view instead = {}) {
    out_.append(text_, done_, begin - done_);
    out_ += instead;
    done_ = end;
    changed_ = true;
  }

  bool changed() const { return changed_; }

  /// The finished copy. Requires changed().
  std::string take() {
    out_.append(text_, done_);
    return std::move(out_);
  }

 private:
  std::string_view text_;
  std::string out_;
  std::size_t done_ = 0;
  bool changed_ = false;
};

/// How much a text may hold: running text, or a name (no invisible character at all).
enum class Profile : std::uint8_t { kText, kTextFromFile, kName };

// Each of these returns true if `out` holds a changed text. All but the first require valid UTF-8.

/// Invalid bytes become U+FFFD.
bool repair_utf8(std::string_view text, std::string& out, Tally& tally);

/// Escape sequences as a whole, controls, noncharacters.
bool strip_controls(std::string_view text, std::string& out, Tally& tally);

/// On text without controls: characters that show nothing, each by its neighbours.
bool strip_invisible(std::string_view text, Profile profile, std::string& out, Tally& tally);

/// strip_controls(), then strip_invisible().
bool strip_characters(std::string_view text, Profile profile, std::string& out, Tally& tally);

}  // namespace calaboose::policy
