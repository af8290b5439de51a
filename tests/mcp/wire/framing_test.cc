// SPDX-License-Identifier: Apache-2.0
// Lines out of chunks.
#include "mcp/wire/framing.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace calaboose::mcp {
namespace {

struct Reader {
  explicit Reader(std::size_t max_line = LineFramer::kDefaultMaxLine) : framer(max_line) {}

  void feed(std::string_view chunk) {
    framer.feed(
        chunk, [&](std::string_view line) { lines.emplace_back(line); },
        [&](std::string_view head) { lines.push_back("OVER " + std::string(head)); });
  }

  void finish() {
    framer.finish([&](std::string_view line) { lines.emplace_back(line); });
  }

  LineFramer framer;
  std::vector<std::string> lines;
};

TEST(LineFramer, CutsLines) {
  Reader reader;
  reader.feed("a\nb\r\n\n\r\nc\r\rd\n\re\nlast");
  EXPECT_EQ(reader.lines, (std::vector<std::string>{"a", "b", "", "", "c\r\rd", "\re"}));
  EXPECT_EQ(reader.framer.buffered(), 4U);
  reader.finish();
  EXPECT_EQ(reader.lines.back(), "last");
}

TEST(LineFramer, WholeLinesAreNotCopied) {
  LineFramer framer;
  const std::string chunk = "one\ntwo\n";
  std::vector<const char*> where;
  framer.feed(
      chunk, [&](std::string_view line) { where.push_back(line.data()); }, [](std::string_view) {});
  EXPECT_EQ(where, (std::vector<const char*>{chunk.data(), chunk.data() + 4}));
}

TEST(LineFramer, AnOverlongLineIsReportedOnceAndNotKept) {
  Reader reader(1000);
  const std::string part(600, 'x');
  reader.feed(part);
  reader.feed(part);
  ASSERT_EQ(reader.lines.size(), 1U);
  EXPECT_EQ(reader.lines[0], "OVER " + std::string(LineFramer::kHeadBytes, 'x'));
  for (int i = 0; i < 1000; ++i) {
    reader.feed(part);
    EXPECT_EQ(reader.framer.buffered(), 0U);
  }
  reader.feed("end\nnext\n");
  EXPECT_EQ(reader.lines, (std::vector<std::string>{reader.lines[0], "next"}));
}

TEST(LineFramer, TheBoundIsExact) {
  Reader reader(4);
  reader.feed("1234\n12345\n123\r\n1234\r\n");
  EXPECT_EQ(reader.lines, (std::vector<std::string>{"1234", "OVER 1234", "123", "OVER 1234"}));
}

TEST(LineFramer, AnUnfinishedOverlongLineEndsSilently) {
  Reader reader(4);
  reader.feed("123456");
  reader.finish();
  EXPECT_EQ(reader.lines, std::vector<std::string>{"OVER 1234"});
}

TEST(LineFramer, ChunksDoNotMatter) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 200; ++i) {
      text += "ab\r\n\n"[random() % 5];
    }
    Reader whole(6);
    whole.feed(text);
    whole.finish();
    Reader parts(6);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = random() % 9;
      parts.feed(std::string_view(text).substr(at, length));
      at += length;
    }
    parts.finish();
    ASSERT_EQ(parts.lines, whole.lines) << text;
  }
}

}  // namespace
}  // namespace calaboose::mcp
