// SPDX-License-Identifier: Apache-2.0
// The pairing follows UAX #9: a PDI closes the nearest isolate and everything opened inside it, a
// PDF closes the nearest embedding or override that no isolate hides.
#include "policy/scan/bidi.h"

#include <algorithm>
#include <cstdint>

#include "policy/scan/unicode.h"

namespace calaboose::policy {
namespace {

constexpr std::size_t kMaxDepth = 125;  // UAX #9 max_depth; what is deeper has no effect and goes

constexpr std::uint32_t kPdf = 0x202C;
constexpr std::uint32_t kPdi = 0x2069;

bool is_override(std::uint32_t cp) {
  return cp == 0x202D || cp == 0x202E;
}

bool is_isolate(std::uint32_t cp) {
  return cp >= 0x2066 && cp <= 0x2068;
}

bool ends_paragraph(std::uint32_t cp) {
  return cp == '\n' || cp == '\r' || cp == 0x2029;
}

struct Opener {
  std::size_t at;
  std::uint32_t cp;
};

}  // namespace

// `at` lies behind the paragraph last entered. Goes forward to its paragraph, so the whole text is
// read once.
void BidiParagraphs::enter(std::size_t at) {
  std::size_t begin = end_;
  bool has_controls = false;
  right_to_left_ = false;
  std::size_t i = begin;
  while (i < text_.size()) {
    const std::uint32_t cp = decode_valid(text_, i, i);
    if (ends_paragraph(cp)) {
      if (i > at) {
        break;
      }
      begin = i;
      right_to_left_ = false;
      has_controls = false;
      continue;
    }
    right_to_left_ = right_to_left_ || is_right_to_left(cp);
    has_controls = has_controls || invisible_kind(cp) == Invisible::kBidi;
  }
  end_ = i;
  kept_.clear();
  next_kept_ = 0;
  if (right_to_left_ && has_controls) {
    match(begin);
  }
}

void BidiParagraphs::match(std::size_t begin) {
  std::vector<Opener> open;
  const auto keep = [&](const Opener& opener, std::size_t end) {
    if (!is_override(opener.cp)) {
      kept_.push_back(opener.at);
      kept_.push_back(end);
    }
  };
  for (std::size_t i = begin; i < end_;) {
    std::size_t next = i;
    const std::uint32_t cp = decode_valid(text_, i, next);
    if (invisible_kind(cp) == Invisible::kBidi) {
      if (cp == kPdf) {
        if (!open.empty() && !is_isolate(open.back().cp)) {
          keep(open.back(), i);
          open.pop_back();
        }
      } else if (cp == kPdi) {
        const auto isolate = std::find_if(open.rbegin(), open.rend(),
                                          [](const Opener& o) { return is_isolate(o.cp); });
        if (isolate != open.rend()) {
          keep(*isolate, i);
          open.erase(std::prev(isolate.base()), open.end());
        }
      } else if (open.size() < kMaxDepth) {
        open.push_back({i, cp});
      }
    }
    i = next;
  }
  std::sort(kept_.begin(), kept_.end());
}

bool BidiParagraphs::has_right_to_left(std::size_t at) {
  if (at >= end_) {
    enter(at);
  }
  return right_to_left_;
}

bool BidiParagraphs::may_stay(std::size_t at) {
  if (at >= end_) {
    enter(at);
  }
  while (next_kept_ < kept_.size() && kept_[next_kept_] < at) {
    ++next_kept_;
  }
  return next_kept_ < kept_.size() && kept_[next_kept_] == at;
}

}  // namespace calaboose::policy
