// SPDX-License-Identifier: Apache-2.0
// Only the installed helper is executed.
// Place: tests/runner/jail.
#include "runner/jail/helper_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/jail_fixture.h"

namespace calaboose::jail {
namespace {

std::string make_file(const testing::TempDir& dir, mode_t mode) {
  const std::string path = dir.path() + "/calaboose-jail";
  std::ofstream(path) << "x";
  ::chmod(path.c_str(), mode);
  return path;
}

TEST(HelperFile, AcceptsOneThatOnlyItsOwnerWrites) {
  const testing::TempDir dir;
  const auto fd = open_helper(make_file(dir, 0755));
  EXPECT_TRUE(fd.ok());
}

TEST(HelperFile, RefusesOneThatOthersMayWrite) {
  const testing::TempDir dir;
  const auto fd = open_helper(make_file(dir, 0777));
  ASSERT_FALSE(fd.ok());
  EXPECT_EQ(fd.error().id(), "CB4002");
  EXPECT_EQ(fd.error().code(), Errc::kCannotEnforce);
}

TEST(HelperFile, RefusesSomebodyElsesFile) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root to give a file away";
  }
  const testing::TempDir dir;
  const std::string path = make_file(dir, 0755);
  ASSERT_EQ(::chown(path.c_str(), testing::kFreeUid, testing::kFreeUid), 0);
  EXPECT_FALSE(open_helper(path).ok());
}

TEST(HelperFile, RefusesADirectoryAndSaysWhatIsMissing) {
  const testing::TempDir dir;
  EXPECT_FALSE(open_helper(dir.path()).ok());
  const auto missing = open_helper(dir.path() + "/nothing");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().id(), "CB4001");
  EXPECT_NE(missing.error().hint().find("reinstall"), std::string::npos);
}

}  // namespace
}  // namespace calaboose::jail
