// SPDX-License-Identifier: Apache-2.0
// Protocol revisions that we know, and the era each belongs to.
// Place: mcp/wire. Pure. Spec: protocol.md section 1.1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace calaboose::mcp {

/// legacy: revisions up to 2025-11-25 (initialize). modern: 2026-07-28 and later (metadata in every
/// request).
enum class Era : std::uint8_t { kLegacy, kModern };
std::string_view era_name(Era era);

inline constexpr std::string_view kNewestLegacyRevision = "2025-11-25";
inline constexpr std::string_view kNewestModernRevision = "2026-07-28";

/// The era of a revision that we speak; nothing for all others.
std::optional<Era> known_revision(std::string_view revision);

/// True for every revision of the modern era, also those that we do not know: revisions are dates
/// and compare as text.
bool is_modern_revision(std::string_view revision);

/// Only 2025-03-26 has JSON-RPC batches.
bool allows_batches(std::string_view revision);

/// Newest first.
std::span<const std::string_view> legacy_revisions();

}  // namespace calaboose::mcp
