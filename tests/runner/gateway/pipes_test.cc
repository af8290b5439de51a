// SPDX-License-Identifier: Apache-2.0
// Lines over real pipes: order, bounds, back-pressure, a peer that goes away.
#include "runner/gateway/pipes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include "base/fd.h"

namespace calaboose::gateway {
namespace {

struct Pipe {
  Fd read_end;
  Fd write_end;

  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

void put(const Fd& fd, std::string_view text) {
  ASSERT_EQ(::write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(LineReader, GivesLinesThenTheEnd) {
  EventLoop loop;
  Pipe pipe;
  std::vector<std::string> seen;
  LineReader reader(
      loop, pipe.read_end.get(), 1000,
      {[&](std::string_view line) { seen.emplace_back(line); },
       [&](std::string_view head) { seen.push_back("TOO LONG " + std::string(head.substr(0, 3))); },
       [] {},
       [&] {
         seen.emplace_back("END");
         loop.stop();
       }});
  put(pipe.write_end, "one\r\ntwo\n" + std::string(5000, 'x') + "\nthree");
  pipe.write_end.reset();
  loop.run();
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two", "TOO LONG xxx", "three", "END"}));
  EXPECT_TRUE(reader.ended());
}

TEST(LineReader, ReadsARegularFile) {
  EventLoop loop;
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  std::fputs("a\nb\n", file);
  std::fflush(file);
  std::rewind(file);
  std::vector<std::string> seen;
  LineReader reader(loop, ::fileno(file), 1000,
                    {[&](std::string_view line) { seen.emplace_back(line); },
                     [](std::string_view) {}, [] {}, [&] { loop.stop(); }});
  loop.run();
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "b"}));
  std::fclose(file);
}

TEST(LineReader, PausesAndResumes) {
  EventLoop loop;
  Pipe pipe;
  std::vector<std::string> seen;
  LineReader reader(loop, pipe.read_end.get(), 1000,
                    {[&](std::string_view line) { seen.emplace_back(line); },
                     [](std::string_view) {}, [&] { loop.stop(); }, [] {}});
  reader.pause();
  put(pipe.write_end, "late\n");
  auto timer = loop.timer([&] {
    EXPECT_TRUE(seen.empty());
    reader.resume();
  });
  timer->set(SteadyClock::now() + Milliseconds(5));
  loop.run();
  EXPECT_EQ(seen, (std::vector<std::string>{"late"}));
}

// J47: a peer that does not read costs bounded memory and tells the owner when it may go on.
TEST(LineWriter, KeepsABacklogAndReportsWhenItIsGone) {
  EventLoop loop;
  Pipe pipe;
  bool drained = false;
  LineWriter writer(loop, pipe.write_end.get(), [&] {
    drained = true;
    loop.stop();
  });
  const std::string line(100'000, 'z');
  for (int i = 0; i < 50; ++i) {
    writer.line(line);
  }
  writer.flush();
  EXPECT_GE(writer.pending(), LineWriter::kHighWater);
  std::size_t received = 0;
  auto watch = loop.watch(pipe.read_end.get(), EventLoop::Interest::kRead, [&] {
    std::array<char, 65536> chunk{};
    const ssize_t n = ::read(pipe.read_end.get(), chunk.data(), chunk.size());
    received += n > 0 ? static_cast<std::size_t>(n) : 0;
  });
  loop.run();
  EXPECT_TRUE(drained);
  EXPECT_LT(writer.pending(), LineWriter::kLowWater);
  EXPECT_GT(received, 50 * 100'001 - LineWriter::kLowWater - 65536);
}

TEST(LineWriter, NoticesThatThePeerIsGone) {
  ::signal(SIGPIPE, SIG_IGN);
  EventLoop loop;
  Pipe pipe;
  LineWriter writer(loop, pipe.write_end.get(), [] {});
  pipe.read_end.reset();
  writer.line("x");
  writer.flush();
  EXPECT_TRUE(writer.broken());
  EXPECT_EQ(writer.pending(), 0U);
  writer.line("y");
  EXPECT_EQ(writer.pending(), 0U);
}

}  // namespace
}  // namespace calaboose::gateway
