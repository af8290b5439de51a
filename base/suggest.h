// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the closest known word to a mistyped one.
// Place: base; used by configuration and command line errors. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace calaboose {

/// Number of single-character insertions, deletions, substitutions and neighbour swaps between two
/// words. Cost O(len(a) × len(b)); words over 64 bytes count as far apart (returns 64).
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` (case ignored) if it is near enough to be a slip, else nothing.
std::optional<std::string_view> closest(std::string_view word,
                                        std::span<const std::string_view> candidates);

/// `did you mean "X"?`, or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace calaboose
