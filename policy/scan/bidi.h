// SPDX-License-Identifier: Apache-2.0
// Which bidirectional controls of a text have a right to be there.
// Place: policy/scan; internal. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace calaboose::policy {

/// Judges the bidirectional controls of one text, asked from front to back.
///
/// Marks stay in paragraphs with a right-to-left letter. Embeddings and isolates stay there too if
/// they are closed within the paragraph and nest properly. Overrides never stay. A paragraph is
/// looked at once, on the first question about it.
class BidiParagraphs {
 public:
  explicit BidiParagraphs(std::string_view text) : text_(text) {}

  /// Does the paragraph around `at` hold a right-to-left letter?
  bool has_right_to_left(std::size_t at);
  /// May the embedding, override or isolate control at `at` stay?
  bool may_stay(std::size_t at);

 private:
  void enter(std::size_t at);
  void match(std::size_t begin);

  std::string_view text_;
  std::size_t end_ = 0;  // of the paragraph last entered
  bool right_to_left_ = false;
  std::vector<std::size_t> kept_;  // offsets of controls that stay, in order
  std::size_t next_kept_ = 0;
};

}  // namespace calaboose::policy
