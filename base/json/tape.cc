// SPDX-License-Identifier: Apache-2.0
// Questions to a finished tape.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/json/json.h"
#include "base/json/strings.h"
#include "base/json/tokenizer.h"

namespace calaboose::json {
namespace {

std::string_view body_of(std::string_view raw) {
  return raw.substr(1, raw.size() - 2);
}

// One reference token of a pointer, unescaped; nothing if it has a stray '~'.
std::optional<std::string> pointer_part(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '~') {
      out += part[i];
    } else if (i + 1 < part.size() && (part[i + 1] == '0' || part[i + 1] == '1')) {
      out += part[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return out;
}

// An array index as RFC 6901 spells it: no sign, no leading zero.
std::optional<std::uint32_t> array_index(std::string_view part) {
  if (part.empty() || (part.size() > 1 && part[0] == '0')) {
    return std::nullopt;
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kFalse:
    case Kind::kTrue:
      return "boolean";
    case Kind::kNumber:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
  }
  return "unknown";
}

bool Tape::parse(std::string_view text, const Limits& limits) {
  text_ = text;
  tokens_.clear();
  minified_ = true;
  if (!Tokenizer(*this, limits).run()) {
    tokens_.clear();
    return false;
  }
  error_.what.clear();
  error_.offset = 0;
  error_.is_limit = false;
  return true;
}

Result<void> Tape::parse_or_error(std::string_view text, const Limits& limits) {
  if (parse(text, limits)) {
    return {};
  }
  return Error(error_.is_limit ? Errc::kLimit : Errc::kInvalidInput,
               "invalid JSON at byte " + std::to_string(error_.offset) + ": " + error_.what);
}

std::string_view Value::raw() const {
  if (!exists()) {
    return {};
  }
  return tape_->text().substr(token().begin, token().end - token().begin);
}

Value Value::find(std::string_view name) const {
  if (!is_object()) {
    return {};
  }
  const Tape::Token* const tokens = tape_->tokens().data();
  const char* const text = tape_->text().data();
  const std::uint32_t stop = tokens[index_].next;
  for (std::uint32_t i = index_ + 1; i < stop; i = tokens[i + 1].next) {
    const Tape::Token& token = tokens[i];
    const std::size_t size = token.end - token.begin - 2;
    const char* const body = text + token.begin + 1;
    if (!token.has_escape) {
      if (size == name.size() && std::memcmp(body, name.data(), size) == 0) {
        return Value(tape_, i + 1);
      }
    } else if (unescaped_equals(std::string_view(body, size), name)) {
      return Value(tape_, i + 1);
    }
  }
  return {};
}

Value Value::element(std::uint32_t i) const {
  if (!is_array() || i >= token().count) {
    return {};
  }
  std::uint32_t at = index_ + 1;
  for (; i > 0; --i) {
    at = tape_->tokens()[at].next;
  }
  return Value(tape_, at);
}

Value Value::pointer(std::string_view pointer) const {
  Value value = *this;
  while (!pointer.empty() && value.exists()) {
    if (pointer[0] != '/') {
      return {};
    }
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::optional<std::string> part = pointer_part(pointer.substr(1, end - 1));
    pointer.remove_prefix(end);
    if (!part) {
      return {};
    }
    if (value.is_array()) {
      const std::optional<std::uint32_t> index = array_index(*part);
      value = index ? value.element(*index) : Value();
    } else {
      value = value.find(*part);
    }
  }
  return value;
}

std::optional<std::string> Value::string() const {
  if (!is_string()) {
    return std::nullopt;
  }
  const std::string_view body = body_of(raw());
  if (!token().has_escape) {
    return std::string(body);
  }
  std::string out;
  out.reserve(body.size());
  append_unescaped(out, body);
  return out;
}

std::string Value::string_or(std::string_view fallback) const {
  std::optional<std::string> text = string();
  return text ? *std::move(text) : std::string(fallback);
}

bool Value::string_equals(std::string_view text) const {
  if (!is_string()) {
    return false;
  }
  const std::string_view body = body_of(raw());
  return token().has_escape ? unescaped_equals(body, text) : body == text;
}

std::optional<bool> Value::boolean() const {
  if (!is_bool()) {
    return std::nullopt;
  }
  return token().kind == Kind::kTrue;
}

std::string pointer_of(Value value) {
  if (!value.exists()) {
    return {};
  }
  const Tape::Tokens& tokens = value.tape()->tokens();
  std::uint32_t at = value.index();
  if (tokens[at].is_name) {
    ++at;  // a name stands for its member
  }
  std::vector<std::uint32_t> path;
  for (; at != 0; at = tokens[at].parent) {
    path.push_back(at);
  }
  std::string out;
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    const Tape::Token& parent = tokens[tokens[*step].parent];
    if (parent.kind == Kind::kObject) {
      append_pointer_token(out, *Value(value.tape(), *step - 1).string());
      continue;
    }
    std::uint32_t position = 0;
    for (std::uint32_t i = tokens[*step].parent + 1; i != *step; i = tokens[i].next) {
      ++position;
    }
    out += '/' + std::to_string(position);
  }
  return out;
}

LineColumn line_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1);
  return {static_cast<std::uint32_t>(lines) + 1, static_cast<std::uint32_t>(column) + 1};
}

}  // namespace calaboose::json
