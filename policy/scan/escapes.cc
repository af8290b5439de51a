// SPDX-License-Identifier: Apache-2.0
// Finds terminal control sequences the way a terminal reads them (ECMA-48), so that a sequence
// leaves as a whole and no parameter stays behind as text. Linear: every search for an end stops at
// the next introducer.
#include <cstdint>

#include "base/text.h"
#include "policy/scan/odd.h"
#include "policy/scan/rewrite.h"
#include "policy/scan/unicode.h"

namespace calaboose::policy {
namespace {

constexpr unsigned char kEsc = 0x1B;
constexpr unsigned char kBel = 0x07;

/// One code point of a text.
struct Char {
  std::uint32_t cp;
  std::size_t end;
};

Char char_at(std::string_view text, std::size_t at) {
  Char c{};
  c.cp = decode_valid(text, at, c.end);
  return c;
}

bool is_c1(std::uint32_t cp) {
  return cp >= 0x80 && cp <= 0x9F;
}

// After CSI: parameters, intermediates, one final byte. Controls inside are carried out by a
// terminal without ending the sequence; a line break, an escape or anything else unexpected ends it
// here.
std::size_t end_of_csi(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x40 && byte <= 0x7E) {
      return at + 1;
    }
    const bool inside = byte >= 0x20 && byte <= 0x3F;
    const bool carried_out =
        byte < 0x20 && byte != kEsc && byte != '\n' && byte != '\r' && byte != '\t';
    if (!inside && !carried_out) {
      return at;
    }
  }
  return at;
}

// After OSC, DCS, SOS, PM or APC: up to BEL, ST, or a control that breaks off (then that control
// stays). Without any end nothing but the introducer goes: a stray one must not take the rest of
// the text with it.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const std::size_t start = at;
  while (at < text.size()) {
    const Char c = char_at(text, at);
    if (c.cp == kBel || c.cp == 0x9C) {
      return c.end;
    }
    if (c.cp == kEsc) {
      return c.end < text.size() && text[c.end] == '\\' ? c.end + 1 : at;
    }
    if (c.cp == 0x18 || c.cp == 0x1A || is_c1(c.cp)) {
      return at;
    }
    at = c.end;
  }
  return start;
}

// `at` is at ESC.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  std::size_t next = at + 1;
  if (next == text.size()) {
    return next;
  }
  switch (text[next]) {
    case '[':
      return end_of_csi(text, next + 1);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return end_of_string(text, next + 1);
    default:
      break;
  }
  while (next < text.size() && text[next] >= 0x20 && text[next] <= 0x2F) {
    ++next;  // intermediates, as in "ESC ( B"
  }
  return next < text.size() && text[next] >= 0x30 && text[next] <= 0x7E ? next + 1 : at + 1;
}

// End of the sequence that the control `c` at `at` begins, or the control's own end if it begins
// none.
std::size_t end_of_sequence(std::string_view text, std::size_t at, const Char& c) {
  switch (c.cp) {
    case kEsc:
      return end_of_escape(text, at);
    case 0x9B:
      return end_of_csi(text, c.end);
    case 0x90:
    case 0x98:
    case 0x9D:
    case 0x9E:
    case 0x9F:
      return end_of_string(text, c.end);
    default:
      return c.end;
  }
}

}  // namespace

bool repair_utf8(std::string_view text, std::string& out, Tally& tally) {
  if (is_valid_utf8(text)) {
    return false;
  }
  Rewrite rewrite(text);
  for (std::size_t at = 0; at < text.size();) {
    unsigned length = 1;
    if (decode_utf8(text, at, length) == 0xFFFFFFFF) {
      tally.add(CharacterRule::kInvalidUtf8);
      rewrite.cut(at, at + length, "\xEF\xBF\xBD");
    }
    at += length;
  }
  out = rewrite.take();
  return true;
}

bool strip_controls(std::string_view text, std::string& out, Tally& tally) {
  Rewrite rewrite(text);
  for (std::size_t at = find_control(text); at != std::string_view::npos;) {
    const Char c = char_at(text, at);
    std::size_t end = c.end;
    if (is_noncharacter(c.cp)) {
      tally.add(CharacterRule::kNoncharacter);
    } else {
      end = end_of_sequence(text, at, c);
      const bool sequence = end > c.end || c.cp == kEsc;
      tally.add(sequence ? CharacterRule::kEscapeSequence : CharacterRule::kControl);
    }
    rewrite.cut(at, end);
    at = find_control(text, end);
  }
  if (!rewrite.changed()) {
    return false;
  }
  out = rewrite.take();
  return true;
}

bool strip_characters(std::string_view text, Profile profile, std::string& out, Tally& tally) {
  std::string without_controls;
  if (!strip_controls(text, without_controls, tally)) {
    return strip_invisible(text, profile, out, tally);
  }
  if (!strip_invisible(without_controls, profile, out, tally)) {
    out = std::move(without_controls);
  }
  return true;
}

std::string_view character_rule_id(CharacterRule rule) {
  switch (rule) {
    case CharacterRule::kEscapeSequence:
      return "characters/escape-sequence";
    case CharacterRule::kControl:
      return "characters/control";
    case CharacterRule::kTags:
      return "characters/tags";
    case CharacterRule::kBidi:
      return "characters/bidi";
    case CharacterRule::kZeroWidth:
      return "characters/zero-width";
    case CharacterRule::kVariationSelector:
      return "characters/variation-selector";
    case CharacterRule::kNoncharacter:
      return "characters/noncharacter";
    case CharacterRule::kInvisible:
      return "characters/invisible";
    case CharacterRule::kInvalidUtf8:
      return "characters/invalid-utf8";
  }
  return "characters";
}

}  // namespace calaboose::policy
