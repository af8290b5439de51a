// SPDX-License-Identifier: Apache-2.0
// Record to line. Everything here runs before a message is forwarded, so it copies runs of plain
// bytes, formats the second once, and allocates nothing in the steady state. Place: runner/audit.
#include "runner/audit/encode.h"

#include <array>
#include <charconv>
#include <ctime>

#include "base/text.h"

namespace calaboose::audit {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

constexpr std::array<bool, 256> make_plain_table() {
  std::array<bool, 256> table{};
  for (unsigned c = 0x20; c < 0x7f; ++c) {
    table[c] = c != '"' && c != '\\';
  }
  return table;
}

constexpr std::array<bool, 256> kPlain = make_plain_table();

/// Characters that a reader would not see, or that would break or turn the line in some viewer.
bool is_hidden(std::uint32_t c) {
  return (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x061c || c == 0x180e ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff ||
         (c >= 0xfff0 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

void append_escape_unit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    out += digits[(unit >> static_cast<unsigned>(shift)) & 15U];
  }
}

void append_escape(std::string& out, std::uint32_t c) {
  if (c >= 0x10000) {
    append_escape_unit(out, 0xd800 + ((c - 0x10000) >> 10U));
    append_escape_unit(out, 0xdc00 + ((c - 0x10000) & 0x3ffU));
  } else {
    append_escape_unit(out, c);
  }
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\0':
      out += kReplacement;
      break;
    default:
      append_escape(out, static_cast<unsigned char>(c));
  }
}

std::string_view direction_text(Direction dir) {
  switch (dir) {
    case Direction::kHostToServer:
      return "host>server";
    case Direction::kServerToHost:
      return "server>host";
    case Direction::kNone:
      break;
  }
  return {};
}

}  // namespace

void append_text(std::string& out, std::string_view text, std::size_t max_bytes) {
  const bool cut = text.size() > max_bytes;
  if (cut) {
    std::size_t end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) {
      --end;
    }
    text = text.substr(0, end);
  }
  out += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t stop = at;
    while (stop < text.size() && kPlain[static_cast<unsigned char>(text[stop])]) {
      ++stop;
    }
    out.append(text.substr(at, stop - at));
    at = stop;
    if (at == text.size()) {
      break;
    }
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_ascii(out, text[at++]);
      continue;
    }
    unsigned length = 1;
    const std::uint32_t c = decode_utf8(text, at, length);
    if (c == 0xffffffff) {
      out += kReplacement;
    } else if (is_hidden(c)) {
      append_escape(out, c);
    } else {
      out.append(text.substr(at, length));
    }
    at += length;
  }
  if (cut) {
    out += kEllipsis;
  }
  out += '"';
}

void append_number(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void TimeText::append(std::string& out, std::int64_t unix_us) {
  const std::int64_t second = unix_us / 1'000'000;
  if (second != second_) {
    const std::time_t value = static_cast<std::time_t>(second);
    std::tm parts{};
    gmtime_r(&value, &parts);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
    text_.assign(text.data(), size);
    second_ = second;
  }
  std::array<char, 7> fraction{};
  auto micros = static_cast<std::uint32_t>(unix_us % 1'000'000);
  for (std::size_t i = 6; i-- > 0;) {
    fraction[i] = static_cast<char>('0' + micros % 10);
    micros /= 10;
  }
  fraction[6] = 'Z';
  out += text_;
  out.append(fraction.data(), fraction.size());
}

LineEncoder::LineEncoder(std::string_view run, std::string_view server, std::string_view sid) {
  identity_ = "\",\"run\":";
  append_text(identity_, run);
  if (!server.empty()) {
    identity_ += ",\"server\":";
    append_text(identity_, server);
  }
  if (!sid.empty()) {
    identity_ += ",\"sid\":";
    append_text(identity_, sid);
  }
  identity_ += ",\"kind\":";
}

void LineEncoder::add_text(std::string_view name, std::string_view value) {
  if (!value.empty()) {
    line_ += name;
    append_text(line_, value);
  }
}

void LineEncoder::add_detail(std::string_view extra) {
  if (extra.empty()) {
    return;
  }
  line_ += ",\"detail\":";
  // Ours by contract; still checked, because one bad line would make the whole log unreadable.
  if (extra.size() <= kMaxDetailBytes && tape_.parse(extra) && tape_.root().is_object() &&
      extra.find_first_of("\r\n") == std::string_view::npos) {
    line_ += extra;
  } else {
    line_ += "{\"text\":";
    append_text(line_, extra);
    line_ += '}';
  }
}

std::string_view LineEncoder::encode(const Record& record, std::uint64_t seq, const Digest& prev,
                                     std::int64_t unix_us) {
  line_.clear();
  line_ += "{\"v\":1,\"seq\":";
  append_number(line_, seq);
  line_ += ",\"t\":\"";
  time_.append(line_, unix_us);
  line_ += identity_;
  append_text(line_, record.kind);
  if (record.dir != Direction::kNone) {
    line_ += ",\"dir\":\"";
    line_ += direction_text(record.dir);
    line_ += '"';
  }
  add_text(",\"mcp.method.name\":", record.method);
  add_text(",\"jsonrpc.request.id\":", record.request_id);
  add_text(",\"gen_ai.tool.name\":", record.tool);
  if (record.call != 0) {
    line_ += ",\"call\":";
    append_number(line_, record.call);
  }
  if (!record.body.empty()) {
    line_ += ",\"bytes\":";
    append_number(line_, record.body.size());
    line_ += ",\"sha256\":\"";
    append_hex(line_, sha256(record.body));
    line_ += '"';
  }
  add_text(",\"verdict\":", record.verdict);
  add_text(",\"rule\":", record.rule);
  add_text(",\"at\":", record.at);
  add_text(",\"reason\":", record.reason);
  add_detail(record.extra);
  line_ += ",\"prev\":\"";
  append_hex(line_, prev);
  line_ += "\"}\n";
  return line_;
}

}  // namespace calaboose::audit
