// SPDX-License-Identifier: Apache-2.0
// The texts of profiles/*.json as the build compiled them in (embed_profiles.cmake writes the
// definition). Place: runner/plan, private to it.
#pragma once

#include <span>
#include <string_view>

namespace calaboose::plan {

struct ProfileText {
  std::string_view name;
  std::string_view json;
};

/// Sorted by name.
std::span<const ProfileText> embedded_profiles();

}  // namespace calaboose::plan
