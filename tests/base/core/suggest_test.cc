// SPDX-License-Identifier: Apache-2.0
// "Did you mean": near enough helps, too far misleads.
#include "base/suggest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace calaboose {
namespace {

TEST(EditDistance, CountsSingleSlips) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("abc", "ab"), 1U);    // deletion
  EXPECT_EQ(edit_distance("abc", "abcd"), 1U);  // insertion
  EXPECT_EQ(edit_distance("abc", "abx"), 1U);   // substitution
  EXPECT_EQ(edit_distance("abc", "acb"), 1U);   // neighbours swapped
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // optimal string alignment, not free transpositions
}

TEST(EditDistance, IsSymmetricAndBounded) {
  constexpr std::array<std::string_view, 6> kWords{
      "", "a", "timeout", "tiemout", "allowedHosts", "ALLOWED"};
  for (const std::string_view a : kWords) {
    for (const std::string_view b : kWords) {
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
      EXPECT_LE(edit_distance(a, b), std::max(a.size(), b.size()));
    }
  }
  EXPECT_EQ(edit_distance(std::string(64, 'a'), std::string(64, 'a')), 0U);
  EXPECT_EQ(edit_distance(std::string(65, 'a'), "a"), 64U);
  EXPECT_EQ(edit_distance(std::string(100'000, 'a'), std::string(100'000, 'a')), 64U);
}

constexpr std::array<std::string_view, 5> kKeys{"allowedHosts", "command", "args", "env",
                                                "timeout"};

TEST(Closest, FindsSlipsWhateverTheCase) {
  EXPECT_EQ(closest("allowedHost", kKeys), "allowedHosts");
  EXPECT_EQ(closest("ALLOWEDHOSTS", kKeys), "allowedHosts");
  EXPECT_EQ(closest("tiemout", kKeys), "timeout");
  EXPECT_EQ(closest("comand", kKeys), "command");
  EXPECT_EQ(closest("arg", kKeys), "args");
}

TEST(Closest, SaysNothingWhenFar) {
  EXPECT_EQ(closest("completely", kKeys), std::nullopt);
  EXPECT_EQ(closest("x", kKeys), std::nullopt);
  EXPECT_EQ(closest("", kKeys), std::nullopt);
  EXPECT_EQ(closest("command", {}), std::nullopt);
  EXPECT_EQ(closest(std::string(200, 'a'), kKeys), std::nullopt);
  EXPECT_EQ(did_you_mean("zzz", kKeys), "");
}

TEST(Closest, PrefersTheNearest) {
  constexpr std::array<std::string_view, 3> kClose{"readonly", "ready", "read"};
  EXPECT_EQ(closest("reads", kClose), "ready");  // the first of equally near ones
  EXPECT_EQ(closest("readonl", kClose), "readonly");
  EXPECT_EQ(did_you_mean("readonl", kClose), "did you mean \"readonly\"?");
}

TEST(Closest, VeryLongCandidatesNeverMatchByAccident) {
  const std::string long_word(70, 'b');
  const std::array<std::string_view, 1> candidates{long_word};
  EXPECT_EQ(closest(std::string(70, 'a'), candidates), std::nullopt);
}

}  // namespace
}  // namespace calaboose
