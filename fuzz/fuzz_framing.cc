// SPDX-License-Identifier: Apache-2.0
// LineFramer: the lines do not depend on where the stream was cut, and nothing over the bound is
// kept. Place: fuzz. Input: one byte for the bound, one for the chunk lengths, then the stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/wire/framing.h"
#include "mcp/wire/salvage.h"

namespace {

using calaboose::mcp::LineFramer;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// An independent and slow way to the same answer.
std::vector<std::string> expected_lines(std::string_view text, std::size_t max_line) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    if (line.size() > max_line) {
      lines.push_back("over " +
                      std::string(line.substr(0, std::min(max_line, LineFramer::kHeadBytes))));
    } else if (newline != std::string_view::npos || !line.empty()) {
      if (line.ends_with('\r')) {
        line.remove_suffix(1);
      }
      lines.push_back("line " + std::string(line));
    }
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const std::size_t max_line = static_cast<std::size_t>(data[0]) * 4;
  unsigned seed = data[1];
  const std::string_view text(reinterpret_cast<const char*>(data + 2), size - 2);
  std::vector<std::string> lines;
  LineFramer framer(max_line);
  const auto on_line = [&](std::string_view line) { lines.push_back("line " + std::string(line)); };
  const auto on_overlong = [&](std::string_view head) {
    lines.push_back("over " + std::string(head));
  };
  for (std::size_t at = 0; at < text.size();) {
    seed = seed * 1103515245U + 12345U;
    const std::size_t length = 1 + (seed >> 16U) % 17;
    framer.feed(text.substr(at, length), on_line, on_overlong);
    require(framer.buffered() <= max_line);
    at += length;
  }
  framer.finish(on_line);
  require(lines == expected_lines(text, max_line));
  for (const std::string& line : lines) {
    if (const auto id = calaboose::mcp::salvage_id(std::string_view(line).substr(5))) {
      require(!id->empty() && id->size() <= 130 && id->find('\n') == std::string_view::npos);
    }
  }
  return 0;
}
