// SPDX-License-Identifier: Apache-2.0
// The parts of LineFramer that run once per long line.
// Place: mcp/wire.
#include "mcp/wire/framing.h"

#include <algorithm>

namespace calaboose::mcp {

void LineFramer::append_head(std::string_view part) {
  const std::size_t want = std::min(kHeadBytes, max_line_);
  if (pending_.size() < want) {
    pending_.append(part.substr(0, want - pending_.size()));
  }
  pending_.resize(want);
}

void LineFramer::start_line() {
  discarding_ = false;
  release();
}

void LineFramer::release() {
  pending_.clear();
  if (pending_.capacity() > kKeepBytes) {
    pending_.shrink_to_fit();
  }
}

}  // namespace calaboose::mcp
