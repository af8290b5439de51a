// SPDX-License-Identifier: Apache-2.0
// Finds the id in a line that the strict parser refused, so that its request need not wait for the
// timeout. Place: mcp/wire. Pure. Nothing but the id of such a line is ever used.
#pragma once

#include <optional>
#include <string_view>

namespace calaboose::mcp {

/// The raw text of the one top-level "id" of a broken JSON object: an integer (-?digits) or a
/// string of plain printable ASCII without escapes (with its quotes), at most 128 bytes.
///
/// Returns  nothing if there is none, or if there are several that differ.
/// Cost     O(bytes); follows strings and nesting only as far as needed to know the level.
std::optional<std::string_view> salvage_id(std::string_view line);

}  // namespace calaboose::mcp
