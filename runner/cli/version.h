// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace calaboose::cli {

inline constexpr std::string_view kVersion = CALABOOSE_VERSION;

}  // namespace calaboose::cli
