// SPDX-License-Identifier: Apache-2.0
// The jail's file tree: grants, races for a path, masks, owners, working directory.
// Place: tests/runner/jail; kernel test.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/runner/jail/harness.h"

namespace calaboose::testing {
namespace {

using Kind = plan::Mount::Kind;

constexpr std::uint32_t kRead = plan::kReadFile | plan::kReadDir;
constexpr std::uint32_t kAll = kRead | plan::kWriteFile | plan::kMake;

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

bool exists(const std::string& path) {
  struct stat info = {};
  return ::lstat(path.c_str(), &info) == 0;
}

/// Runs a shell line in a jail that has the system's programs and whatever `edit` adds.
Session shell(User user, const std::string& line, const Edit& edit = {}) {
  return run_jailed(user, {}, [&](plan::Plan& p) {
    add_system(p);
    p.argv = {"/bin/sh", "-c", line};
    if (edit) {
      edit(p);
    }
  });
}

Edit granting(const std::string& source, bool writable) {
  return [=](plan::Plan& p) {
    plan::Mount m = bind_of(source, "/grant", writable);
    m.identity_mapped = p.as_root;
    p.mounts.push_back(m);
    p.landlock.push_back({"/grant", writable ? kAll : kRead});
  };
}

class JailTree : public ::testing::TestWithParam<User> {};

TEST_P(JailTree, RunsDynamicPrograms) {
  const Session run = shell(GetParam(), "echo out; echo err >&2; exit 7");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "err\n");
  EXPECT_EQ(run.exit, "exited with status 7");
}

TEST_P(JailTree, ReadGrantCanBeReadAndNotWritten) {
  const WorkDir work(GetParam());
  write_file(work.path() + "/note", "secret words");
  const Session run =
      shell(GetParam(),
            "cat /grant/note; echo x > /grant/new; rm /grant/note; chmod 777 /grant/note; echo $?",
            granting(work.path(), false));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.out, "secret words1\n");
  EXPECT_EQ(read_file(work.path() + "/note"), "secret words");
  EXPECT_FALSE(exists(work.path() + "/new"));
}

// As root the grant's owner 0 is the jail's user inside, and what the jail makes belongs to root
// outside (never to the free uid); as a user both are the user.
TEST_P(JailTree, WriteGrantKeepsOwners) {
  const WorkDir work(GetParam());

  struct stat owner = {};
  ASSERT_EQ(::stat(work.path().c_str(), &owner), 0);
  write_file(work.path() + "/private", "p");
  ASSERT_EQ(::chown((work.path() + "/private").c_str(), owner.st_uid, owner.st_gid), 0);
  ASSERT_EQ(::chmod((work.path() + "/private").c_str(), 0600), 0);
  const Session run =
      shell(GetParam(),
            "cat /grant/private; echo made > /grant/made; stat -c %u /grant/made /grant/private",
            granting(work.path(), true));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.out, "p1000\n1000\n") << run.err;

  struct stat made = {};
  ASSERT_EQ(::stat((work.path() + "/made").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, owner.st_uid);
  EXPECT_EQ(made.st_gid, owner.st_gid);
  EXPECT_EQ(made.st_mode & 07777U, 0644U) << "J59: umask 022";
}

// As root, without the mapping, root's files stay foreign: the jail is nobody outside.
TEST(JailTreeRoot, WithoutMappingRootsFilesAreForeign) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root";
  }
  const TempDir work;
  ::chmod(work.path().c_str(), 0755);
  write_file(work.path() + "/open", "o");
  write_file(work.path() + "/private", "p");
  ::chmod((work.path() + "/private").c_str(), 0600);
  const Session run = shell(
      User::kSelf, "cat /grant/open; cat /grant/private; echo x > /grant/new; stat -c %u /grant",
      [&](plan::Plan& p) {
        p.mounts.push_back(bind_of(work.path(), "/grant", true));
        p.landlock.push_back({"/grant", kAll});
      });
  EXPECT_EQ(run.out, "o65534\n") << run.error;
  EXPECT_FALSE(exists(work.path() + "/new"));
}

// Where the file system cannot map owners: a grant fails closed, our own home is given to the
// jail's user.
TEST(JailTreeRoot, HomeOnAFileSystemWithoutMapping) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root";
  }
  for (const bool ours : {true, false}) {
    const TempDir place;
    const std::string text = in_process(User::kSelf, [&](int out) {
      if (::unshare(CLONE_NEWNS) != 0 ||
          ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mount("ramfs", place.path().c_str(), "ramfs", 0, "mode=700") != 0) {
        ::_exit(3);
      }
      const Session run =
          shell(User::kSelf, "echo kept > /grant/file && cat /grant/file", [&](plan::Plan& p) {
            granting(place.path(), true)(p);
            p.mounts.back().ours = ours;
          });
      const std::string answer = run.out + run.error_id;
      (void)!::write(out, answer.data(), answer.size());
    });
    EXPECT_EQ(text, ours ? "kept\n" : "CB4114");
  }
}

TEST_P(JailTree, J26SwappedSourceIsRefused) {
  const WorkDir work(GetParam());
  ::mkdir((work.path() + "/granted").c_str(), 0755);
  ::mkdir((work.path() + "/other").c_str(), 0755);
  const Session run = shell(GetParam(), "echo ran", [&](plan::Plan& p) {
    granting(work.path() + "/granted", false)(p);
    // Between approval and start another directory takes its name.
    ::rename((work.path() + "/granted").c_str(), (work.path() + "/old").c_str());
    ::rename((work.path() + "/other").c_str(), (work.path() + "/granted").c_str());
  });
  EXPECT_EQ(run.error_id, "CB4114") << run.error;
  EXPECT_NE(run.error.find("ESTALE"), std::string::npos);
  EXPECT_EQ(run.out, "");
}

TEST_P(JailTree, J27SymlinkInASourceIsRefused) {
  const WorkDir work(GetParam());
  ::mkdir((work.path() + "/real").c_str(), 0755);
  ASSERT_EQ(::symlink("real", (work.path() + "/link").c_str()), 0);
  const Session run = shell(GetParam(), "echo ran", granting(work.path() + "/link", false));
  EXPECT_EQ(run.error_id, "CB4114");
  EXPECT_NE(run.error.find("ELOOP"), std::string::npos) << run.error;
}

// J26: a name that flips between a directory and a link to a secret while jails start: refused or
// the right one, never the secret.
TEST_P(JailTree, J26RaceOverASourceNeverShowsTheSecret) {
  const WorkDir work(GetParam());
  const std::string secret = work.path() + "/secret";
  const std::string name = work.path() + "/name";
  const std::string link = work.path() + "/link";
  ::mkdir(secret.c_str(), 0755);
  write_file(secret + "/what", "SECRET");
  ::mkdir(name.c_str(), 0755);
  write_file(name + "/what", "fine");
  ASSERT_EQ(::symlink(secret.c_str(), link.c_str()), 0);
  const plan::Mount approved = bind_of(name, "/grant");
  std::atomic<bool> stop{false};
  std::thread flipper([&] {
    while (!stop) {
      ::renameat2(AT_FDCWD, name.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
    }
  });
  int refused = 0;
  for (int round = 0; round < 40; ++round) {
    const Session run = run_jailed(GetParam(), {"act", "cat", "/grant/what"}, [&](plan::Plan& p) {
      p.mounts.push_back(approved);
      p.landlock.push_back({"/grant", kRead});
    });
    EXPECT_EQ(run.out.find("SECRET"), std::string::npos);
    EXPECT_TRUE(run.out == "fine" || run.error_id == "CB4114") << run.out << run.error;
    refused += run.error_id.empty() ? 0 : 1;
  }
  stop = true;
  flipper.join();
  RecordProperty("refused", refused);
}

TEST_P(JailTree, NothingIsCreatedInsideAGrant) {
  const WorkDir work(GetParam());
  const Session run = shell(GetParam(), "echo ran", [&](plan::Plan& p) {
    granting(work.path(), true)(p);
    p.mounts.push_back(bind_of("/usr/bin", "/grant/missing/bin"));
  });
  EXPECT_EQ(run.error_id, "CB4114");
  EXPECT_NE(run.error.find("EROFS"), std::string::npos) << run.error;
  EXPECT_FALSE(exists(work.path() + "/missing"));
}

// J26, CVE-2021-30465: a link inside a writable grant must not lead a later mount elsewhere.
TEST_P(JailTree, J26LinkInsideAGrantIsNoMountPoint) {
  const WorkDir work(GetParam());
  ASSERT_EQ(::symlink("/etc", (work.path() + "/.git").c_str()), 0);
  const Session run = shell(GetParam(), "echo ran", [&](plan::Plan& p) {
    granting(work.path(), true)(p);
    p.mounts.push_back(bind_of("/usr/bin", "/grant/.git"));
  });
  EXPECT_EQ(run.error_id, "CB4114");
  EXPECT_EQ(run.out, "");
}

TEST_P(JailTree, NestedReadOnlyBindInsideAWriteGrant) {
  const WorkDir work(GetParam());
  const std::string hooks = work.path() + "/hooks";
  ::mkdir(hooks.c_str(), 0755);

  struct stat owner = {};
  ::stat(work.path().c_str(), &owner);
  ASSERT_EQ(::chown(hooks.c_str(), owner.st_uid, owner.st_gid), 0);
  const Session run =
      shell(GetParam(),
            "echo x > /grant/hooks/pre-commit || echo refused; echo y > /grant/fine; "
            "mv /grant/hooks /grant/h2 || echo fixed",
            [&](plan::Plan& p) {
              granting(work.path(), true)(p);
              plan::Mount m = bind_of(hooks, "/grant/hooks", false);
              m.identity_mapped = p.as_root;
              p.mounts.push_back(m);
            });
  EXPECT_EQ(run.out, "refused\nfixed\n") << run.error;
  EXPECT_FALSE(exists(hooks + "/pre-commit"));
  EXPECT_TRUE(exists(work.path() + "/fine"));
}

TEST_P(JailTree, J30FakeDevicesAreRefused) {
  struct Fake {
    const char* source;
    const char* target;
  };

  for (const Fake fake : {Fake{"/dev/zero", "/dev/null"}, Fake{"/etc/passwd", "/dev/null"},
                          Fake{"/dev/null", "/dev/kmsg"}}) {
    const Session run = shell(GetParam(), "echo ran", [&](plan::Plan& p) {
      for (auto& m : p.mounts) {
        if (m.target == "/dev/null") {
          m = bind_of(fake.source, fake.target);
          m.is_device = true;
        }
      }
    });
    EXPECT_EQ(run.error_id, "CB4115") << fake.source << " " << run.error;
    EXPECT_EQ(run.out, "");
  }
}

TEST_P(JailTree, J31LinksInPlaceOfProcAndDevAreRefused) {
  for (const char* name : {"/proc", "/dev"}) {
    const Session run = run_jailed(GetParam(), {"facts"}, [&](plan::Plan& p) {
      p.mounts.insert(p.mounts.begin(), entry(Kind::kSymlink, name, "/tmp"));
    });
    EXPECT_EQ(run.error_id.substr(0, 4), "CB41") << name;
    EXPECT_EQ(run.out, "");
  }
}

TEST_P(JailTree, J08WorkingDirectoryMustBeInside) {
  for (const char* cwd :
       {"/proc/self/fd/0", "/proc/1/cwd", "/proc/self/cwd", "/nowhere", "/etc/passwd"}) {
    const Session run = run_jailed(GetParam(), {"facts"}, [&](plan::Plan& p) { p.cwd = cwd; });
    EXPECT_EQ(run.error_id, "CB4128") << cwd << " " << run.error;
    EXPECT_EQ(run.out, "");
  }
}

TEST_P(JailTree, MasksCoverFilesAndDirectories) {
  const WorkDir work(GetParam());
  ::mkdir((work.path() + "/private").c_str(), 0755);
  write_file(work.path() + "/private/key", "K");
  write_file(work.path() + "/token", "T");
  const Session run =
      shell(GetParam(), "cat /grant/token; ls -A /grant/private; echo x > /grant/token; echo done",
            [&](plan::Plan& p) {
              granting(work.path(), true)(p);
              p.mounts.push_back(entry(Kind::kMask, "/grant/private"));
              p.mounts.push_back(entry(Kind::kMask, "/grant/token"));
            });
  EXPECT_EQ(run.out, "done\n") << run.error;
  EXPECT_EQ(read_file(work.path() + "/token"), "T");
}

TEST_P(JailTree, SubsetOfProcHidesTheMachine) {
  const Session run =
      shell(GetParam(), "ls /proc | grep -v '^[0-9]' | tr '\\n' ' '", [](plan::Plan& p) {
        for (auto& m : p.mounts) {
          m.pid_only = m.kind == Kind::kProc;
        }
      });
  EXPECT_EQ(run.out, "self thread-self ") << run.error;
}

TEST_P(JailTree, LimitsOfTmpfsAndProcess) {
  const Session run = shell(GetParam(),
                            "head -c 20000000 /dev/zero > /tmp/big; stat -c %s /tmp/big; ulimit "
                            "-n; ulimit -u; ulimit -f; "
                            "ulimit -d",
                            [](plan::Plan& p) {
                              p.rlimits = {512U << 20U, 1U << 28U, 300, 77};
                            });
  EXPECT_EQ(run.out.substr(0, 9), "16777216\n") << run.error;
  EXPECT_NE(run.out.find("\n300\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n524288\n"), std::string::npos) << run.out;  // KiB of data
}

TEST_P(JailTree, MissingAndUnusableProgramsAreNamed) {
  const Session missing =
      run_jailed(GetParam(), {}, [](plan::Plan& p) { p.argv = {"/jail/nothing"}; });
  EXPECT_EQ(missing.error_id, "CB4132");
  EXPECT_NE(missing.error.find("/jail/nothing"), std::string::npos) << missing.error;
  const Session plain = run_jailed(GetParam(), {}, [](plan::Plan& p) { p.argv = {"/etc/passwd"}; });
  EXPECT_EQ(plain.error_id, "CB4132");
  EXPECT_NE(plain.error.find("EACCES"), std::string::npos) << plain.error;
}

// J29: a mount made on the host under a granted path after the start does not appear inside.
TEST(JailTreeRoot, J29HostMountsDoNotPropagate) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root";
  }
  const TempDir work;
  const std::string text = in_process(User::kSelf, [&](int out) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(work.path().c_str(), work.path().c_str(), nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(nullptr, work.path().c_str(), nullptr, MS_SHARED, nullptr) != 0 ||
        ::mkdir((work.path() + "/sub").c_str(), 0755) != 0) {
      ::_exit(3);
    }
    plan::Plan p = minimal_plan(probe_path(), {"act", "list-on-input", "/grant/sub"});
    granting(work.path(), true)(p);
    jail::Options options;
    options.helper_path = helper_path();
    auto j = jail::Jail::start(p, options);
    if (!j.ok() || !(*j)->await_exec().ok()) {
      ::_exit(4);
    }
    if (::mount("tmpfs", (work.path() + "/sub").c_str(), "tmpfs", 0, nullptr) != 0) {
      ::_exit(5);
    }
    write_file(work.path() + "/sub/late", "x");
    Fd in = (*j)->take_stdin();
    (void)!::write(in.get(), "go\n", 3);
    in.reset();
    const Outcome outcome = drain(**j);
    (void)!::write(out, outcome.out.data(), outcome.out.size());
    ::umount2((work.path() + "/sub").c_str(), MNT_DETACH);
  });
  EXPECT_EQ(text, "[]\n");
}

INSTANTIATE_TEST_SUITE_P(Users, JailTree, ::testing::ValuesIn(users()),
                         [](const auto& row) { return user_name(row.param); });

}  // namespace
}  // namespace calaboose::testing
