// SPDX-License-Identifier: Apache-2.0
// A tolerant scan: strings and brackets, nothing else.
// Place: mcp/wire.
#include "mcp/wire/salvage.h"

#include <algorithm>
#include <cstddef>

namespace calaboose::mcp {
namespace {

constexpr std::size_t kMaxIdBytes = 128;

/// One past the closing quote of the string that begins at `at`; the end of the text if it is not
/// closed.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) {
    ++at;
  }
  return at;
}

bool ends_value(std::string_view text, std::size_t at) {
  at = skip_space(text, at);
  return at >= text.size() || text[at] == ',' || text[at] == '}';
}

std::optional<std::string_view> integer_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  if (end < text.size() && text[end] == '-') {
    ++end;
  }
  const std::size_t digits = end;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') {
    ++end;
  }
  if (end == digits || end - at > kMaxIdBytes || (end - digits > 1 && text[digits] == '0')) {
    return std::nullopt;
  }
  // A number at the very end of a cut line may go on behind the cut.
  if (end >= text.size() || !ends_value(text, end)) {
    return std::nullopt;
  }
  return text.substr(at, end - at);
}

std::optional<std::string_view> string_at(std::string_view text, std::size_t at) {
  const std::size_t end = skip_string(text, at);
  const std::string_view raw = text.substr(at, end - at);
  if (raw.size() < 2 || raw.size() > kMaxIdBytes || raw.back() != '"' || !ends_value(text, end)) {
    return std::nullopt;
  }
  const bool plain = std::all_of(raw.begin() + 1, raw.end() - 1,
                                 [](char c) { return c >= 0x20 && c < 0x7f && c != '\\'; });
  return plain ? std::optional(raw) : std::nullopt;
}

/// The id after the member name "id" that ends at `at`; sets `usable` to false for a value of
/// another kind.
std::optional<std::string_view> value_at(std::string_view text, std::size_t at) {
  at = skip_space(text, at);
  if (at >= text.size() || text[at] != ':') {
    return std::nullopt;
  }
  at = skip_space(text, at + 1);
  if (at >= text.size()) {
    return std::nullopt;
  }
  return text[at] == '"' ? string_at(text, at) : integer_at(text, at);
}

}  // namespace

std::optional<std::string_view> salvage_id(std::string_view line) {
  std::size_t at = skip_space(line, 0);
  if (at >= line.size() || line[at] != '{') {
    return std::nullopt;
  }
  std::optional<std::string_view> found;
  int depth = 0;
  while (at < line.size()) {
    const char c = line[at];
    if (c == '"') {
      const std::size_t end = skip_string(line, at);
      if (depth == 1 && line.substr(at, end - at) == "\"id\"") {
        if (const auto id = value_at(line, end)) {
          if (found && *found != *id) {
            return std::nullopt;
          }
          found = id;
        }
      }
      at = end;
      continue;
    }
    if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth <= 0) {
        break;
      }
    }
    ++at;
  }
  return found;
}

}  // namespace calaboose::mcp
