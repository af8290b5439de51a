// SPDX-License-Identifier: Apache-2.0
// The fast way through: is there anything at all that the character rules must look at?
// Place: policy/scan; internal. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace calaboose::policy {

/// Offset of the first character of `raw` that is odd (see is_odd) or its `\u`, `\b` or `\f`
/// escape; npos if there is none. `raw` is JSON text that the tokenizer has accepted: a whole
/// message or one string. Allocates nothing.
std::size_t find_odd_json(std::string_view raw);

/// The same for decoded text: no escapes are read. Requires valid UTF-8.
std::size_t find_odd_text(std::string_view text, std::size_t from = 0);

/// Only controls and noncharacters, not what is merely invisible. Requires valid UTF-8.
std::size_t find_control(std::string_view text, std::size_t from = 0);

}  // namespace calaboose::policy
