// SPDX-License-Identifier: Apache-2.0
// SHA-256 for bodies and for the chain of records.
// Place: runner/audit; internal. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace calaboose::audit {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 of `bytes`. Cannot fail and allocates nothing.
Digest sha256(std::string_view bytes);

/// Appends 64 lower-case hexadecimal digits.
void append_hex(std::string& out, const Digest& digest);

/// Reads exactly `out.size()` bytes from lower-case hexadecimal; false for anything else.
bool parse_hex(std::string_view text, std::uint8_t* out, std::size_t size);

/// 64 lower-case digits as a digest, or nothing.
std::optional<Digest> parse_digest(std::string_view text);

/// What the first record of a log points back to: binds format, run, server identity and server
/// name.
Digest genesis(std::string_view run, std::string_view sid, std::string_view server);

}  // namespace calaboose::audit
