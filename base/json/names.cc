// SPDX-License-Identifier: Apache-2.0
// Refuses objects that hold one member name twice. Few names: a 64-bit filter, then pairwise. Many:
// sorted by hash, then by text, so that names chosen to collide cost O(n log n) and not O(n²).
#include <algorithm>
#include <array>
#include <cstring>

#include "base/json/strings.h"
#include "base/json/tokenizer.h"
#include "base/text.h"

namespace calaboose::json {
namespace {

constexpr std::uint32_t kFewNames = 24;

std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = text.size() * kFactor;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 29U;
  }
  if (i < text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, text.size() - i);
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

bool Tokenizer::duplicate(std::uint32_t name) {
  const Tape::Token& token = tokens_[name];
  std::string text;
  append_unescaped(text, tape_.text_.substr(token.begin + 1, token.end - token.begin - 2));
  return fail("duplicate member name \"" + printable(text, 80) + "\"", begin_ + token.begin);
}

bool Tokenizer::names_are_unique(std::uint32_t object) {
  const Tape::Token* const tokens = tokens_;
  const std::uint32_t count = tokens[object].count;
  if (count < 2) {
    return true;
  }
  if (count > kFewNames) {
    return many_names_are_unique(object);
  }
  std::array<std::uint32_t, kFewNames>
      seen;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled up to `known`
  std::uint32_t known = 0;
  std::uint64_t filter = 0;
  for (std::uint32_t i = object + 1; known < count; i = tokens[i + 1].next) {
    const Tape::Token& token = tokens[i];
    if (token.has_escape) {
      return many_names_are_unique(object);
    }
    const char* const name = begin_ + token.begin;
    const std::uint32_t size = token.end - token.begin;  // with quotes, so name[1] always exists
    const std::uint64_t mix = size * 7U + static_cast<unsigned char>(name[1]) * 5U +
                              static_cast<unsigned char>(name[size - 2]) * 3U;
    const std::uint64_t bit = 1ULL << (mix & 63U);
    if ((filter & bit) != 0) {
      for (std::uint32_t k = 0; k < known; ++k) {
        const Tape::Token& other = tokens[seen[k]];
        if (other.end - other.begin == size && std::memcmp(begin_ + other.begin, name, size) == 0) {
          return duplicate(i);
        }
      }
    }
    filter |= bit;
    seen[known++] = i;
  }
  return true;
}

std::string_view Tokenizer::name_text(const Tape::NameKey& key) const {
  const std::string_view from = key.unescaped ? std::string_view(tape_.unescaped_) : tape_.text_;
  return from.substr(key.offset, key.size);
}

bool Tokenizer::many_names_are_unique(std::uint32_t object) {
  const Tape::Token* const tokens = tokens_;
  const std::uint32_t count = tokens[object].count;
  std::vector<Tape::NameKey>& keys = tape_.names_;
  keys.clear();
  keys.reserve(count);
  tape_.unescaped_.clear();
  std::uint32_t i = object + 1;
  for (std::uint32_t k = 0; k < count; ++k, i = tokens[i + 1].next) {
    const Tape::Token& token = tokens[i];
    Tape::NameKey key{0, token.begin + 1, token.end - token.begin - 2, i, token.has_escape};
    if (token.has_escape) {
      const std::size_t start = tape_.unescaped_.size();
      append_unescaped(tape_.unescaped_, tape_.text_.substr(key.offset, key.size));
      key.offset = static_cast<std::uint32_t>(start);
      key.size = static_cast<std::uint32_t>(tape_.unescaped_.size() - start);
    }
    key.hash = hash_of(name_text(key));
    keys.push_back(key);
  }
  const auto text_less = [this](const Tape::NameKey& a, const Tape::NameKey& b) {
    if (a.hash != b.hash) {
      return a.hash < b.hash;
    }
    const int order = name_text(a).compare(name_text(b));
    return order != 0 ? order < 0 : a.index < b.index;
  };
  std::sort(keys.begin(), keys.end(), text_less);
  std::uint32_t first = 0;  // the earliest repetition is the one to show
  for (std::size_t k = 1; k < keys.size(); ++k) {
    if (keys[k].hash == keys[k - 1].hash && name_text(keys[k]) == name_text(keys[k - 1]) &&
        (first == 0 || keys[k].index < first)) {
      first = keys[k].index;
    }
  }
  return first == 0 || duplicate(first);
}

}  // namespace calaboose::json
