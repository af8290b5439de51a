// SPDX-License-Identifier: Apache-2.0
#include "policy/config/document.h"

#include <algorithm>
#include <utility>

#include "base/json/strings.h"
#include "base/text.h"
#include "policy/config/load.h"
#include "policy/config/secrets.h"

namespace calaboose::policy {
namespace {

constexpr std::size_t kBefore = 60;  // bytes of a long line that are shown before the caret
constexpr std::size_t kWindow = 100;
constexpr std::size_t kMaxNotes = 200;
constexpr std::string_view kBom = "\xEF\xBB\xBF";

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shown(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\t', ' ');
  return printable(line, line.size() * 10 + 1);
}

void mask(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(end), '*');
}

}  // namespace

std::string excerpt_of(std::string_view text, const SourceRef& ref) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < ref.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) {
      return {};
    }
    ++begin;
  }
  std::string_view line = text.substr(begin, text.substr(begin).find('\n'));
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  if (ref.line == 0 || ref.column == 0 || ref.column > line.size() + 1) {
    return {};
  }
  const std::size_t caret = ref.column - 1;
  std::size_t from = caret > kBefore ? caret - kBefore : 0;
  while (from > 0 && from < caret && !starts_character(line[from])) {
    ++from;
  }
  std::size_t to = std::min(line.size(), from + kWindow);
  while (to < line.size() && to > caret && !starts_character(line[to])) {
    --to;
  }
  const std::string lead = (from > 0 ? "…" : "") + shown(line.substr(from, caret - from));
  const std::string rest = shown(line.substr(caret, to - caret)) + (to < line.size() ? "…" : "");
  return "  " + lead + rest + "\n  " + std::string(count_characters(lead), ' ') + "^";
}

Node Node::member(std::string_view name, json::Value child) const {
  Node out{child, pointer};
  json::append_pointer_token(out.pointer, name);
  return out;
}

Node Node::element(std::size_t i, json::Value child) const {
  return {child, pointer + "/" + std::to_string(i)};
}

bool Document::parse() {
  if (source_.text.size() > kMaxConfigBytes) {
    problem("CB2002", {source_.path, 0, 0, {}},
            "the file has " + std::to_string(source_.text.size()) + " bytes, more than the " +
                std::to_string(kMaxConfigBytes) + " that are read");
    source_.text.clear();
    return false;
  }
  text_ = source_.text;
  if (text_.starts_with(kBom)) {
    text_.erase(0, kBom.size());
    source_.text = text_;
  }
  index_lines();
  json::Limits limits;
  limits.max_bytes = kMaxConfigBytes;
  limits.max_depth = kMaxConfigDepth;
  limits.max_tokens = 200'000;
  limits.allow_comments = true;
  if (!tape_.parse(text_, limits)) {
    mask_secrets_in_text(source_.text);
    const json::ParseError& error = tape_.error();
    problem(error.is_limit ? "CB2002" : "CB2001", ref_at(error.offset, {}), error.what);
    return false;
  }
  mask_values();
  return true;
}

SourceRef Document::ref(const Node& node) const {
  return ref_at(tape_.tokens()[node.value.index()].begin, node.pointer);
}

SourceRef Document::name_ref(json::Value name, const Node& node) const {
  return ref_at(tape_.tokens()[name.index()].begin, node.pointer);
}

SourceRef Document::ref_at(std::size_t offset, std::string pointer) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - line_starts_.begin());
  const std::size_t start = line_starts_[line - 1];
  return {source_.path, static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(offset - start + 1), std::move(pointer)};
}

void Document::index_lines() {
  line_starts_.assign(1, 0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') {
      line_starts_.push_back(i + 1);
    }
  }
}

// A value behind --token is a secret by its neighbour only.
void Document::mask_arguments(json::Value list) {
  std::vector<std::string> pair(2);
  list.each_element([&](json::Value element) {
    pair[0] = std::exchange(pair[1], element.string_or(""));
    const auto& token = tape_.tokens()[element.index()];
    if (element.is_string() && (secret_in_arguments(pair) == 1 || secret_in_arguments({pair[1]}))) {
      mask(source_.text, token.begin + 1, token.end - 1);
    }
  });
}

// Same length as before, so that positions hold.
void Document::mask_values() {
  const auto& tokens = tape_.tokens();
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    const json::Value value(&tape_, i);
    if (token.kind == json::Kind::kObject && i > 0 && tokens[i - 1].is_name) {
      const json::Value name(&tape_, i - 1);
      if (name.string_equals("env") || name.string_equals("headers")) {
        value.each_member([&](json::Value, json::Value child) {
          const std::string_view raw = child.raw();
          const auto& t = tokens[child.index()];
          if (child.is_string() && t.end - t.begin > 2 &&
              raw.find("${") == std::string_view::npos) {
            mask(source_.text, t.begin + 1, t.end - 1);
          }
        });
      }
    } else if (token.kind == json::Kind::kArray && i > 0 && tokens[i - 1].is_name) {
      mask_arguments(value);
    } else if (token.kind == json::Kind::kString && !token.is_name &&
               looks_like_secret(value.string_or(""))) {
      mask(source_.text, token.begin + 1, token.end - 1);
    }
  }
}

void Document::problem(std::string_view id, const SourceRef& at, std::string what,
                       std::string hint) {
  if (problems_.count_if_full()) {
    return;
  }
  problems_.add(Error(Errc::kInvalidConfig, std::move(what))
                    .with_id(std::string(id))
                    .with_hint(std::move(hint))
                    .with_excerpt(excerpt_of(source_.text, at))
                    .at(at));
}

void Document::note(std::string server, const SourceRef& at, std::string text) {
  if (notes_.size() < kMaxNotes) {
    notes_.push_back({std::move(server), std::move(text), at});
  }
}

}  // namespace calaboose::policy
