// SPDX-License-Identifier: Apache-2.0
// The plan's wire form: what goes in comes out, and both readers refuse the same things.
// Place: tests/runner/jail.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "runner/plan/plan.h"
#include "runner/plan/seccomp/program.h"
#include "runner/plan/wire_view.h"

namespace calaboose::plan {
namespace {

Plan sample() {
  Plan p;
  p.server = "tickets";
  p.hostname = "jail-1.example";
  p.argv = {"/usr/bin/node", "server.js", "", "--x=\xC3\xA4"};
  p.env = {"HOME=/home/jail", "EMPTY=", "A=b=c"};
  p.cwd = "/home/jail";
  p.outer_uid = 64'000;
  p.outer_gid = 64'001;
  p.as_root = true;
  p.seccomp = std::string(seccomp_program(SeccompVariant::kErrno));
  p.seccomp_notify = false;
  p.rlimits = {1, 2, 3, 4};
  Mount bind;
  bind.kind = Mount::Kind::kBind;
  bind.target = "/usr";
  bind.source = "/opt/usr";
  bind.device = 0x1122334455667788;
  bind.inode = 0xFFFFFFFFFFFFFFFF;
  bind.identity_mapped = true;
  bind.ours = true;
  bind.executable = false;
  Mount file;
  file.kind = Mount::Kind::kFile;
  file.target = "/etc/passwd";
  file.data = std::string("a\0b", 3);
  file.mode = 0444;
  Mount tmpfs;
  tmpfs.kind = Mount::Kind::kTmpfs;
  tmpfs.target = "/tmp";
  tmpfs.size_bytes = 1U << 20U;
  tmpfs.inodes = 7;
  tmpfs.mode = 01777;
  tmpfs.writable = true;
  Mount proc;
  proc.kind = Mount::Kind::kProc;
  proc.target = "/proc";
  proc.pid_only = true;
  Mount link;
  link.kind = Mount::Kind::kSymlink;
  link.target = "/bin";
  link.data = "usr/bin";
  p.mounts = {bind, file, tmpfs, proc, link};
  p.landlock = {{"/", kReadDir}, {"/usr", kReadFile | kExecute}};
  return p;
}

const char* view_error(const std::string& bytes) {
  auto view = std::make_unique<wire::PlanView>();
  return wire::read_plan(bytes.data(), bytes.size(), *view);
}

TEST(PlanWire, ComesBackAsItWas) {
  const Plan p = sample();
  const std::string bytes = encode(p);
  auto back = decode(bytes);
  ASSERT_TRUE(back.ok()) << back.error().render();
  EXPECT_EQ(encode(*back), bytes);
  EXPECT_EQ(back->argv, p.argv);
  EXPECT_EQ(back->env, p.env);
  EXPECT_EQ(back->hostname, p.hostname);
  EXPECT_EQ(back->outer_uid, p.outer_uid);
  EXPECT_EQ(back->as_root, true);
  EXPECT_EQ(back->seccomp_notify, false);
  EXPECT_EQ(back->rlimits.tasks, 4U);
  ASSERT_EQ(back->mounts.size(), p.mounts.size());
  EXPECT_EQ(back->mounts[0].device, p.mounts[0].device);
  EXPECT_EQ(back->mounts[0].inode, p.mounts[0].inode);
  EXPECT_TRUE(back->mounts[0].identity_mapped && back->mounts[0].ours &&
              !back->mounts[0].executable);
  EXPECT_EQ(back->mounts[1].data, p.mounts[1].data);
  EXPECT_EQ(back->mounts[2].mode, 01777U);
  EXPECT_TRUE(back->mounts[3].pid_only);
  EXPECT_EQ(back->landlock[1].access, kReadFile | kExecute);
}

TEST(PlanWire, TheHelpersReaderSeesTheSame) {
  const Plan p = sample();
  const std::string bytes = encode(p);
  auto view = std::make_unique<wire::PlanView>();
  ASSERT_EQ(wire::read_plan(bytes.data(), bytes.size(), *view), nullptr);
  EXPECT_EQ(view->argument_count, p.argv.size());
  EXPECT_EQ(view->arguments[3], p.argv[3]);
  EXPECT_EQ(view->arguments[4], nullptr);
  EXPECT_EQ(view->environment[3], nullptr);
  EXPECT_EQ(view->mounts[0].source, p.mounts[0].source);
  EXPECT_EQ(view->mounts[1].data_size, 3U);
  EXPECT_EQ(std::string(view->seccomp, view->seccomp_size), p.seccomp);
  EXPECT_EQ(view->flags, wire::kFlagRoot);
}

struct BadPlan {
  const char* name;
  std::function<void(Plan&)> spoil;
  const char* field;  // in the message of decode
};

class PlanWireBad : public ::testing::TestWithParam<BadPlan> {};

TEST_P(PlanWireBad, IsRefusedByBothReaders) {
  Plan p = sample();
  GetParam().spoil(p);
  const std::string bytes = encode(p);
  const auto back = decode(bytes);
  ASSERT_FALSE(back.ok());
  EXPECT_EQ(back.error().code(), Errc::kInvalidInput);
  EXPECT_NE(back.error().what().find(GetParam().field), std::string::npos) << back.error().what();
  EXPECT_NE(view_error(bytes), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Plans, PlanWireBad,
    ::testing::Values(
        BadPlan{"RootOutside", [](Plan& p) { p.outer_uid = 0; }, "outer uid"},
        BadPlan{"NoUid", [](Plan& p) { p.outer_uid = ~0U; }, "outer uid"},
        BadPlan{"RootsGroup", [](Plan& p) { p.outer_gid = 0; }, "outer gid"},
        BadPlan{"NoArguments", [](Plan& p) { p.argv.clear(); }, "argv"},
        BadPlan{"RelativeProgram", [](Plan& p) { p.argv[0] = "node"; }, "argv"},
        BadPlan{"ManyArguments", [](Plan& p) { p.argv.resize(4097); }, "argv"},
        BadPlan{"LongArgument", [](Plan& p) { p.argv[1].assign(131'072, 'a'); }, "argv"},
        BadPlan{"NulInArgument", [](Plan& p) { p.argv[1] = std::string("a\0b", 3); }, "argv"},
        BadPlan{"NamelessVariable", [](Plan& p) { p.env[0] = "=x"; }, "env"},
        BadPlan{"VariableWithoutValue", [](Plan& p) { p.env[0] = "HOME"; }, "env"},
        BadPlan{"RelativeCwd", [](Plan& p) { p.cwd = "home"; }, "cwd"},
        BadPlan{"DotDotCwd", [](Plan& p) { p.cwd = "/home/../etc"; }, "cwd"},
        BadPlan{"TrailingSlash", [](Plan& p) { p.mounts[0].target = "/usr/"; }, "mounts.target"},
        BadPlan{"DoubleSlash", [](Plan& p) { p.mounts[0].target = "/usr//lib"; }, "mounts.target"},
        BadPlan{"RootAsTarget", [](Plan& p) { p.mounts[0].target = "/"; }, "mounts.target"},
        BadPlan{"DotDotTarget", [](Plan& p) { p.mounts[0].target = "/usr/../etc"; },
                "mounts.target"},
        BadPlan{"LongPart", [](Plan& p) { p.mounts[0].target = "/" + std::string(256, 'a'); },
                "mounts.target"},
        BadPlan{"RelativeSource", [](Plan& p) { p.mounts[0].source = "usr"; }, "mounts.source"},
        BadPlan{"SourceOfFile", [](Plan& p) { p.mounts[1].source = "/etc/passwd"; },
                "mounts.source"},
        BadPlan{"DeviceTmpfs", [](Plan& p) { p.mounts[2].is_device = true; }, "mounts.flags"},
        BadPlan{"EndlessTmpfs", [](Plan& p) { p.mounts[2].size_bytes = 0; }, "mounts.size"},
        BadPlan{"EndlessInodes", [](Plan& p) { p.mounts[2].inodes = 0; }, "mounts.size"},
        BadPlan{"EmptyLink", [](Plan& p) { p.mounts[4].data.clear(); }, "mounts.data"},
        BadPlan{"NulInLink", [](Plan& p) { p.mounts[4].data = std::string("a\0b", 3); },
                "mounts.data"},
        BadPlan{"BigFile", [](Plan& p) { p.mounts[1].data.assign(65'537, 'a'); }, "mounts.data"},
        BadPlan{"BadMode", [](Plan& p) { p.mounts[1].mode = 010000; }, "mounts.mode"},
        BadPlan{"ManyMounts", [](Plan& p) { p.mounts.resize(1025, p.mounts[0]); }, "mounts"},
        BadPlan{"NoAccess", [](Plan& p) { p.landlock[0].access = 0; }, "landlock"},
        BadPlan{"UnknownAccess", [](Plan& p) { p.landlock[0].access = 1U << 6U; }, "landlock"},
        BadPlan{"RelativeRule", [](Plan& p) { p.landlock[0].path = "usr"; }, "landlock"},
        BadPlan{"NoProgram", [](Plan& p) { p.seccomp.clear(); }, "seccomp"},
        BadPlan{"HalfInstruction", [](Plan& p) { p.seccomp.pop_back(); }, "seccomp"},
        BadPlan{"BadHostname", [](Plan& p) { p.hostname = "a b"; }, "hostname"},
        BadPlan{"NoHostname", [](Plan& p) { p.hostname.clear(); }, "hostname"},
        BadPlan{"LongServer", [](Plan& p) { p.server.assign(257, 's'); }, "server"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(PlanWire, EveryCutIsRefusedByBoth) {
  const std::string bytes = encode(sample());
  for (std::size_t size = 0; size < bytes.size(); size += size < 600 ? 1 : 97) {
    const std::string cut = bytes.substr(0, size);
    EXPECT_FALSE(decode(cut).ok()) << size;
    EXPECT_NE(view_error(cut), nullptr) << size;
  }
  EXPECT_FALSE(decode(bytes + '\0').ok());
  EXPECT_NE(view_error(bytes + '\0'), nullptr);
}

TEST(PlanWire, EveryFlippedBitIsJudgedAlike) {
  std::string bytes = encode(sample());
  const std::size_t head = bytes.size() - sample().seccomp.size();
  for (std::size_t at = 0; at < head; ++at) {
    for (unsigned b = 0; b < 8; ++b) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << b));
      EXPECT_EQ(decode(bytes).ok(), view_error(bytes) == nullptr) << at << "." << b;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << b));
    }
  }
}

}  // namespace
}  // namespace calaboose::plan
