// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <algorithm>
#include <array>

namespace calaboose {
namespace {

constexpr std::size_t kMaxWord = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

}  // namespace

// Optimal string alignment: Levenshtein's table with one more case for swapped neighbours.
unsigned edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > kMaxWord || b.size() > kMaxWord) {
    return kMaxWord;
  }
  std::array<std::array<unsigned, kMaxWord + 1>, kMaxWord + 1> table{};
  for (unsigned i = 0; i <= a.size(); ++i) {
    table[i][0] = i;
  }
  for (unsigned j = 0; j <= b.size(); ++j) {
    table[0][j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned change = a[i - 1] == b[j - 1] ? 0 : 1;
      unsigned best =
          std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, table[i - 2][j - 2] + 1);
      }
      table[i][j] = best;
    }
  }
  return table[a.size()][b.size()];
}

std::optional<std::string_view> closest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  const std::string wanted = lowered(word);
  std::optional<std::string_view> best;
  // A third of the letters may be wrong; beyond that a suggestion misleads.
  unsigned best_distance =
      static_cast<unsigned>(std::min<std::size_t>(wanted.size(), kMaxWord)) / 3 + 1;
  for (const std::string_view candidate : candidates) {
    const unsigned distance = edit_distance(wanted, lowered(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto best = closest(word, candidates);
  return best ? "did you mean \"" + std::string(*best) + "\"?" : std::string();
}

}  // namespace calaboose
