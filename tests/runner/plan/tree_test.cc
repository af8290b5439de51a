// SPDX-License-Identifier: Apache-2.0
// The whole tree of a jail, the strict profile, identity, limits, and where the server starts.
// Place: tests/runner/plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runner/plan/elf.h"
#include "runner/plan/paths.h"
#include "runner/plan/resolve.h"
#include "tests/runner/plan/world.h"

namespace calaboose::test {
namespace {

/// A small ELF file: 64-bit, an interpreter, one needed library, one run path.
std::string elf_program(const std::string& interpreter, const std::string& run_path) {
  std::string out(0x400, '\0');
  const auto put = [&](std::size_t at, std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
      out[at + i] = static_cast<char>((value >> (8U * i)) & 0xffU);
    }
  };
  const auto segment = [&](std::size_t index, std::uint64_t type, std::uint64_t offset,
                           std::uint64_t size) {
    const std::size_t at = 64 + index * 56;
    put(at, type, 4);
    put(at + 8, offset, 8);
    put(at + 16, offset + 0x10000, 8);
    put(at + 32, size, 8);
  };
  out.replace(0, 6,
              "\x7f"
              "ELF\x02\x01");
  put(32, 64, 8);
  put(54, 56, 2);
  put(56, 3, 2);
  segment(0, 1, 0, out.size());
  segment(1, 3, 0x200, interpreter.size() + 1);
  segment(2, 2, 0x280, 64);
  out.replace(0x200, interpreter.size(), interpreter);
  put(0x280, 1, 8);
  put(0x288, 1, 8);
  put(0x290, 29, 8);
  put(0x298, 16, 8);
  put(0x2a0, 5, 8);
  put(0x2a8, 0x10300, 8);
  out.replace(0x301, 9, "libdep.so");
  out.replace(0x310, run_path.size(), run_path);
  return out;
}

TEST(Elf, ReadsInterpreterNeededAndRunPath) {
  const auto elf = plan::parse_elf(elf_program("/lib64/ld.so", "$ORIGIN/../lib:/opt/x"));
  ASSERT_TRUE(elf.has_value());
  EXPECT_EQ(elf->interpreter, "/lib64/ld.so");
  EXPECT_EQ(elf->needed, std::vector<std::string>{"libdep.so"});
  EXPECT_EQ(elf->run_path, (std::vector<std::string>{"$ORIGIN/../lib", "/opt/x"}));
}

TEST(Elf, DamagedFilesNeverReadOutside) {
  const std::string good = elf_program("/lib64/ld.so", "/opt/x");
  for (std::size_t size = 0; size < good.size(); size += 7) {
    plan::parse_elf(std::string_view(good).substr(0, size));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = '\xff';
    plan::parse_elf(bad);
  }
  EXPECT_FALSE(plan::parse_elf("#!/bin/sh").has_value());
}

TEST(Paths, NormaliseAndContain) {
  EXPECT_EQ(plan::normalise("//a/./b/../c/"), "/a/c");
  EXPECT_EQ(plan::normalise("/../.."), "/");
  EXPECT_TRUE(plan::is_inside("/a/b", "/a"));
  EXPECT_TRUE(plan::is_inside("/a", "/a"));
  EXPECT_FALSE(plan::is_inside("/ab", "/a"));
  EXPECT_TRUE(plan::is_inside("/anything", "/"));
  EXPECT_TRUE(plan::path_less("/a/z", "/a-b"));
  EXPECT_FALSE(plan::path_less("/a-b", "/a/z"));
}

TEST(Resolve, RemembersEachLinkAndWalksDotDotBehindIt) {
  MemoryFiles files;
  files.file("/real/dir/file");
  files.file("/real/other");
  files.link("/short", "/real/dir");
  const auto found = plan::resolve(files, "/short/../other");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->real, "/real/other");
  ASSERT_EQ(found->links.size(), 1U);
  EXPECT_EQ(found->links[0].at, "/short");
  files.link("/loop", "/loop");
  EXPECT_FALSE(plan::resolve(files, "/loop").has_value());
  EXPECT_FALSE(plan::resolve(files, "/real/other/x").has_value());
}

TEST(StrictProfile, ShowsTheProgramItsLoaderAndLibrariesOnly) {
  World world;
  world.files.program("/srv/tool/bin/server",
                      elf_program("/lib64/ld-linux-x86-64.so.2", "$ORIGIN/../lib:/home/ada"));
  world.files.file("/srv/tool/lib/libdep.so");
  world.files.file("/srv/tool/private.key");
  const plan::Built built = build(policy_for({"/srv/tool/bin/server", "--x"}), world);
  EXPECT_EQ(built.profile, "strict");
  const std::vector<std::string> expected = {
      "/etc/ld.so.cache",          built.home,
      "/srv/tool/bin/server",      "/srv/tool/lib",
      "/usr/lib/x86_64-linux-gnu", "/usr/share/zoneinfo/Etc/UTC"};
  EXPECT_EQ(host_paths(built), expected);
  EXPECT_TRUE(mount_at(built, "/proc")->pid_only);
  EXPECT_FALSE(mount_at(built, "/tmp")->executable);
  EXPECT_FALSE(mount_at(built, "/home/mcp")->executable);
}

TEST(StrictProfile, ProgramCannotChooseWhatElseIsVisible) {  // I12
  World world;
  world.files.directory("/home/ada/documents");
  world.files.program("/home/ada/documents/ld.so");
  world.files.program("/srv/evil/bin/x",
                      elf_program("/home/ada/documents/ld.so", "/home/ada/documents"));
  world.files.program("/srv/evil/bin/y",
                      elf_program("/lib64/ld-linux-x86-64.so.2", "/home/ada/documents:/home:/"));
  for (const char* program : {"/srv/evil/bin/x", "/srv/evil/bin/y"}) {
    const plan::Built built = build(policy_for({program}), world);
    for (const std::string& path : host_paths(built)) {
      EXPECT_TRUE(path == built.home || !plan::is_inside(path, "/home")) << path;
    }
    EXPECT_TRUE(mentions(built.plan.notes, "/home/ada/documents"));
  }
}

TEST(StrictProfile, LinkedProgramKeepsItsName) {  // busybox and its kind look at argv[0]
  World world;
  const plan::Built built = build(policy_for({"sh", "-c", "true"}), world);
  EXPECT_EQ(built.plan.argv[0], "/usr/bin/sh");
  EXPECT_EQ(link_at(built, "/usr/bin/sh"), "dash");
  EXPECT_TRUE(has_bind(built, "/usr/bin/dash"));
}

TEST(Skeleton, HasNoHostSecretsAndNoOtherPlaces) {  // J34, J54
  World world;
  world.files.directory("/run/user/1000");
  world.files.directory("/sys/kernel");
  const plan::Built built = build(policy_for({"node", "-e", "1"}), world);
  for (const plan::Mount& mount : built.plan.mounts) {
    EXPECT_FALSE(plan::is_inside(mount.target, "/run") || plan::is_inside(mount.target, "/sys"))
        << mount.target;
    EXPECT_FALSE(mount.reason.empty()) << mount.target;
    EXPECT_FALSE(mount.origin.empty()) << mount.target;
    EXPECT_EQ(plan::normalise(mount.target), mount.target);
    EXPECT_EQ(mount.mode & ~07777U, 0U) << mount.target;
  }
  EXPECT_EQ(mount_at(built, "/etc/passwd")->kind, plan::Mount::Kind::kFile);
  EXPECT_EQ(mount_at(built, "/etc/passwd")->data.find("ada"), std::string::npos);
  EXPECT_EQ(mount_at(built, "/etc/hosts")->kind, plan::Mount::Kind::kFile);
  EXPECT_FALSE(mount_at(built, "/proc")->pid_only);
  EXPECT_EQ(mount_at(built, "/tmp")->size_bytes, 256ULL << 20U);
}

TEST(Skeleton, EveryMountComesAfterWhatItLiesIn) {
  World world;
  world.files.file("/tmp/p/package.json", R"({"name":"p"})");
  world.files.file("/tmp/p/index.js");
  policy::ServerPolicy policy = policy_for({"node", "/tmp/p/index.js"});
  world.files.directory("/tmp/p/data/deep");
  policy.paths = {grant("/tmp/p/data", true), grant("/tmp/p/data/deep")};
  const plan::Built built = build(policy, world);
  std::vector<std::string> seen;
  for (const plan::Mount& mount : built.plan.mounts) {
    for (const std::string& earlier : seen) {
      EXPECT_FALSE(earlier != mount.target && plan::is_inside(earlier, mount.target))
          << mount.target << " would cover " << earlier;
    }
    seen.push_back(mount.target);
  }
  EXPECT_TRUE(has_bind(built, "/tmp/p/data", true));
  EXPECT_TRUE(has_bind(built, "/tmp/p/data/deep"));
}

TEST(Skeleton, LandlockMatchesTheMounts) {
  World world;
  world.files.directory("/srv/data");
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.paths = {grant("/srv/data", true)};
  const plan::Built built = build(policy, world);
  std::set<std::string> ruled;
  for (const plan::LandlockRule& rule : built.plan.landlock) {
    EXPECT_TRUE(ruled.insert(rule.path).second) << rule.path << " twice";
    const plan::Mount* const mount = mount_at(built, rule.path);
    if (mount != nullptr && mount->kind == plan::Mount::Kind::kBind) {
      EXPECT_EQ((rule.access & plan::kWriteFile) != 0, mount->writable) << rule.path;
      EXPECT_EQ((rule.access & plan::kExecute) != 0, mount->executable) << rule.path;
    }
  }
  for (const char* path :
       {"/", "/etc", "/proc", "/tmp", "/dev/null", "/dev/shm", "/usr", "/home/mcp", "/srv/data"}) {
    EXPECT_EQ(ruled.count(path), 1U) << path;
  }
}

TEST(WorkingDirectory, GrantedOnesStayOthersBecomeTheHome) {
  World world;
  world.files.directory("/srv/data/sub");
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.cwd = {"/srv/data/sub", kCommandLine};
  plan::Built built = build(policy, world);
  EXPECT_EQ(built.plan.cwd, "/home/mcp");
  EXPECT_TRUE(mentions(built.plan.notes, "--read /srv/data/sub"));
  policy.paths = {grant("/srv/data")};
  built = build(policy, world);
  EXPECT_EQ(built.plan.cwd, "/srv/data/sub");
}

TEST(WorkingDirectory, StrangeOnesAreRefused) {  // J08
  World world;
  world.files.directory("/proc/self/fd/7");
  world.files.file("/srv/file");
  for (const char* cwd : {"/proc/self/fd/7", "/srv/none", "/srv/file"}) {
    policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
    policy.cwd = {cwd, kCommandLine};
    const auto built = plan::build_plan(policy, world.facts);
    ASSERT_FALSE(built.ok()) << cwd;
    EXPECT_EQ(built.error().code(), Errc::kInvalidConfig);
  }
}

TEST(Proposals, OtherPathsAreOnlyProposed) {
  World world;
  world.files.file("/home/ada/fs/package.json", R"({"name":"fs"})");
  world.files.file("/home/ada/fs/index.js");
  world.files.directory("/home/ada/docs");
  world.files.file("/etc/app.conf");
  const plan::Built built =
      build(policy_for({"node", "/home/ada/fs/index.js", "docs/", "--config=/etc/app.conf",
                        "/home/ada", "/run/x", "no/such", "--flag", ""}),
            world);
  EXPECT_EQ(built.proposals,
            (std::vector<std::string>{"--read /home/ada/docs or --write /home/ada/docs",
                                      "--read /etc/app.conf"}));
  EXPECT_EQ(mount_at(built, "/home/ada/docs"), nullptr);
}

TEST(IdentityOf, DependsOnScopeNameAndPackageOnly) {
  World world;
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.name = "tickets";
  const std::string sid = build(policy, world).identity.sid;
  EXPECT_EQ(sid.size(), 64U);
  policy.args = {"-e", "2"};
  EXPECT_EQ(build(policy, world).identity.sid, sid);
  policy.scope = "/home/ada/proj/mcp.json";
  const std::string other = build(policy, world).identity.sid;
  EXPECT_NE(other, sid);
  policy.scope = "/home/ada/proj/mcp.jsontickets";
  policy.name = "";
  EXPECT_NE(build(policy, world).identity.sid, other);
}

TEST(IdentityOf, RootUsesAFreeOuterId) {  // J25
  World world;
  world.facts.uid = 0;
  world.facts.gid = 0;
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  plan::Built built = build(policy, world);
  const std::uint32_t first = built.plan.outer_uid;
  EXPECT_TRUE(built.plan.as_root);
  EXPECT_GE(first, 64000U);
  EXPECT_LT(first, 65000U);
  EXPECT_TRUE(mount_at(built, "/home/mcp")->identity_mapped);
  EXPECT_FALSE(mount_at(built, "/usr")->identity_mapped);
  world.files.file("/etc/passwd", "x:x:" + std::to_string(first) + ":1::/:/bin/sh\n");
  EXPECT_NE(build(policy, world).plan.outer_uid, first);
}

TEST(PinHome, TakesTheIdentityOfTheMadeDirectory) {
  World world;
  plan::Built built = build(policy_for({"node", "-e", "1"}), world);
  EXPECT_FALSE(plan::pin_home(built, world.facts).ok());
  EXPECT_EQ(mount_at(built, "/home/mcp")->inode, 0U);
  world.files.directory(built.home);
  EXPECT_FALSE(plan::pin_home(built, world.facts).ok()) << "mode 0755 is not private";
}

TEST(PlantedCode, InTheHomeIsHiddenOrStopsTheStart) {  // J63
  World world;
  const std::string home = build(policy_for({"node", "-e", "1"}), world).home;
  world.files.file(home + "/.node_modules/dep/index.js", "evil");
  EXPECT_EQ(
      mount_at(build(policy_for({"node", "-e", "1"}), world), "/home/mcp/.node_modules")->kind,
      plan::Mount::Kind::kMask);
  world.files.link(home + "/.node_libraries", "elsewhere");
  const auto built = plan::build_plan(policy_for({"node", "-e", "1"}), world.facts);
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().code(), Errc::kDenied);
}

TEST(Unsupported, HostsAreRefusedNotIgnored) {
  World world;
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.allowed_hosts = {{"api.example", kCommandLine}};
  const auto built = plan::build_plan(policy, world.facts);
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().code(), Errc::kUsage);
  EXPECT_EQ(built.error().id(), "CB2108");
}

TEST(Limits, PolicyOverridesProfile) {
  World world;
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.limits.memory_bytes = {1U << 30U, kCommandLine};
  policy.limits.tmp_bytes = {1U << 20U, kCommandLine};
  const plan::Built built = build(policy, world);
  EXPECT_EQ(built.plan.rlimits.data_bytes, 1ULL << 30U);
  EXPECT_EQ(built.plan.rlimits.tasks, 512U);
  EXPECT_EQ(mount_at(built, "/tmp")->size_bytes, 1ULL << 20U);
}

TEST(Plans, CanBeEncoded) {
  World world;
  world.files.file("/home/ada/proj/package.json", R"({"name":"proj"})");
  world.files.file("/home/ada/proj/index.js");
  const plan::Built built = build(policy_for({"node", "/home/ada/proj/index.js"}), world);
  const auto decoded = plan::decode(plan::encode(built.plan));
  ASSERT_TRUE(decoded.ok()) << decoded.error().render();
  EXPECT_EQ(decoded->argv, built.plan.argv);
  EXPECT_EQ(decoded->mounts.size(), built.plan.mounts.size());
}

}  // namespace
}  // namespace calaboose::test
