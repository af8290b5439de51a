// SPDX-License-Identifier: Apache-2.0
// Text helpers for output to people and for hexadecimal.
// Place: base; the only way peer text reaches a terminal or one of our own sentences (invariant
// I11). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace calaboose {

/// Makes foreign text harmless on a terminal: control bytes, DEL, C1, invisible and bidirectional
/// characters and invalid UTF-8 become visible escapes (\x1b, \u200b); a newline becomes \n. Cut
/// after `max_bytes` with "…".
std::string printable(std::string_view text, std::size_t max_bytes = 4096);

/// Like printable(), but keeps newlines and tabs (for text that is shown as a block).
std::string printable_block(std::string_view text, std::size_t max_bytes = 1 << 20);

/// Lower-case hexadecimal.
std::string to_hex(std::span<const std::uint8_t> bytes);

/// Decodes one UTF-8 sequence at `at`; sets `length` (1 for an invalid byte) and returns the code
/// point, or 0xFFFFFFFF when invalid (overlong forms, surrogates and values above U+10FFFF are
/// invalid). Requires at < text.size().
std::uint32_t decode_utf8(std::string_view text, std::size_t at, unsigned& length);

/// Appends a code point as UTF-8. Requires a scalar value.
void append_utf8(std::string& out, std::uint32_t code_point);

/// True if the whole text is valid UTF-8.
bool is_valid_utf8(std::string_view text);

}  // namespace calaboose
