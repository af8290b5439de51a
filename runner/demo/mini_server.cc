// SPDX-License-Identifier: Apache-2.0
// A scanner that finds members without building a tree, and line input and output.
// Place: runner/demo.
#include "runner/demo/mini_server.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace calaboose::mini {
namespace {

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
    ++at;
  }
  return at;
}

/// One past the closing quote of the string that begins at `at`.
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

/// One past the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
      continue;
    } else if (c == '}' || c == ']') {
      if (depth == 0) {
        return at;
      }
      --depth;
      ++at;
    } else if (depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
      return at;
    } else {
      ++at;
      continue;
    }
    if (depth == 0) {
      return at;
    }
  }
  return at;
}

int hex_digit(char c) {
  const auto at = std::string_view("0123456789abcdefABCDEF").find(c);
  if (at == std::string_view::npos) {
    return 0;
  }
  return static_cast<int>(at < 16 ? at : at - 6);
}

void append_utf8(std::string& out, unsigned c) {
  const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6U);
    put(0x80 | (c & 0x3fU));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12U);
    put(0x80 | (c >> 6U & 0x3fU));
    put(0x80 | (c & 0x3fU));
  } else {
    put(0xf0 | c >> 18U);
    put(0x80 | (c >> 12U & 0x3fU));
    put(0x80 | (c >> 6U & 0x3fU));
    put(0x80 | (c & 0x3fU));
  }
}

/// The four digits of \uXXXX; `at` is at the "u".
unsigned code_unit(std::string_view raw, std::size_t at) {
  unsigned unit = 0;
  for (std::size_t i = at + 1; i < at + 5 && i < raw.size(); ++i) {
    unit = unit * 16 + static_cast<unsigned>(hex_digit(raw[i]));
  }
  return unit;
}

/// Appends the character of the escape whose letter is at `at`; returns the index after it.
std::size_t unescape(std::string& out, std::string_view raw, std::size_t at) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view values = "\b\f\n\r\t";
  if (raw[at] != 'u') {
    const auto which = letters.find(raw[at]);
    out += which == std::string_view::npos ? raw[at] : values[which];
    return at + 1;
  }
  unsigned c = code_unit(raw, at);
  at += 5;
  if (c >= 0xd800 && c < 0xdc00 && at + 1 < raw.size() && raw[at] == '\\' && raw[at + 1] == 'u') {
    c = 0x10000 + ((c - 0xd800) << 10U) + (code_unit(raw, at + 1) - 0xdc00);
    at += 6;
  }
  append_utf8(out, c);
  return at;
}

}  // namespace

std::string_view member(std::string_view object, std::string_view name) {
  std::size_t at = skip_space(object, 0);
  if (at >= object.size() || object[at] != '{') {
    return {};
  }
  at = skip_space(object, at + 1);
  while (at < object.size() && object[at] == '"') {
    const std::size_t name_end = skip_string(object, at);
    const std::string_view found = object.substr(at + 1, name_end - at - 2);
    at = skip_space(object, name_end);
    if (at >= object.size() || object[at] != ':') {
      return {};
    }
    at = skip_space(object, at + 1);
    const std::size_t end = skip_value(object, at);
    if (found == name) {
      return object.substr(at, end - at);
    }
    at = skip_space(object, end);
    if (at < object.size() && object[at] == ',') {
      at = skip_space(object, at + 1);
    }
  }
  return {};
}

std::string text_of(std::string_view raw) {
  std::string out;
  if (raw.size() < 2 || raw.front() != '"') {
    return out;
  }
  raw = raw.substr(1, raw.size() - 2);
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] == '\\' && at + 1 < raw.size()) {
      at = unescape(out, raw, at + 1);
    } else {
      out += raw[at++];
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + '"';
}

Message Message::parse(std::string_view line) {
  Message message;
  message.line = line;
  message.id = member(line, "id");
  message.params = member(line, "params");
  const std::string_view method = member(line, "method");
  if (method.size() >= 2) {
    message.method = method.substr(1, method.size() - 2);
  }
  return message;
}

bool Message::is_modern() const {
  return params.find("\"io.modelcontextprotocol/protocolVersion\"") != std::string_view::npos;
}

std::string response(std::string_view id, std::string_view result) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out.reserve(out.size() + id.size() + result.size() + 16);
  return out.append(id).append(R"(,"result":)").append(result).append("}\n");
}

std::string error_response(std::string_view id, int code, std::string_view message) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out.append(id).append(R"(,"error":{"code":)").append(std::to_string(code));
  return out.append(R"(,"message":)").append(quoted(message)).append("}}\n");
}

std::string notification(std::string_view method, std::string_view params) {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  return out.append(quoted(method)).append(R"(,"params":)").append(params).append("}\n");
}

std::string_view negotiated_version(const Message& initialize) {
  const std::string_view asked = member(initialize.params, "protocolVersion");
  for (const std::string_view known : {R"("2024-11-05")", R"("2025-03-26")", R"("2025-06-18")"}) {
    if (asked == known) {
      return known;
    }
  }
  return R"("2025-11-25")";
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
  }
  return true;
}

bool LineInput::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  std::array<char, 65536> chunk;  // not cleared: this runs for every message
  ssize_t got = -1;
  do {
    got = ::read(fd_, chunk.data(), chunk.size());
  } while (got < 0 && errno == EINTR);
  buffer_.append(chunk.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return got > 0;
}

bool LineInput::next(std::string_view& line) {
  const std::size_t newline = buffer_.find('\n', at_);
  if (newline == std::string::npos) {
    return false;
  }
  line = std::string_view(buffer_).substr(at_, newline - at_);
  at_ = newline + 1;
  return true;
}

}  // namespace calaboose::mini
