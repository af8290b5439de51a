// SPDX-License-Identifier: Apache-2.0
// Decides about each character that shows nothing by what stands around it (docs/rules.md lists the
// cases).
//
// A run of such characters lies between two ordinary ones. A decision looks at ordinary characters
// and at what was kept before, never at what may still go, so a second pass decides the same: the
// step is idempotent.
#include <algorithm>
#include <array>
#include <cstdint>

#include "policy/scan/bidi.h"
#include "policy/scan/odd.h"
#include "policy/scan/rewrite.h"
#include "policy/scan/unicode.h"

namespace calaboose::policy {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr unsigned kWorthASearch = 8;  // ordinary characters in a row before the fast search pays
constexpr std::uint32_t kBlackFlag = 0x1F3F4;
constexpr std::uint32_t kKeycap = 0x20E3;
constexpr std::uint32_t kTextSelector = 0xFE0E;
constexpr std::uint32_t kEmojiSelector = 0xFE0F;

// Tags of the three flags in general use (England, Scotland, Wales) with the closing tag; each tag
// takes four bytes.
constexpr std::array<std::string_view, 3> kFlagTags{"gbeng\x7f", "gbsct\x7f", "gbwls\x7f"};
constexpr std::size_t kFlagBytes = 24;

// Length of a flag's tags at `at`, or 0.
std::size_t flag_length(std::string_view text, std::size_t at) {
  const auto spells = [&](std::string_view tags) {
    std::size_t end = 0;
    for (std::size_t k = 0; k < tags.size(); ++k) {
      const std::uint32_t tag = 0xE0000U + static_cast<unsigned char>(tags[k]);
      if (at + k * 4 >= text.size() || decode_valid(text, at + k * 4, end) != tag) {
        return false;
      }
    }
    return true;
  };
  const bool fits = text.size() - at >= kFlagBytes;
  return fits && std::any_of(kFlagTags.begin(), kFlagTags.end(), spells) ? kFlagBytes : 0;
}

bool is_jamo(std::uint32_t cp) {
  return (cp >= 0x1100 && cp <= 0x11FF) || (cp >= 0xA960 && cp <= 0xA97C) ||
         (cp >= 0xD7B0 && cp <= 0xD7FB);
}

// Letters for which U+00AD makes sense: a hyphen may appear in the middle of a word.
bool is_word_letter(std::uint32_t cp) {
  return is_ascii_letter(cp) || (cp >= 0xC0 && cp <= 0x24F) || (cp >= 0x370 && cp <= 0x58F);
}

class Stripper {
 public:
  Stripper(std::string_view text, Profile profile, Tally& tally)
      : text_(text), profile_(profile), tally_(tally), rewrite_(text), bidi_(text) {}

  bool run(std::string& out) {
    std::size_t at = find_odd_text(text_);
    if (at == std::string_view::npos) {
      return false;
    }
    if (profile_ == Profile::kName) {
      strip_name(at);
    } else {
      at = back_up(at);
      while (at < text_.size()) {
        at = step(at);
      }
    }
    if (!rewrite_.changed()) {
      return false;
    }
    out = rewrite_.take();
    return true;
  }

 private:
  std::uint32_t decode(std::size_t at, std::size_t& end) const {
    return decode_valid(text_, at, end);
  }

  // Nothing invisible in a name, and no separators.
  void strip_name(std::size_t at) {
    while (at != std::string_view::npos) {
      std::size_t end = 0;
      const std::uint32_t cp = decode(at, end);
      const Invisible kind = invisible_kind(cp);
      if (kind != Invisible::kOrdinary) {
        cut(at, end, rule_of(kind));
      } else if (is_separator(cp)) {
        cut(at, end, CharacterRule::kInvisible);
      }
      at = find_odd_text(text_, end);
    }
  }

  // Start of the two characters before `at`, which the rules may want to know.
  std::size_t back_up(std::size_t at) const {
    for (int steps = 0; steps < 2 && at > 0; ++steps) {
      do {
        --at;
      } while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    }
    return at;
  }

  std::size_t step(std::size_t at) {
    std::size_t end = 0;
    const std::uint32_t cp = decode(at, end);
    const Invisible kind = invisible_kind(cp);
    if (kind == Invisible::kOrdinary) {
      second_before_ = before_;
      before_ = cp;
      kept_ = cp;
      return skip_ordinary(end);
    }
    ordinary_in_a_row_ = 0;
    if (at >= run_end_) {
      look_ahead(at);
    }
    if (kind == Invisible::kTag && kept_ == kBlackFlag) {
      const std::size_t length = flag_length(text_, at);
      if (length != 0) {
        kept_ = 0xE007F;
        return at + length;
      }
    }
    if (stays(at, cp, kind)) {
      kept_ = cp;
    } else {
      cut(at, end, rule_of(kind));
    }
    return end;
  }

  // Long stretches of ordinary text: go on two characters before the next odd one.
  std::size_t skip_ordinary(std::size_t at) {
    if (at < plain_until_ || ++ordinary_in_a_row_ < kWorthASearch) {
      return at;
    }
    ordinary_in_a_row_ = 0;
    const std::size_t next = find_odd_text(text_, at);
    plain_until_ = next == std::string_view::npos ? text_.size() : next;
    if (next == std::string_view::npos) {
      return text_.size();
    }
    const std::size_t from = back_up(next);
    return from > at ? from : at;
  }

  // The two ordinary characters after the run of invisible ones at `at`, and the operators in the
  // run.
  void look_ahead(std::size_t at) {
    after_ = kNone;
    second_after_ = kNone;
    operators_ = 0;
    run_end_ = text_.size();
    while (at < text_.size()) {
      std::size_t end = 0;
      const std::uint32_t cp = decode(at, end);
      const Invisible kind = invisible_kind(cp);
      if (kind == Invisible::kOrdinary) {
        if (after_ != kNone) {
          second_after_ = cp;
          return;
        }
        after_ = cp;
        run_end_ = at;
      } else if (after_ == kNone && kind == Invisible::kOperator) {
        ++operators_;
      }
      at = end;
    }
  }

  bool stays(std::size_t at, std::uint32_t cp, Invisible kind) {
    switch (kind) {
      case Invisible::kOrdinary:
        return true;
      case Invisible::kZwsp:
        return is_unspaced(kept_) && is_unspaced(after_);
      case Invisible::kZwnj:
        return kept_is_ordinary() && (joins(kept_) || joins(after_));
      case Invisible::kZwj:
        return zwj_stays();
      case Invisible::kMark:
        return invisible_kind(kept_) != Invisible::kMark && bidi_.has_right_to_left(at);
      case Invisible::kBidi:
        return bidi_.may_stay(at);
      case Invisible::kOperator:
        return operators_ == 1 && !(is_ascii_letter(before_) && is_ascii_letter(second_before_) &&
                                    is_ascii_letter(after_) && is_ascii_letter(second_after_));
      case Invisible::kSelector:
        return selector_stays(cp);
      case Invisible::kMongolian:
        return is_mongolian_letter(kept_);
      case Invisible::kTag:
      case Invisible::kDead:
        return false;
      case Invisible::kSoftHyphen:
        return is_word_letter(kept_) && is_word_letter(after_);
      case Invisible::kGraphemeJoiner:
        return kept_is_ordinary() && (is_combining(kept_) || is_combining(after_));
      case Invisible::kFiller:
        return filler_stays(cp);
      case Invisible::kKhmerVowel:
        return kept_ >= 0x1780 && kept_ <= 0x17DD;
      case Invisible::kMusical:
        return kept_is_ordinary() &&
               ((kept_ >= 0x1D100 && kept_ <= 0x1D1FF) || (after_ >= 0x1D100 && after_ <= 0x1D1FF));
      case Invisible::kShorthand:
        return kept_ >= 0x1BC00 && kept_ <= 0x1BC9F;
      case Invisible::kBom:
        return at == 0 && profile_ == Profile::kTextFromFile;
    }
    return false;
  }

  bool kept_is_ordinary() const { return invisible_kind(kept_) == Invisible::kOrdinary; }

  static bool joins(std::uint32_t cp) { return is_cursive(cp) || is_brahmic(cp); }

  bool zwj_stays() const {
    if (is_emoji_base(kept_) ||
        ((kept_ == kEmojiSelector || kept_ == kTextSelector) && is_emoji_base(before_)) ||
        (kept_ == 0xE007F && before_ == kBlackFlag)) {
      return is_emoji_base(after_);
    }
    if (!kept_is_ordinary()) {
      return false;
    }
    return is_virama(kept_) || (is_brahmic(kept_) && is_virama(after_)) || is_cursive(kept_) ||
           is_cursive(after_);
  }

  bool selector_stays(std::uint32_t cp) const {
    if (cp == kEmojiSelector || cp == kTextSelector) {
      const bool keycap = (kept_ >= '0' && kept_ <= '9') || kept_ == '#' || kept_ == '*';
      return is_emoji_base(kept_) || (keycap && after_ == kKeycap);
    }
    return cp >= 0xE0100 ? is_ideograph(kept_) : takes_standard_selector(kept_, cp);
  }

  bool filler_stays(std::uint32_t cp) const {
    if (!kept_is_ordinary() && after_ == kNone) {
      return false;
    }
    const auto near = [&](auto&& belongs) {
      return (kept_is_ordinary() && belongs(kept_)) || belongs(after_);
    };
    if (cp == 0x3164) {
      return near([](std::uint32_t c) { return c >= 0x3131 && c <= 0x318E && c != 0x3164; });
    }
    if (cp == 0xFFA0) {
      return near([](std::uint32_t c) { return c >= 0xFFA1 && c <= 0xFFDC; });
    }
    return near([](std::uint32_t c) { return is_jamo(c) && c != 0x115F && c != 0x1160; });
  }

  static CharacterRule rule_of(Invisible kind) {
    switch (kind) {
      case Invisible::kZwsp:
      case Invisible::kZwnj:
      case Invisible::kZwj:
      case Invisible::kBom:
        return CharacterRule::kZeroWidth;
      case Invisible::kMark:
      case Invisible::kBidi:
        return CharacterRule::kBidi;
      case Invisible::kSelector:
      case Invisible::kMongolian:
        return CharacterRule::kVariationSelector;
      case Invisible::kTag:
        return CharacterRule::kTags;
      case Invisible::kOrdinary:
      case Invisible::kOperator:
      case Invisible::kSoftHyphen:
      case Invisible::kGraphemeJoiner:
      case Invisible::kFiller:
      case Invisible::kKhmerVowel:
      case Invisible::kMusical:
      case Invisible::kShorthand:
      case Invisible::kDead:
        return CharacterRule::kInvisible;
    }
    return CharacterRule::kInvisible;
  }

  void cut(std::size_t begin, std::size_t end, CharacterRule rule) {
    rewrite_.cut(begin, end);
    tally_.add(rule);
  }

  std::string_view text_;
  Profile profile_;
  Tally& tally_;
  Rewrite rewrite_;
  BidiParagraphs bidi_;
  std::uint32_t second_before_ = kNone;  // ordinary characters before the run
  std::uint32_t before_ = kNone;
  std::uint32_t kept_ = kNone;   // last character that stays, ordinary or not
  std::uint32_t after_ = kNone;  // ordinary characters after the run
  std::uint32_t second_after_ = kNone;
  std::size_t run_end_ = 0;
  std::size_t plain_until_ = 0;
  unsigned operators_ = 0;
  unsigned ordinary_in_a_row_ = 0;
};

}  // namespace

bool strip_invisible(std::string_view text, Profile profile, std::string& out, Tally& tally) {
  return Stripper(text, profile, tally).run(out);
}

}  // namespace calaboose::policy
