// SPDX-License-Identifier: Apache-2.0
// The real file system behind the planner, the facts about this process, private directories.
// Place: tests/runner/host.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runner/host/files.h"
#include "runner/host/gather.h"

namespace calaboose::test {
namespace {

namespace fs = std::filesystem;

/// A fresh directory per test, removed afterwards.
class HostFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/calaboose-host-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern).string();
  }

  void TearDown() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  std::string root_;
  host::RealFiles files_;
};

TEST_F(HostFiles, TellLinksFromWhatTheyLeadTo) {
  write("file", "text");
  fs::create_symlink("file", path("link"));
  EXPECT_TRUE(files_.lstat(path("link"))->is_symlink());
  EXPECT_TRUE(files_.stat(path("link"))->is_regular());
  EXPECT_EQ(files_.stat(path("link"))->inode, files_.lstat(path("file"))->inode);
  EXPECT_EQ(files_.read_link(path("link")), "file");
  EXPECT_EQ(files_.real_path(path("link")), path("file"));
  EXPECT_FALSE(files_.read_link(path("file")).has_value());
  EXPECT_FALSE(files_.stat(path("none")).has_value());
}

TEST_F(HostFiles, ReadOnlyAsMuchAsAsked) {
  write("big", std::string(100'000, 'x') + "end");
  EXPECT_EQ(files_.read_head(path("big"), 10), std::string(10, 'x'));
  EXPECT_EQ(files_.read_head(path("big"), 1U << 20U)->size(), 100'003U);
  write("empty", "");
  EXPECT_EQ(files_.read_head(path("empty"), 10), "");
  EXPECT_TRUE(files_.read_head("/proc/self/status", 1U << 16U)->size() > 100);
}

TEST_F(HostFiles, NeverWaitForAFifoOrReadADevice) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(files_.read_head(path("fifo"), 10).has_value());
  EXPECT_FALSE(files_.read_head("/dev/zero", 10).has_value());
  EXPECT_FALSE(files_.read_head(root_, 10).has_value());
}

TEST_F(HostFiles, ListIsSortedAndBounded) {
  for (const char* name : {"c", "a", "b"}) {
    write(name, "");
  }
  EXPECT_EQ(files_.list(root_, 10), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(files_.list(root_, 2).size(), 2U);
  EXPECT_TRUE(files_.list(path("none"), 2).empty());
}

TEST_F(HostFiles, NamesWithNulAreNotCutShort) {  // J57
  write("a", "");
  const std::string trick = path("a") + std::string("\0b", 2);
  EXPECT_FALSE(files_.stat(trick).has_value());
  EXPECT_FALSE(files_.lstat(trick).has_value());
  EXPECT_FALSE(files_.read_head(trick, 1).has_value());
  EXPECT_FALSE(files_.real_path(trick).has_value());
  EXPECT_FALSE(files_.is_executable(trick));
}

TEST_F(HostFiles, ExecutableMeansForThisUser) {
  write("plain", "");
  write("program", "");
  fs::permissions(path("program"), fs::perms::owner_all);
  EXPECT_FALSE(files_.is_executable(path("plain")));
  EXPECT_TRUE(files_.is_executable(path("program")));
}

TEST_F(HostFiles, PrivateDirectoriesAreMadeWithMode0700) {  // J60
  const mode_t before = ::umask(0);
  EXPECT_TRUE(host::make_private_directory(path("a/b/c")).ok());
  ::umask(before);
  for (const char* name : {"a", "a/b", "a/b/c"}) {
    EXPECT_EQ(files_.lstat(path(name))->mode & 07777U, 0700U) << name;
  }
  EXPECT_TRUE(host::make_private_directory(path("a/b/c")).ok()) << "again";
  fs::permissions(path("a/b/c"), fs::perms::all);
  EXPECT_TRUE(host::make_private_directory(path("a/b/c")).ok());
  EXPECT_EQ(files_.lstat(path("a/b/c"))->mode & 07777U, 0700U);
}

TEST_F(HostFiles, PrivateDirectoryIsNeverALinkOrAFile) {  // J60
  fs::create_directory(path("elsewhere"));
  fs::create_symlink("elsewhere", path("link"));
  write("file", "");
  EXPECT_FALSE(host::make_private_directory(path("link")).ok());
  EXPECT_FALSE(host::make_private_directory(path("file")).ok());
  EXPECT_FALSE(host::make_private_directory("relative").ok());
}

TEST(Environment, FirstOfTwoEqualNamesCounts) {
  const char* const block[] = {"A=1", "B=x=y", "A=2", "broken", "=odd", nullptr};
  const host::EnvironmentMap map = host::environment_map(block);
  EXPECT_EQ(map, (host::EnvironmentMap{{"A", "1"}, {"B", "x=y"}}));
  EXPECT_TRUE(host::environment_map(nullptr).empty());
}

TEST(OwnFolders, FollowXdgWhereAbsolute) {
  host::OwnFolders own = host::own_folders({}, "/home/ada");
  EXPECT_EQ(own.config_home, "/home/ada/.config/calaboose");
  EXPECT_EQ(own.data_home, "/home/ada/.local/share/calaboose");
  EXPECT_EQ(own.state_home, "/home/ada/.local/state/calaboose");
  own = host::own_folders(
      {{"XDG_CONFIG_HOME", "/c"}, {"XDG_DATA_HOME", "rel"}, {"XDG_STATE_HOME", ""}}, "/home/ada");
  EXPECT_EQ(own.config_home, "/c/calaboose");
  EXPECT_EQ(own.data_home, "/home/ada/.local/share/calaboose");
  EXPECT_EQ(own.state_home, "/home/ada/.local/state/calaboose");
}

TEST(Gather, DescribesThisProcess) {
  const host::RealFiles files;
  const auto facts =
      host::gather({{"HOME", "/"}, {"PATH", "/p"}, {"TERM", "t"}, {"LANG", "l"}}, files);
  ASSERT_TRUE(facts.ok()) << facts.error().render();
  EXPECT_EQ(facts->uid, ::geteuid());
  EXPECT_EQ(facts->cwd, fs::current_path().string());
  EXPECT_EQ(facts->path, "/p");
  EXPECT_EQ(facts->term, "t");
  EXPECT_EQ(facts->lang, "l");
  EXPECT_EQ(facts->files, &files);
  EXPECT_EQ(facts->landlock_abi, host::landlock_abi());
}

TEST(Gather, RelativeHomeFallsBackToTheAccount) {
  const host::RealFiles files;
  const auto facts = host::gather({{"HOME", "relative"}}, files);
  if (facts.ok()) {
    EXPECT_EQ(facts->home.front(), '/');
  } else {
    EXPECT_EQ(facts.error().code(), Errc::kIo);
  }
}

}  // namespace
}  // namespace calaboose::test
