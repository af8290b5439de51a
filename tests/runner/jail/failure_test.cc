// SPDX-License-Identifier: Apache-2.0
// Failed steps and refused calls as words for people.
// Place: tests/runner/jail.
#include "runner/jail/failure.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

#include "runner/jail/jail.h"
#include "runner/jail/notify.h"

namespace calaboose::jail {
namespace {

plan::Plan sample() {
  plan::Plan p;
  p.argv = {"/usr/bin/node"};
  p.cwd = "/home/jail";
  plan::Mount m;
  m.kind = plan::Mount::Kind::kBind;
  m.source = "/home/u/\x1b[31mred";
  m.target = "/work";
  p.mounts = {m};
  p.landlock = {{"/usr", plan::kReadFile}};
  return p;
}

struct Case {
  Failure failure;
  Errc code;
  const char* id;
  const char* what;  // part of the text
  const char* hint;  // part of the hint
};

TEST(JailFailure, NamesStepErrnoCauseAndRemedy) {
  const Case cases[] = {
      {{Step::kNamespaces, ENOSPC, kNoIndex},
       Errc::kCannotEnforce,
       "CB4104",
       "ENOSPC",
       "user.max_user_namespaces"},
      {{Step::kNamespaces, EPERM, kNoIndex},
       Errc::kCannotEnforce,
       "CB4104",
       "namespaces",
       "AppArmor"},
      {{Step::kNamespaces, EINVAL, kNoIndex},
       Errc::kCannotEnforce,
       "CB4104",
       "EINVAL",
       "kernel lacks"},
      {{Step::kIdMaps, EPERM, kNoIndex},
       Errc::kCannotEnforce,
       "CB4105",
       "user and group map",
       "unprivileged_userns_clone"},
      {{Step::kProc, EPERM, 0}, Errc::kCannotEnforce, "CB4117", "/proc", "masked"},
      {{Step::kBind, ESTALE, 0},
       Errc::kCannotEnforce,
       "CB4114",
       "/work from /home/u/\\x1b[31mred",
       "approved"},
      {{Step::kBind, ELOOP, 0}, Errc::kCannotEnforce, "CB4114", "/work", "symbolic link"},
      {{Step::kBind, EROFS, 0},
       Errc::kCannotEnforce,
       "CB4114",
       "/work",
       "creates nothing on the host"},
      {{Step::kLandlock, EOPNOTSUPP, kNoIndex}, Errc::kCannotEnforce, "CB4129", "Landlock", "lsm="},
      {{Step::kLandlock, ENOENT, 0}, Errc::kCannotEnforce, "CB4129", "(/usr)", "does not exist"},
      {{Step::kWorkingDirectory, ENOENT, kNoIndex},
       Errc::kCannotEnforce,
       "CB4128",
       "/home/jail",
       "granted"},
      {{Step::kExecve, ENOENT, kNoIndex},
       Errc::kCommandNotFound,
       "CB4132",
       "/usr/bin/node",
       "interpreter"},
      {{Step::kExecve, EACCES, kNoIndex},
       Errc::kCommandNotFound,
       "CB4132",
       "EACCES",
       "not executable"},
      {{Step::kExecve, ENOEXEC, kNoIndex}, Errc::kPeer, "CB4132", "ENOEXEC", "#!"},
  };
  for (const auto& c : cases) {
    const Error error = describe_failure(c.failure, sample());
    EXPECT_EQ(error.code(), c.code) << error.render();
    EXPECT_EQ(error.id(), c.id) << error.render();
    EXPECT_NE(error.what().find(c.what), std::string::npos) << error.render();
    EXPECT_NE(error.hint().find(c.hint), std::string::npos) << error.render();
  }
}

TEST(JailFailure, EveryStepHasANameAndAHint) {
  for (std::uint32_t step = 1; step <= kLastStep; ++step) {
    EXPECT_NE(step_name(Step{step}), "an unknown step") << step;
    const Error error = describe_failure({Step{step}, EIO, kNoIndex}, sample());
    EXPECT_TRUE(!error.hint().empty() || Step{step} == Step::kExecve) << step;
  }
}

TEST(JailDenial, SaysWhatWasTried) {
  EXPECT_EQ(denial_in_plain_words("ptrace", 0), "tried to trace another process (ptrace): denied");
  EXPECT_EQ(denial_in_plain_words("ioctl", 0x5412),
            "tried to type into or take over a terminal (ioctl TIOCSTI): denied");
  EXPECT_EQ(denial_in_plain_words("ioctl", (1ULL << 32U) | 0x5412),
            "tried to type into or take over a terminal (ioctl TIOCSTI): denied");
  EXPECT_EQ(denial_in_plain_words("number 999", 0), "tried the system call number 999: denied");
}

// J64
TEST(JailDenial, ThousandASecondIsTheMost) {
  RateGate gate;
  const TimePoint start{std::chrono::hours(1)};
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(gate.over(start + std::chrono::microseconds(i))) << i;
  }
  EXPECT_TRUE(gate.over(start + std::chrono::milliseconds(999)));
  EXPECT_FALSE(gate.over(start + std::chrono::milliseconds(1000))) << "the next window";
}

TEST(JailExit, InWords) {
  EXPECT_EQ((Exit{false, 3}).to_string(), "exited with status 3");
  EXPECT_EQ((Exit{true, SIGKILL}).to_string(), "was killed by SIGKILL");
}

}  // namespace
}  // namespace calaboose::jail
