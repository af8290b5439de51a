// SPDX-License-Identifier: Apache-2.0
// Key files: made once, private, and checked.
#include "runner/audit/keys.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

namespace calaboose::audit::test {
namespace {

TEST(AuditKeys, AreMadeOnceAndKept) {
  const TempDir dir;
  const std::string keys = dir.path() + "/a/b/keys";
  const auto first = load_or_create_keys(keys);
  ASSERT_TRUE(first.ok()) << first.error().render();
  const auto second = load_or_create_keys(keys);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(first->public_key().raw(), second->public_key().raw());
  EXPECT_EQ(load_public_key(keys + "/audit.pub")->id(), first->public_key().id());
  EXPECT_EQ(read_file(keys + "/audit.key").substr(0, 28), "-----BEGIN PRIVATE KEY-----\n");
}

// RFC 8032 section 7.1, test 2.
TEST(AuditKeys, SignAsTheStandardSays) {
  RawKey seed = {0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
                 0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
                 0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb};
  const auto key = SigningKey::from_seed(seed);
  ASSERT_TRUE(key.ok());
  EXPECT_EQ(key->public_key().raw()[0], 0x3d);
  EXPECT_EQ(key->public_key().raw()[31], 0x0c);
  const auto signature = key->sign("\x72");
  ASSERT_TRUE(signature.ok());
  EXPECT_EQ((*signature)[0], 0x92);
  EXPECT_EQ((*signature)[63], 0x00);
  EXPECT_TRUE(key->public_key().verify("\x72", *signature));
  EXPECT_FALSE(key->public_key().verify("\x73", *signature));
}

TEST(AuditKeys, RefuseWhatOthersCanRead) {
  const TempDir dir;
  const std::string keys = dir.path() + "/keys";
  ASSERT_TRUE(load_or_create_keys(keys).ok());
  for (const auto& [path, bad, good] :
       std::vector<std::tuple<std::string, mode_t, mode_t>>{{keys, 0755, 0700},
                                                            {keys + "/audit.key", 0640, 0600},
                                                            {keys + "/audit.key", 0604, 0600}}) {
    ASSERT_EQ(::chmod(path.c_str(), bad), 0);
    const auto refused = load_or_create_keys(keys);
    ASSERT_FALSE(refused.ok()) << path;
    EXPECT_EQ(refused.error().code(), Errc::kCannotEnforce);
    EXPECT_NE(refused.error().hint().find("chmod"), std::string::npos);
    ASSERT_EQ(::chmod(path.c_str(), good), 0);
    EXPECT_TRUE(load_or_create_keys(keys).ok());
  }
}

TEST(AuditKeys, RefuseDamagedFiles) {
  const TempDir dir;
  const std::string keys = dir.path() + "/keys";
  ASSERT_TRUE(load_or_create_keys(keys).ok());
  const std::string key = read_file(keys + "/audit.key");
  const std::string pub = read_file(keys + "/audit.pub");
  for (const std::string& bad :
       {std::string(), key.substr(0, 60), key + "x", std::string(5000, 'A'), pub}) {
    write_file(keys + "/audit.key", bad);
    EXPECT_FALSE(load_or_create_keys(keys).ok());
  }
  write_file(keys + "/audit.key", key);
  EXPECT_TRUE(load_or_create_keys(keys).ok());
}

TEST(AuditKeys, PublicKeyIsMadeAgainAndMustBelong) {
  const TempDir dir;
  const std::string keys = dir.path() + "/keys";
  const std::string other = dir.path() + "/other";
  ASSERT_TRUE(load_or_create_keys(keys).ok());
  ASSERT_TRUE(load_or_create_keys(other).ok());
  const std::string pub = read_file(keys + "/audit.pub");
  std::filesystem::remove(keys + "/audit.pub");
  ASSERT_TRUE(load_or_create_keys(keys).ok());
  EXPECT_EQ(read_file(keys + "/audit.pub"), pub);
  write_file(keys + "/audit.pub", read_file(other + "/audit.pub"));
  EXPECT_FALSE(load_or_create_keys(keys).ok());
}

TEST(AuditKeys, KeyMayNotBeALink) {
  const TempDir dir;
  const std::string keys = dir.path() + "/keys";
  ASSERT_TRUE(load_or_create_keys(keys).ok());
  std::filesystem::rename(keys + "/audit.key", dir.path() + "/elsewhere");
  std::filesystem::create_symlink(dir.path() + "/elsewhere", keys + "/audit.key");
  EXPECT_FALSE(load_or_create_keys(keys).ok());
}

TEST(AuditKeys, ProcessesThatStartAtOnceAgree) {
  const TempDir dir;
  const std::string keys = dir.path() + "/keys";
  int start[2];
  int ids[2];
  ASSERT_EQ(::pipe(start), 0);
  ASSERT_EQ(::pipe(ids), 0);
  constexpr int kProcesses = 8;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(start[1]);
      char ignored = 0;
      (void)!::read(start[0], &ignored, 1);  // ends when the parent closes
      const auto key = load_or_create_keys(keys);
      const std::string id = key.ok() ? key->public_key().id() : std::string(16, '!');
      ::_exit(::write(ids[1], id.data(), 16) == 16 ? 0 : 1);
    }
    children.push_back(child);
  }
  ::close(start[0]);
  ::close(start[1]);
  ::close(ids[1]);
  std::string all;
  char buffer[256];
  for (ssize_t got = 0; (got = ::read(ids[0], buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ids[0]);
  for (const pid_t child : children) {
    ::waitpid(child, nullptr, 0);
  }
  const auto key = load_or_create_keys(keys);
  ASSERT_TRUE(key.ok());
  std::string expected;
  for (int i = 0; i < kProcesses; ++i) {
    expected += key->public_key().id();
  }
  EXPECT_EQ(all, expected);
}

}  // namespace
}  // namespace calaboose::audit::test
