// SPDX-License-Identifier: Apache-2.0
// Copies a value with edits. A minified text is spliced: the bytes between two edits are copied as
// they stand. Any other text is walked token by token, and commas and colons are written anew.
#include <algorithm>

#include "base/json/write.h"

namespace calaboose::json {

/// The token walk; no recursion, the parent links lead back up.
class Patch::Walk {
 public:
  Walk(Value root, const Edit* first, const Edit* last, std::string& out)
      : tape_(*root.tape()),
        text_(tape_.text()),
        tokens_(tape_.tokens()),
        root_(root.index()),
        edit_(first),
        last_(last),
        out_(out) {}

  void run() {
    const std::uint32_t stop = tokens_[root_].next;
    open_ = root_;
    for (std::uint32_t i = root_; i < stop;) {
      i = step(i);
      while (open_count_ > 0 && i == tokens_[open_].next) {
        close();
      }
    }
  }

 private:
  // Writes token i, or skips what an edit removes or replaces; returns the next token to write.
  std::uint32_t step(std::uint32_t i) {
    const Tape::Token& token = tokens_[i];
    while (edit_ != last_ &&
           (edit_->begin < token.begin ||
            (i == root_ && edit_->op == Op::kRemove && edit_->begin == token.begin))) {
      ++edit_;  // does not apply here
    }
    const Edit* const edit = edit_ != last_ && edit_->begin == token.begin ? edit_ : nullptr;
    if (edit != nullptr && edit->op == Op::kRemove) {
      drop_edits_before(edit->end);
      return token.is_name ? tokens_[i + 1].next : token.next;
    }
    if (i != root_) {
      separate();
    }
    if (token.is_name) {
      name(token, edit);
      return i + 1;
    }
    if (edit != nullptr && edit->op == Op::kReplace) {
      out_ += edit->text;
      drop_edits_before(edit->end);
      return token.next;
    }
    if (token.kind != Kind::kArray && token.kind != Kind::kObject) {
      out_.append(text_, token.begin, token.end - token.begin);
      return i + 1;
    }
    out_ += token.kind == Kind::kArray ? '[' : '{';
    open_ = i;
    ++open_count_;
    if (token.next == i + 1) {
      close();
    }
    return i + 1;
  }

  void name(const Tape::Token& token, const Edit* edit) {
    if (edit != nullptr && edit->op == Op::kRename) {
      out_ += edit->text;
      drop_edits_before(edit->end);
    } else if (token.has_escape) {
      const auto index = static_cast<std::uint32_t>(&token - tokens_.data());
      append_quoted(out_, *Value(&tape_, index).string());
    } else {
      out_.append(text_, token.begin, token.end - token.begin);
    }
    out_ += ':';
  }

  // A comma unless this is the first thing in its container or follows its name. No complete value
  // ends in one of these three bytes, so the last byte written tells.
  void separate() {
    const char last = out_.back();
    if (last != '{' && last != '[' && last != ':') {
      out_ += ',';
    }
  }

  void close() {
    const Tape::Token& token = tokens_[open_];
    for (; edit_ != last_ && edit_->begin < token.end; ++edit_) {
      if (edit_->op == Op::kAppend && edit_->begin + 1 == token.end) {
        separate();
        out_ += edit_->text;
      }
    }
    out_ += token.kind == Kind::kArray ? ']' : '}';
    open_ = token.parent;
    --open_count_;
  }

  void drop_edits_before(std::uint32_t end) {
    while (edit_ != last_ && edit_->begin < end) {
      ++edit_;
    }
  }

  const Tape& tape_;
  std::string_view text_;
  const Tape::Tokens& tokens_;
  std::uint32_t root_;
  const Edit* edit_;
  const Edit* last_;
  std::string& out_;
  std::uint32_t open_ = 0;
  std::uint32_t open_count_ = 0;
};

void Patch::add(Edit edit) {
  const auto after = [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.op == Op::kRemove && b.op != Op::kRemove;
  };
  edits_.insert(std::upper_bound(edits_.begin(), edits_.end(), edit, after), std::move(edit));
}

void Patch::replace(Value value, std::string json) {
  if (value.exists()) {
    const Tape::Token& token = value.tape()->tokens()[value.index()];
    add({token.begin, token.end, Op::kReplace, std::move(json)});
  }
}

void Patch::remove(Value value) {
  if (value.exists()) {
    const Tape::Tokens& tokens = value.tape()->tokens();
    const std::uint32_t i = value.index();
    const bool is_member = i > 0 && tokens[i - 1].is_name;
    add({tokens[is_member ? i - 1 : i].begin, tokens[i].end, Op::kRemove, {}});
  }
}

void Patch::append_member(Value object, std::string_view name, std::string json) {
  if (object.is_object()) {
    const std::uint32_t end = object.tape()->tokens()[object.index()].end;
    std::string text;
    text.reserve(name.size() + json.size() + 3);
    append_quoted(text, name);
    text += ':';
    text += json;
    add({end - 1, end - 1, Op::kAppend, std::move(text)});
  }
}

void Patch::rename(Value member_value, std::string_view name) {
  if (member_value.exists() && member_value.index() > 0) {
    const Tape::Token& token = member_value.tape()->tokens()[member_value.index() - 1];
    if (token.is_name) {
      add({token.begin, token.end, Op::kRename, quoted(name)});
    }
  }
}

void Patch::write(Value value, std::string& out) const {
  if (!value.exists()) {
    return;
  }
  if (value.tape()->is_minified()) {
    splice(value, out);
    return;
  }
  const Tape::Token& token = value.tape()->tokens()[value.index()];
  const auto first = std::partition_point(edits_.begin(), edits_.end(),
                                          [&](const Edit& e) { return e.begin < token.begin; });
  const Edit* const data = edits_.data();
  Walk(value, data + (first - edits_.begin()), data + edits_.size(), out).run();
}

void Patch::splice(Value value, std::string& out) const {
  const std::string_view text = value.tape()->text();
  const Tape::Token& token = value.tape()->tokens()[value.index()];
  std::uint32_t done = token.begin;
  for (const Edit& edit : edits_) {
    if (edit.begin < done || edit.begin >= token.end ||
        (edit.op == Op::kRemove && edit.begin == token.begin)) {
      continue;
    }
    std::uint32_t begin = edit.begin;
    std::uint32_t end = edit.end;
    if (edit.op == Op::kRemove) {
      // One comma goes too: the one before, unless an earlier removal took it or there is none.
      if (text[begin - 1] == ',' && begin > done) {
        --begin;
      } else if (text[end] == ',') {
        ++end;
      }
    }
    out.append(text, done, begin - done);
    if (edit.op == Op::kAppend && out.back() != '{') {
      out += ',';
    }
    out += edit.text;
    done = end;
  }
  out.append(text, done, token.end - done);
}

void append_minified(std::string& out, Value value) {
  Patch().write(value, out);
}

std::string minified(Value value) {
  std::string out;
  append_minified(out, value);
  return out;
}

}  // namespace calaboose::json
