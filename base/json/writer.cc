// SPDX-License-Identifier: Apache-2.0
// Quoting and the object builder.

#include "base/json/write.h"

namespace calaboose::json {
namespace {

// First byte that append_quoted must escape, or the end.
std::size_t find_special(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == '"' || byte == '\\') {
      return i;
    }
  }
  return text.size();
}

void append_escape(std::string& out, char c) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kDigits[static_cast<unsigned char>(c) >> 4U];
      out += kDigits[static_cast<unsigned char>(c) & 0x0FU];
  }
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t stop = find_special(text, i);
    out.append(text, i, stop - i);
    i = stop;
    if (i < text.size()) {
      append_escape(out, text[i]);
      ++i;
    }
  }
  out += '"';
}

std::string quoted(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_quoted(out, text);
  return out;
}

void ObjectWriter::name(std::string_view name) {
  if (!first_) {
    out_ += ',';
  }
  first_ = false;
  append_quoted(out_, name);
  out_ += ':';
}

ObjectWriter& ObjectWriter::raw(std::string_view name, std::string_view json) {
  this->name(name);
  out_ += json;
  return *this;
}

ObjectWriter& ObjectWriter::string(std::string_view name, std::string_view text) {
  this->name(name);
  append_quoted(out_, text);
  return *this;
}

ObjectWriter& ObjectWriter::integer(std::string_view name, std::int64_t value) {
  this->name(name);
  out_ += std::to_string(value);
  return *this;
}

ObjectWriter& ObjectWriter::boolean(std::string_view name, bool value) {
  this->name(name);
  out_ += value ? "true" : "false";
  return *this;
}

}  // namespace calaboose::json
