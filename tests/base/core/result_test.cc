// SPDX-License-Identifier: Apache-2.0
// Result, Fd and Deadline.
#include "base/result.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/fd.h"

namespace calaboose {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) {
    return Error(Errc::kInvalidInput, "odd");
  }
  return value / 2;
}

Result<int> quarter(int value) {
  CALABOOSE_TRY(const int once, half(value));
  CALABOOSE_TRY(const int twice, half(once));
  return twice;
}

Result<void> must_be_even(int value) {
  CALABOOSE_CHECK(half(value));
  return {};
}

TEST(Result, HoldsAValue) {
  const Result<int> result = half(8);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = half(7);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Errc::kInvalidInput);
  EXPECT_EQ(result.error().what(), "odd");
}

TEST(Result, TryPassesValuesAndErrorsOn) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().what(), "odd");
  EXPECT_TRUE(must_be_even(2).ok());
  EXPECT_EQ(must_be_even(3).error().what(), "odd");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, ArrowReachesTheValue) {
  Result<std::string> result(std::string("abc"));
  EXPECT_EQ(result->size(), 3U);
}

TEST(ResultDeathTest, ReadingTheWrongSideAborts) {
  const Result<int> good = half(2);
  const Result<int> bad = half(1);
  const Result<void> fine;
  EXPECT_DEATH(static_cast<void>(good.error()), "");
  EXPECT_DEATH(static_cast<void>(bad.value()), "");
  EXPECT_DEATH(static_cast<void>(fine.error()), "");
}

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

TEST(Fd, ClosesAtTheEnd) {
  int raw = -1;
  {
    const Fd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    raw = fd.get();
    ASSERT_TRUE(fd.valid());
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(Fd, MovesOwnership) {
  Fd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int raw = first.get();
  Fd second(std::move(first));
  EXPECT_FALSE(
      first.valid());  // NOLINT(bugprone-use-after-move): the moved-from state is the subject
  EXPECT_EQ(second.get(), raw);
  Fd third(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int replaced = third.get();
  third = std::move(second);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_EQ(third.get(), raw);
  EXPECT_EQ(third.release(), raw);
  EXPECT_FALSE(third);
  EXPECT_TRUE(is_open(raw));
  third.reset(raw);
  third.reset();
  EXPECT_FALSE(is_open(raw));
}

TEST(Deadline, ExpiresAtItsTime) {
  const TimePoint start{};
  const Deadline deadline = Deadline::after(Milliseconds(10), start);
  EXPECT_FALSE(deadline.expired(start));
  EXPECT_FALSE(deadline.expired(start + Milliseconds(9)));
  EXPECT_TRUE(deadline.expired(start + Milliseconds(10)));
  EXPECT_EQ(deadline.when(), start + Milliseconds(10));
}

TEST(Deadline, PollTimeoutRoundsUpAndIsBounded) {
  const TimePoint start{};
  const Deadline deadline = Deadline::at(start + Milliseconds(10));
  EXPECT_EQ(deadline.poll_timeout_ms(start), 10);
  EXPECT_EQ(deadline.poll_timeout_ms(start + std::chrono::microseconds(9500)), 1);
  EXPECT_EQ(deadline.poll_timeout_ms(start + Milliseconds(10)), 0);
  EXPECT_EQ(deadline.poll_timeout_ms(start + Milliseconds(99)), 0);
  EXPECT_EQ(Deadline::after(Milliseconds(100'000), start).poll_timeout_ms(start), 60'000);
  EXPECT_EQ(Deadline::after(Milliseconds(100'000), start).poll_timeout_ms(start, 7), 7);
}

TEST(Deadline, NeverAndFarAwayDoNotOverflow) {
  const TimePoint start = SteadyClock::now();
  EXPECT_FALSE(Deadline::never().expired(start));
  EXPECT_EQ(Deadline::never().poll_timeout_ms(start, 123), 123);
  const Deadline far = Deadline::after(Milliseconds::max(), start);
  EXPECT_FALSE(far.expired(start));
  EXPECT_EQ(far.poll_timeout_ms(start, 123), 123);
  const Deadline early = Deadline::at(TimePoint::min());
  EXPECT_TRUE(early.expired(start));
  EXPECT_EQ(early.poll_timeout_ms(start), 0);
}

}  // namespace
}  // namespace calaboose
