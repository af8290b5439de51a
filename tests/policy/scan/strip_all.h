// SPDX-License-Identifier: Apache-2.0
// All steps of the character rules at once.
// Place: tests/policy/scan.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "policy/scan/rewrite.h"

namespace calaboose::policy {

// All three steps, as `check text` takes them.
inline bool strip_all(std::string_view text, Profile profile, std::string& out, Tally& tally) {
  std::string valid;
  const bool repaired = repair_utf8(text, valid, tally);
  const bool changed = strip_characters(repaired ? valid : text, profile, out, tally);
  if (repaired && !changed) {
    out = valid;
  }
  return repaired || changed;
}

inline std::string stripped(std::string_view text, Profile profile = Profile::kText) {
  std::string out;
  Tally tally;
  const bool changed = strip_all(text, profile, out, tally);
  EXPECT_EQ(changed, !tally.empty());
  return changed ? out : std::string(text);
}

}  // namespace calaboose::policy
