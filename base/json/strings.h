// SPDX-License-Identifier: Apache-2.0
// String bodies (the bytes between the quotes) that the tokenizer has already checked: unescape and
// compare. Place: base/json; internal to it and to policy/scan. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace calaboose::json {

/// Decodes one escape sequence; `body[at]` is its backslash. Sets `length` to the bytes it takes
/// (12 for a surrogate pair) and returns the code point. Requires a checked body.
std::uint32_t decode_escape(std::string_view body, std::size_t at, unsigned& length);

/// Appends the text that `body` stands for. Requires a checked body.
void append_unescaped(std::string& out, std::string_view body);

/// True if `body` stands for exactly `text`. Requires a checked body; allocates nothing.
bool unescaped_equals(std::string_view body, std::string_view text);

/// Appends "/" and `name` as one RFC 6901 token (~ and / escaped).
void append_pointer_token(std::string& out, std::string_view name);

/// Order of the UTF-16 code units of two UTF-8 texts (RFC 8785 section 3.2.3).
bool utf16_less(std::string_view a, std::string_view b);

}  // namespace calaboose::json
