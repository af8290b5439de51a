// SPDX-License-Identifier: Apache-2.0
// The list of known revisions.
// Place: mcp/wire.
#include "mcp/wire/revision.h"

#include <algorithm>
#include <array>

namespace calaboose::mcp {
namespace {

constexpr std::array<std::string_view, 4> kLegacy = {"2025-11-25", "2025-06-18", "2025-03-26",
                                                     "2024-11-05"};

}  // namespace

std::string_view era_name(Era era) {
  return era == Era::kLegacy ? "legacy" : "modern";
}

std::optional<Era> known_revision(std::string_view revision) {
  if (revision == kNewestModernRevision) {
    return Era::kModern;
  }
  if (std::find(kLegacy.begin(), kLegacy.end(), revision) != kLegacy.end()) {
    return Era::kLegacy;
  }
  return std::nullopt;
}

bool is_modern_revision(std::string_view revision) {
  return revision >= kNewestModernRevision;
}

bool allows_batches(std::string_view revision) {
  return revision == "2025-03-26";
}

std::span<const std::string_view> legacy_revisions() {
  return kLegacy;
}

}  // namespace calaboose::mcp
