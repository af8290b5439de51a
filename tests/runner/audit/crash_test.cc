// SPDX-License-Identifier: Apache-2.0
// Writers that are killed while they write, and a disk that is full (A06).
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "base/json/json.h"
#include "support.h"

namespace calaboose::audit::test {
namespace {

/// Runs `work` in a child and returns its exit status, or -signal.
template <class F>
int run_in_child(F work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(AuditCrash, KilledWritersLeaveALogThatVerifiesAndContinues_A06) {
  const Scene scene;
  std::uint64_t records = 0;
  for (int round = 0; round < 20; ++round) {
    int progress[2];
    ASSERT_EQ(::pipe(progress), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(progress[0]);
      auto log = Log::open(scene.options("run-" + std::to_string(round)));
      if (!log.ok()) {
        ::_exit(9);
      }
      const std::string body(static_cast<std::size_t>(50 + 37 * round), 'b');
      for (std::uint64_t count = 1;; ++count) {
        if (!(*log)->append(message(body)).ok() ||
            (count % 64 == 0 && ::write(progress[1], &count, sizeof count) < 0)) {
          ::_exit(9);
        }
      }
    }
    ::close(progress[1]);
    // Killed after a number of records that differs by round, in the middle of more.
    std::uint64_t promised = 0;
    const std::uint64_t enough = 64U * static_cast<unsigned>(1 + 7 * round % 11);
    while (promised<enough&& ::read(progress[0], &promised, sizeof promised)> 0) {
    }
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself";
    ::close(progress[0]);

    const Verification found = scene.check();
    ASSERT_NE(found.status, Status::kTampered) << "round " << round << ": " << found.reason;
    ASSERT_GE(found.records, records + promised) << "a record that was promised is gone";
    records = found.records;
  }
  const auto log = scene.open("last");
  ASSERT_NE(log, nullptr);
  ASSERT_TRUE(log->append(message("after all")).ok());
  ASSERT_TRUE(log->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
  EXPECT_EQ(scene.check().records, records + 2);
}

TEST(AuditCrash, OfWritersThatStartAtOnceOneWins_A06) {
  const Scene scene;
  int start[2];
  int results[2];
  int finish[2];
  ASSERT_EQ(::pipe(start) | ::pipe(results) | ::pipe(finish), 0);
  constexpr int kWriters = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(start[1]);
      ::close(finish[1]);
      char byte = 0;
      (void)!::read(start[0], &byte, 1);  // ends when the parent closes
      const auto log = Log::open(scene.options("run-" + std::to_string(i)));
      byte = log.ok() && (*log)->append(message("mine")).ok() ? 'y' : 'n';
      (void)!::write(results[1], &byte, 1);
      (void)!::read(finish[0], &byte, 1);
      ::_exit(0);  // no close(): as if killed
    }
    children.push_back(child);
  }
  ::close(start[1]);
  int winners = 0;
  for (int i = 0; i < kWriters; ++i) {
    char byte = 0;
    ASSERT_EQ(::read(results[0], &byte, 1), 1);
    winners += byte == 'y' ? 1 : 0;
  }
  ::close(finish[1]);
  for (const pid_t child : children) {
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(winners, 1);
  EXPECT_NE(scene.check().status, Status::kTampered) << scene.check().reason;
  EXPECT_EQ(scene.check().records, 1U);
}

/// What a child found out while its files could not grow; bit by bit, so that the exit status names
/// it.
int fill_and_recover(const Scene& scene, rlim_t limit) {
  ::signal(SIGXFSZ, SIG_IGN);
  auto opened = Log::open(scene.options());
  if (!opened.ok()) {
    return 1;
  }
  Log& log = **opened;
  const rlimit small{limit, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &small) != 0) {
    return 2;
  }
  int written = 0;
  while (log.append(message("some body")).ok()) {
    ++written;
  }
  if (written == 0 || log.writable()) {
    return 3;
  }
  for (int i = 0; i < 4; ++i) {  // five lost with the one above
    if (log.append(message("lost")).ok()) {
      return 4;
    }
  }
  if (read_file(scene.path).back() != '\n') {
    return 5;  // half a record was left
  }
  const rlimit large{RLIM_INFINITY, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_FSIZE, &large) != 0) {
    return 2;
  }
  if (!log.append(message("back again")).ok()) {
    return 6;
  }
  return log.close().ok() ? 0 : 7;
}

class AuditFullDiskAt : public testing::TestWithParam<rlim_t> {};

TEST_P(AuditFullDiskAt, LosesNothingSilently_A06) {
  const Scene scene;
  ASSERT_EQ(run_in_child([&] { return fill_and_recover(scene, GetParam()); }), 0);
  EXPECT_EQ(scene.check().status, Status::kIntact) << scene.check().reason;
  const auto lines = split_lines(read_file(scene.path));
  ASSERT_GE(lines.size(), 3U);
  json::Tape tape;
  ASSERT_TRUE(tape.parse(lines[lines.size() - 2]));
  EXPECT_EQ(tape.root().find("kind").string(), "summary");
  EXPECT_EQ(tape.root().at("detail", "lost").int64(), 5);
}

// At several sizes, so that the failing write is cut at different places of a line.
INSTANTIATE_TEST_SUITE_P(Sizes, AuditFullDiskAt, testing::Values(2000, 2001, 2377, 4096, 5003),
                         [](const auto& row) { return "Bytes" + std::to_string(row.param); });

TEST(AuditFullDisk, SaysWhatIsWrongAndWhatToDo_A06) {
  const Scene scene;
  const int status = run_in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    auto log = Log::open(scene.options());
    const rlimit none{0, 0};
    if (!log.ok() || ::setrlimit(RLIMIT_FSIZE, &none) != 0) {
      return 1;
    }
    const auto failed = (*log)->append(message("x"));
    if (failed.ok() || failed.error().code() != Errc::kIo || failed.error().hint().empty()) {
      return 2;
    }
    return (*log)->close().ok() ? 3
                                : 0;  // the loss cannot be recorded, so close() may not be silent
  });
  EXPECT_EQ(status, 0);
  EXPECT_NE(scene.check().status, Status::kTampered);
}

}  // namespace
}  // namespace calaboose::audit::test
