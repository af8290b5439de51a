// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON: what is accepted must survive copying, patching and canonical form (M20).
// The first byte chooses whether comments are allowed; the rest is the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/json/write.h"
#include "base/text.h"

namespace {

using calaboose::json::Limits;
using calaboose::json::Patch;
using calaboose::json::Tape;
using calaboose::json::Value;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check_tokens(const Tape& tape, std::string_view text) {
  const auto& tokens = tape.tokens();
  require(tokens[0].next == tokens.size());
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    require(tokens[i].begin < tokens[i].end && tokens[i].end <= text.size());
    require(tokens[i].next > i && tokens[i].next <= tokens.size());
    require(i == 0 || tokens[i].parent < i);
    const Value value(&tape, i);
    if (value.is_string()) {
      const std::string decoded = *value.string();
      require(calaboose::is_valid_utf8(decoded));
      require(decoded.find('\0') == std::string::npos);
      require(value.string_equals(decoded));
      Tape quoted;
      const std::string spelled = calaboose::json::quoted(decoded);
      require(quoted.parse(spelled));
      require(quoted.root().string() == decoded);
    }
  }
}

// A pointer leads back to its value, for the first and last few tokens (a pointer costs its
// siblings).
void check_pointers(const Tape& tape) {
  const auto count = static_cast<std::uint32_t>(tape.tokens().size());
  for (std::uint32_t i = 0; i < count; i += i < 16 || i + 16 >= count ? 1 : count / 16 + 1) {
    const Value value(&tape, i);
    const Value found = tape.root().pointer(calaboose::json::pointer_of(value));
    require(found.exists() && found.index() == (tape.tokens()[i].is_name ? i + 1 : i));
  }
}

// Each edit chosen by the bytes of the text itself; the result must parse, whatever they hit.
void check_patch(const Tape& tape, std::string_view text) {
  Patch patch;
  for (std::size_t k = 0; k < text.size() && k < 8; ++k) {
    const auto byte = static_cast<unsigned char>(text[text.size() - 1 - k]);
    const auto at = static_cast<std::uint32_t>((byte * 131U + k * 17U) % tape.tokens().size());
    if (tape.tokens()[at].is_name) {
      continue;
    }
    const Value value(&tape, at);
    const std::string fresh = "\x01new" + std::to_string(k);
    switch (byte % 4) {
      case 0:
        patch.replace(value, "[1,{\"a\":null}]");
        break;
      case 1:
        patch.remove(value);
        break;
      case 2:
        patch.append_member(value, fresh, "\"x\"");
        break;
      default:
        patch.rename(value, fresh);
        break;
    }
  }
  std::string out;
  patch.write(tape.root(), out);
  Tape result;
  Limits limits;
  limits.max_depth = 200;
  const bool parsed = result.parse(out, limits);
  // The only way to fail: an own new name that the text already had.
  require(parsed || (result.error().what.find("duplicate") == 0 &&
                     text.find("new") != std::string_view::npos));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  Limits limits;
  limits.allow_comments = data[0] % 2 == 1;
  limits.max_bytes = 1U << 16U;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Tape tape;
  if (!tape.parse(text, limits)) {
    require(tape.empty() && !tape.error().what.empty() && tape.error().offset <= text.size());
    require(calaboose::printable(tape.error().what) == tape.error().what);
    return 0;
  }
  check_tokens(tape, text);
  check_pointers(tape);

  const std::string small = calaboose::json::minified(tape.root());
  Tape again;
  require(again.parse(small));
  require(calaboose::json::minified(again.root()) == small);
  require(!tape.is_minified() || tape.root().raw() == small);
  require(calaboose::json::equal(tape.root(), again.root()));
  const std::string form = calaboose::json::canonical(tape.root());
  require(calaboose::json::canonical(again.root()) == form);
  Tape canonical;
  require(canonical.parse(form));
  require(calaboose::json::canonical(canonical.root()) == form);
  check_patch(tape, text);
  check_patch(again, small);
  return 0;
}
