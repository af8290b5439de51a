// SPDX-License-Identifier: Apache-2.0
// Finds reserved keys by one walk over the tape.
// Place: mcp/session.
#include "mcp/session/reserved.h"

#include <string_view>

#include "base/json/write.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {
namespace {

/// False only if no member name can be ours. A name with an escape makes its tape not minified.
bool may_hold_reserved(json::Value message) {
  return !message.tape()->is_minified() ||
         message.raw().find(meta::kOurPrefix) != std::string_view::npos;
}

bool is_our_name(const json::Tape& tape, std::uint32_t index) {
  const json::Tape::Token& token = tape.tokens()[index];
  if (!token.has_escape) {
    return tape.text()
        .substr(token.begin + 1, token.end - token.begin - 2)
        .starts_with(meta::kOurPrefix);
  }
  return json::Value(&tape, index).string_or("").starts_with(meta::kOurPrefix);
}

/// Is the object at `index` the value of a member called _meta?
bool is_meta(const json::Tape& tape, std::uint32_t index) {
  return index > 0 && tape.tokens()[index - 1].is_name &&
         json::Value(&tape, index - 1).string_equals("_meta");
}

}  // namespace

bool strip_reserved(json::Value message, std::string& out) {
  json::Patch patch;
  const json::Tape& tape = *message.tape();
  const json::Value error = message.find("error");
  const json::Value error_code = error.find("code");
  if (error_code && code::is_reserved_for_us(error_code.int64().value_or(0))) {
    patch.replace(error_code, std::to_string(code::kInternalError));
  }
  if (may_hold_reserved(message)) {
    const std::uint32_t error_end = error ? tape.tokens()[error.index()].next : 0;
    const std::uint32_t stop = tape.tokens()[message.index()].next;
    for (std::uint32_t i = message.index(); i < stop; ++i) {
      const json::Tape::Token& token = tape.tokens()[i];
      if (!token.is_name || !is_our_name(tape, i)) {
        continue;
      }
      const bool in_error = error && i > error.index() && i < error_end;
      if (in_error || is_meta(tape, token.parent)) {
        patch.remove(json::Value(&tape, i + 1));
        i = tape.tokens()[i + 1].next - 1;
      }
    }
  }
  if (patch.empty()) {
    return false;
  }
  out.clear();
  patch.write(message, out);
  return true;
}

}  // namespace calaboose::mcp
