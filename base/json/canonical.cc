// SPDX-License-Identifier: Apache-2.0
// Canonical form: one text per JSON value, whatever the order of members and the spelling of
// strings and numbers. No recursion: one frame per open container, so depth is bounded by the tape
// alone.
#include <algorithm>
#include <vector>

#include "base/json/strings.h"
#include "base/json/write.h"

namespace calaboose::json {
namespace {

struct Member {
  std::string name;
  std::uint32_t value;
};

class Canonical {
 public:
  explicit Canonical(const Tape& tape) : tape_(tape) {}

  std::string run(std::uint32_t root) {
    value(root);
    while (!frames_.empty()) {
      next();
    }
    return std::move(out_);
  }

 private:
  struct Frame {
    Kind kind;
    std::uint32_t at;             // array: next element's token
    std::uint32_t stop;           // array: first token after it
    std::vector<Member> members;  // object: in order
    std::size_t position = 0;
  };

  void next() {
    Frame& frame = frames_.back();
    const bool first = frame.position == 0;
    if (frame.kind == Kind::kArray ? frame.at == frame.stop
                                   : frame.position == frame.members.size()) {
      out_ += frame.kind == Kind::kArray ? ']' : '}';
      frames_.pop_back();
      return;
    }
    if (!first) {
      out_ += ',';
    }
    std::uint32_t child = 0;
    if (frame.kind == Kind::kArray) {
      child = frame.at;
      frame.at = tape_.tokens()[child].next;
    } else {
      append_quoted(out_, frame.members[frame.position].name);
      out_ += ':';
      child = frame.members[frame.position].value;
    }
    ++frame.position;
    value(child);  // may move the frames
  }

  void value(std::uint32_t index) {
    const Value value(&tape_, index);
    const Tape::Token& token = tape_.tokens()[index];
    switch (token.kind) {
      case Kind::kNull:
      case Kind::kFalse:
      case Kind::kTrue:
        out_ += value.raw();
        return;
      case Kind::kNumber:
        out_ += canonical_number(value.raw());
        return;
      case Kind::kString:
        if (token.has_escape) {
          append_quoted(out_, *value.string());
        } else {
          out_ += value.raw();
        }
        return;
      case Kind::kArray:
        out_ += '[';
        frames_.push_back({Kind::kArray, index + 1, token.next, {}});
        return;
      case Kind::kObject:
        out_ += '{';
        frames_.push_back({Kind::kObject, 0, 0, sorted(value)});
        return;
    }
  }

  static std::vector<Member> sorted(Value object) {
    std::vector<Member> members;
    members.reserve(object.size());
    object.each_member([&](Value name, Value value) {
      members.push_back({*name.string(), value.index()});
    });
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return utf16_less(a.name, b.name); });
    return members;
  }

  const Tape& tape_;
  std::vector<Frame> frames_;
  std::string out_;
};

}  // namespace

std::string canonical(Value value) {
  return value.exists() ? Canonical(*value.tape()).run(value.index()) : std::string();
}

bool equal(Value a, Value b) {
  if (!a.exists() || !b.exists()) {
    return a.exists() == b.exists();
  }
  if (a.raw() == b.raw()) {
    return true;
  }
  const bool same_type = kind_name(a.kind()) == kind_name(b.kind());
  return same_type && a.size() == b.size() && canonical(a) == canonical(b);
}

}  // namespace calaboose::json
