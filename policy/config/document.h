// SPDX-License-Identifier: Apache-2.0
// One configuration text while it is read: positions, excerpts, problems and notes.
// Place: policy/config, inside load. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json/json.h"
#include "policy/config/config.h"

namespace calaboose::policy {

/// Collects problems up to a bound and counts the rest. One owner: the load.
class Problems {
 public:
  explicit Problems(std::size_t limit) : limit_(limit) {}

  void add(Error error) {
    if (list_.size() < limit_) {
      list_.push_back(std::move(error));
    } else {
      ++more_;
    }
  }

  /// Counts one that would not be shown, without the work of describing it. False: there is room.
  bool count_if_full() {
    if (list_.size() < limit_) {
      return false;
    }
    ++more_;
    return true;
  }

  std::size_t more() const { return more_; }

  std::vector<Error> take() { return std::move(list_); }

 private:
  std::size_t limit_;
  std::size_t more_ = 0;
  std::vector<Error> list_;
};

/// The line of `text` at `ref` and a caret below it, printable, at most about 100 columns; empty
/// when out of range. Literal secrets must have been masked before.
std::string excerpt_of(std::string_view text, const SourceRef& ref);

/// A JSON value and its RFC 6901 pointer.
struct Node {
  json::Value value;
  std::string pointer;

  Node member(std::string_view name, json::Value child) const;
  Node element(std::size_t i, json::Value child) const;
};

/// Owns the tape of one source. A resource: the values it hands out point into it.
class Document {
 public:
  Document(SourceText& source, std::size_t index, Problems& problems, std::vector<Note>& notes)
      : source_(source), index_(index), problems_(problems), notes_(notes) {}

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Parses; a failure has become a problem. Afterwards source.text is only for display: literal
  /// values of `env` and `headers` and what looks like a secret are masked in it, so that no
  /// excerpt shows them.
  bool parse();

  Node root() const { return {tape_.root(), ""}; }

  bool is_host_file() const { return source_.kind == SourceKind::kHostFile; }

  std::size_t source_index() const { return index_; }

  SourceRef ref(const Node& node) const;
  /// The same for the name of a member: its value's pointer, the name's position.
  SourceRef name_ref(json::Value name, const Node& node) const;

  Origin origin(const Node& node) const { return {source_.path, ref(node)}; }

  /// True (and counted) if a further problem would not be shown: hostile texts hold many, so
  /// describing stops.
  bool problem_is_one_too_many() { return problems_.count_if_full(); }

  void problem(std::string_view id, const SourceRef& at, std::string what, std::string hint = {});
  void note(std::string server, const SourceRef& at, std::string text);

 private:
  SourceRef ref_at(std::size_t offset, std::string pointer) const;
  void index_lines();
  void mask_values();
  void mask_arguments(json::Value list);

  SourceText& source_;
  std::size_t index_;
  Problems& problems_;
  std::vector<Note>& notes_;
  std::string text_;  // what the tape points into
  json::Tape tape_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace calaboose::policy
