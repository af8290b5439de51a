// SPDX-License-Identifier: Apache-2.0
// A server's stderr: escaped, bounded, the last lines kept.
#include "runner/gateway/reporter.h"

#include <gtest/gtest.h>

namespace calaboose::gateway {
namespace {

const TimePoint kStart{std::chrono::seconds(100)};

TEST(StderrTail, PassesWholeLinesAndEscapesWhatATerminalWouldObey) {
  StderrTail tail;
  EXPECT_EQ(tail.feed("star", kStart), "");
  EXPECT_EQ(tail.feed("ting\r\n\x1b]0;title\x07!\nhalf", kStart),
            "starting\n\\x1b]0;title\\x07!\n");
  EXPECT_EQ(tail.finish(kStart), "half\n");
  EXPECT_EQ(tail.last_lines(),
            (std::vector<std::string>{"starting", "\\x1b]0;title\\x07!", "half"}));
}

TEST(StderrTail, KeepsTheLastLinesInOrder) {
  StderrTail tail;
  for (int i = 0; i < 20; ++i) {
    tail.feed(std::to_string(i) + "\n", kStart);
  }
  const auto lines = tail.last_lines();
  ASSERT_EQ(lines.size(), StderrTail::kKeepLines);
  EXPECT_EQ(lines.front(), "12");
  EXPECT_EQ(lines.back(), "19");
}

TEST(StderrTail, CutsAnEndlessLine) {
  StderrTail tail;
  for (int i = 0; i < 1000; ++i) {
    tail.feed(std::string(10'000, 'x'), kStart);
  }
  const std::string out = tail.feed("\n", kStart);
  EXPECT_EQ(out, std::string(StderrTail::kMaxLineBytes, 'x') + "…\n");
}

TEST(StderrTail, DropsAFloodAndRecovers) {
  StderrTail tail;
  const std::string line(999, 'y');
  std::size_t passed = 0;
  for (int i = 0; i < 10'000; ++i) {
    passed += tail.feed(line + "\n", kStart).size();
  }
  EXPECT_LE(passed, StderrTail::kBurstBytes);
  EXPECT_GT(passed, StderrTail::kBurstBytes / 2);
  EXPECT_EQ(tail.dropped_lines(), 10'000 - passed / 1000);
  EXPECT_EQ(tail.feed("again\n", kStart + std::chrono::seconds(1)), "again\n");
}

}  // namespace
}  // namespace calaboose::gateway
