// SPDX-License-Identifier: Apache-2.0
// Lenient reading and rendering. Everything shown passes through printable(): a record may hold a
// peer's words. Place: runner/audit.
#include "runner/audit/reader.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <deque>

#include "base/text.h"
#include "runner/audit/encode.h"
#include "runner/audit/files.h"

namespace calaboose::audit {
namespace {

bool parse_number(std::string_view text, std::uint64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out > 0;
}

/// A text member made harmless, or an empty string.
std::string shown(json::Value fields, std::string_view name, std::size_t max_bytes = 200) {
  const json::Value value = fields.find(name);
  if (!value.exists()) {
    return {};
  }
  return value.is_string() ? printable(value.string_or(""), max_bytes)
                           : printable(value.raw(), max_bytes);
}

void add_column(std::string& out, std::string_view text, std::size_t width) {
  out += text;
  const std::size_t pad = text.size() < width ? width - text.size() : 0;
  out.append(pad + 1, ' ');
}

std::string arrow(json::Value fields) {
  const json::Value dir = fields.find("dir");
  if (dir.string_equals("host>server")) {
    return "->";
  }
  return dir.string_equals("server>host") ? "<-" : "  ";
}

bool equals_number(json::Value value, std::uint64_t number) {
  const auto found = value.int64();
  return found && *found >= 0 && static_cast<std::uint64_t>(*found) == number;
}

void append_indented(std::string& out, json::Value value, std::size_t depth) {
  if (value.is_object() && value.size() > 0) {
    value.each_member([&](json::Value name, json::Value member) {
      out.append(2 * depth, ' ');
      out += printable(name.string_or(""), 200);
      if (member.is_object() && member.size() > 0) {
        out += ":\n";
        append_indented(out, member, depth + 1);
        return;
      }
      out += ": ";
      out += member.is_string() ? printable(member.string_or("")) : printable(member.raw());
      out += '\n';
    });
  }
}

}  // namespace

Reader::Reader(Fd fd, LineReader::Source source)
    : fd_(std::move(fd)), lines_(std::move(source)), tape_(std::make_unique<json::Tape>()) {}

Result<Reader> Reader::open(const std::string& path) {
  CALABOOSE_TRY(Fd fd, open_file(path, O_RDONLY | O_NONBLOCK));
  auto source = LineReader::from_fd(fd.get());
  return Reader(std::move(fd), std::move(source));
}

Reader Reader::over(std::string_view text) {
  return Reader(Fd(), LineReader::from_text(text));
}

Result<std::optional<Entry>> Reader::next() {
  CALABOOSE_TRY(const LineReader::Line line, lines_.next());
  switch (line.status) {
    case LineReader::Status::kEnd:
    case LineReader::Status::kTorn:
      return std::optional<Entry>();
    case LineReader::Status::kTooLong:
      return Error(Errc::kLimit,
                   "line " + std::to_string(number_ + 1) + " of the log is longer than any record");
    case LineReader::Status::kLine:
      break;
  }
  Entry entry;
  entry.line = ++number_;
  entry.text = line.text;
  if (tape_->parse(line.text) && tape_->root().is_object()) {
    entry.fields = tape_->root();
  }
  return std::optional<Entry>(entry);
}

Result<RecordId> RecordId::parse(std::string_view text) {
  RecordId id;
  const std::size_t colon = text.rfind(':');
  bool good = false;
  if (colon == std::string_view::npos) {
    good = parse_number(text, id.seq);
  } else if (text.substr(0, colon) == "call") {
    good = parse_number(text.substr(colon + 1), id.call);
  } else {
    id.run = text.substr(0, colon);
    good = !id.run.empty() && parse_number(text.substr(colon + 1), id.seq);
  }
  if (!good) {
    return Error(Errc::kUsage, "not a record: " + printable(text, 100))
        .with_hint("give a number (17), RUN:17, or call:5");
  }
  return id;
}

bool RecordId::matches(const Entry& entry) const {
  if (call != 0) {
    return equals_number(entry.fields.find("call"), call);
  }
  return equals_number(entry.fields.find("seq"), seq) &&
         (run.empty() || entry.fields.find("run").string_equals(run));
}

std::string render_line(const Entry& entry) {
  if (!entry.fields.exists()) {
    return "line " + std::to_string(entry.line) + " is not a record: " + printable(entry.text, 200);
  }
  const json::Value fields = entry.fields;
  std::string out;
  add_column(out, shown(fields, "seq"), 5);
  add_column(out, shown(fields, "t"), 27);
  add_column(out, arrow(fields), 2);
  add_column(out, shown(fields, "kind"), 9);
  for (const std::string_view name : {"mcp.method.name", "gen_ai.tool.name"}) {
    const std::string text = shown(fields, name);
    if (!text.empty()) {
      out += text;
      out += ' ';
    }
  }
  if (const json::Value call = fields.find("call"); call.exists()) {
    out += "call:" + printable(call.raw(), 20) + ' ';
  }
  if (const json::Value bytes = fields.find("bytes"); bytes.exists()) {
    out += printable(bytes.raw(), 20) + "B ";
  }
  for (const std::string_view name : {"verdict", "rule", "reason"}) {
    const std::string text = shown(fields, name);
    if (!text.empty()) {
      out += text;
      out += ' ';
    }
  }
  out.resize(out.find_last_not_of(' ') + 1);
  return out;
}

std::string render_record(const Entry& entry) {
  if (!entry.fields.exists()) {
    return render_line(entry) + "\n";
  }
  std::string out;
  append_indented(out, entry.fields, 0);
  return out;
}

Result<std::vector<std::string>> tail(const std::string& path, std::size_t count) {
  CALABOOSE_TRY(Reader reader, Reader::open(path));
  std::deque<std::string> texts;  // unrendered: only the last ones are worth rendering
  std::uint64_t first = 1;
  for (;;) {
    CALABOOSE_TRY(const std::optional<Entry> entry, reader.next());
    if (!entry) {
      break;
    }
    texts.emplace_back(entry->text);
    if (texts.size() > count) {
      texts.pop_front();
      ++first;
    }
  }
  std::vector<std::string> lines;
  json::Tape tape;
  for (const std::string& text : texts) {
    Entry entry;
    entry.line = first++;
    entry.text = text;
    if (tape.parse(text) && tape.root().is_object()) {
      entry.fields = tape.root();
    }
    lines.push_back(render_line(entry));
  }
  return lines;
}

Result<std::string> show(const std::string& path, const RecordId& id, std::size_t max_records) {
  CALABOOSE_TRY(Reader reader, Reader::open(path));
  std::string out;
  std::size_t found = 0;
  while (found < max_records) {
    CALABOOSE_TRY(const std::optional<Entry> entry, reader.next());
    if (!entry) {
      break;
    }
    if (entry->fields.exists() && id.matches(*entry)) {
      out += found++ > 0 ? "\n" : "";
      out += render_record(*entry);
    }
  }
  if (found == 0) {
    return Error(Errc::kInvalidInput, "no such record in " + printable(path))
        .with_hint("see the numbers with: calaboose audit tail");
  }
  return out;
}

Result<std::string> find_latest_log(const std::string& dir) {
  struct Closer {
    void operator()(DIR* d) const { ::closedir(d); }
  };

  const std::unique_ptr<DIR, Closer> listing(::opendir(dir.c_str()));
  if (!listing) {
    return errno_error("cannot list " + printable(dir), errno);
  }
  std::string latest;
  while (const dirent* item = ::readdir(listing.get())) {
    const std::string_view name = item->d_name;
    // "20260729T101112Z-<run>.jsonl": the time comes first, so the greatest name is the newest.
    const bool ours = name.size() > 23 && name[8] == 'T' && name[15] == 'Z' && name[16] == '-' &&
                      name.ends_with(".jsonl");
    if (ours && name > latest) {
      latest = name;
    }
  }
  if (latest.empty()) {
    return Error(Errc::kInvalidInput, "no audit log in " + printable(dir));
  }
  return dir + "/" + latest;
}

}  // namespace calaboose::audit
