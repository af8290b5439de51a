// SPDX-License-Identifier: Apache-2.0
// Takes out of a server's message what only we may say: calaboose/* keys and our error codes
// (invariant I6). Place: mcp/session, internal. Pure.
#pragma once

#include <string>

#include "base/json/json.h"

namespace calaboose::mcp {

/// Writes the cleaned text to `out` and returns true if there was something to take out; else
/// leaves `out` alone.
///
/// Taken out: members named calaboose/* of any object that is a `_meta`, and anywhere inside a
/// top-level `error`; an error code of ours becomes -32603. Names count after unescaping. Cost  one
/// search for a substring when there is nothing; O(tokens) else.
bool strip_reserved(json::Value message, std::string& out);

}  // namespace calaboose::mcp
