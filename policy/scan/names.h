// SPDX-License-Identifier: Apache-2.0
// New spellings for member names that hold forbidden characters, without ever making two names
// equal. Place: policy/scan; internal. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"

namespace calaboose::policy {

/// One member whose name changes.
struct Renaming {
  std::uint32_t name;  // token of the old name
  std::string text;    // what is left after stripping; unique_names() may choose another
};

/// Makes the new names of one object unique among themselves and the names that stay: where
/// stripping would make two names equal, the forbidden characters of the later one are written out
/// as \uXXXX instead; in the last resort
/// "_" is added. All renamings belong to `object`, in order. Cost O(members × log members).
void unique_names(json::Value object, std::vector<Renaming>& renamings);

}  // namespace calaboose::policy
