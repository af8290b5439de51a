// SPDX-License-Identifier: Apache-2.0
// The owner's path grants: what is refused, what stays protected inside them, denials.
// Place: tests/runner/plan.
#include "runner/plan/grants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runner/plan/world.h"

namespace calaboose::test {
namespace {

Result<plan::Built> build_with(World& world, std::vector<policy::PathGrant> grants,
                               std::vector<std::string> deny_read = {},
                               std::vector<std::string> deny_write = {}) {
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.paths = std::move(grants);
  policy.deny_read = std::move(deny_read);
  policy.deny_write = std::move(deny_write);
  return plan::build_plan(policy, world.facts);
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

struct RefusedCase {
  const char* name;
  const char* path;
  bool write;
  const char* id;
};

class RefusedGrant : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedGrant, NamesTheReason) {
  World world;
  world.files.directory("/run/user/1000/bus");
  world.files.file("/dev/sda");
  world.files.directory("/sys/kernel");
  world.files.directory("/home/ada/real/sub");
  world.files.link("/home/ada/alias", "real");
  world.files.fifo("/srv/fifo");
  world.files.directory("/home/ada/bin");
  world.facts.path = "/home/ada/bin:/usr/bin";
  const auto built = build_with(world, {grant(GetParam().path, GetParam().write)});
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.error().code(), Errc::kInvalidConfig);
  EXPECT_EQ(built.error().id(), GetParam().id) << built.error().render();
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedGrant,
    testing::Values(RefusedCase{"Root", "/", false, "CB2103"},
                    RefusedCase{"RootByDots", "/usr/..", false, "CB2103"},
                    RefusedCase{"Home", "/home/ada", false, "CB2103"},
                    RefusedCase{"HomeWithSlash", "/home/ada/", true, "CB2103"},
                    RefusedCase{"AboveHome", "/home", false, "CB2103"},
                    RefusedCase{"OurState", "/home/ada/.local/state/calaboose", false, "CB2103"},
                    RefusedCase{"AboveOurConfig", "/home/ada/.config", false, "CB2103"},
                    RefusedCase{"BusSocket", "/run/user/1000/bus", false, "CB2103"},
                    RefusedCase{"Disk", "/dev/sda", false, "CB2103"},
                    RefusedCase{"Sys", "/sys/kernel", false, "CB2103"},
                    RefusedCase{"Proc", "/proc", false, "CB2103"},
                    RefusedCase{"WholeEtc", "/etc", false, "CB2103"},
                    RefusedCase{"WriteUsr", "/usr/local", true, "CB2103"},
                    RefusedCase{"WritePathDirectory", "/home/ada/bin", true, "CB2103"},
                    RefusedCase{"Fifo", "/srv/fifo", false, "CB2103"},
                    RefusedCase{"Relative", "srv", false, "CB2103"},
                    RefusedCase{"Missing", "/srv/none", false, "CB2104"},
                    RefusedCase{"Link", "/home/ada/alias", false, "CB2105"},             // J27
                    RefusedCase{"LinkedParent", "/home/ada/alias/sub", true, "CB2105"},  // J27
                    RefusedCase{"MergedUsr", "/bin/dash", false, "CB2105"}),
    [](const auto& row) { return row.param.name; });

TEST(Grant, LinkErrorNamesTheRealPath) {  // J27
  World world;
  world.files.directory("/home/ada/real/sub");
  world.files.link("/home/ada/alias", "real");
  const auto built = build_with(world, {grant("/home/ada/alias/sub", true)});
  ASSERT_FALSE(built.ok());
  EXPECT_NE(built.error().hint().find("--write /home/ada/real/sub"), std::string::npos);
}

TEST(Grant, CarriesItsPositionInTheConfiguration) {
  World world;
  policy::PathGrant missing = grant("/srv/none");
  missing.origin.at = SourceRef{"config.jsonc", 12, 7, ""};
  const auto built = build_with(world, {missing});
  ASSERT_FALSE(built.ok());
  ASSERT_TRUE(built.error().at().has_value());
  EXPECT_EQ(built.error().at()->line, 12U);
}

TEST(Grant, BindsWithApprovedIdentity) {  // J26
  World world;
  world.files.directory("/srv/data");
  const auto built = build_with(world, {grant("/srv/data", true)});
  ASSERT_TRUE(built.ok()) << built.error().render();
  const plan::Mount* const mount = mount_at(*built, "/srv/data");
  ASSERT_NE(mount, nullptr);
  EXPECT_TRUE(mount->writable);
  EXPECT_EQ(mount->device, 7U);
  EXPECT_EQ(mount->inode, world.files.lstat("/srv/data")->inode);
  EXPECT_EQ(mount->origin, "command line");
}

TEST(Grant, ReadAndWriteOfOnePathIsWrite) {
  World world;
  world.files.directory("/srv/data");
  const auto built = build_with(world, {grant("/srv/data", true), grant("/srv/data")});
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(has_bind(*built, "/srv/data", true));
}

TEST(Grant, CredentialsAreGrantedOnlyWithANote) {
  World world;
  world.files.directory("/home/ada/.ssh");
  const auto built = build_with(world, {grant("/home/ada/.ssh")});
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(std::any_of(
      built->plan.notes.begin(), built->plan.notes.end(),
      [](const std::string& note) { return note.find("credentials") != std::string::npos; }));
}

TEST(WriteGrant, KeepsAutoExecutedNamesReadOnly) {  // J38
  World world;
  world.files.file("/srv/p/.git/hooks/pre-commit");
  world.files.file("/srv/p/.git/config");
  world.files.file("/srv/p/.git/index");
  world.files.file("/srv/p/.envrc");
  world.files.file("/srv/p/package.json");
  world.files.file("/srv/p/sub/.vscode/tasks.json");
  world.files.file("/srv/p/sub/deep/.envrc");
  const auto built = build_with(world, {grant("/srv/p", true)});
  ASSERT_TRUE(built.ok()) << built.error().render();
  for (const char* path : {"/srv/p/.git/hooks", "/srv/p/.git/config", "/srv/p/.envrc",
                           "/srv/p/package.json", "/srv/p/sub/.vscode"}) {
    EXPECT_TRUE(has_bind(*built, path)) << path;
  }
  EXPECT_EQ(mount_at(*built, "/srv/p/sub/deep/.envrc"), nullptr)
      << "the search stops at direct children";
  EXPECT_TRUE(contains(built->unprotected, "/srv/p/.bashrc"));
  EXPECT_FALSE(contains(built->unprotected, "/srv/p/.envrc"));
}

TEST(WriteGrant, DirectoriesDownToAProtectedNameCannotBeRenamedAway) {  // J38: mv of a parent
  World world;
  world.files.file("/srv/p/.git/hooks/pre-commit");
  world.files.file("/srv/p/sub/.git/config");
  const auto built = build_with(world, {grant("/srv/p", true)});
  ASSERT_TRUE(built.ok());
  for (const char* path : {"/srv/p/.git", "/srv/p/sub", "/srv/p/sub/.git"}) {
    const plan::Mount* const mount = mount_at(*built, path);
    ASSERT_NE(mount, nullptr) << path;
    EXPECT_EQ(mount->source, path);
    EXPECT_TRUE(mount->writable) << path;
  }
}

TEST(WriteGrant, ProtectsPathDirectoriesAndTheServersOwnConfiguration) {  // J38, CVE-2024-1724
  World world;
  world.files.program("/srv/p/tools/bin/x");
  world.files.file("/srv/p/team/mcp.json", "{}");
  world.facts.path = "/srv/p/tools/bin:/usr/bin";
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.paths = {grant("/srv/p", true)};
  policy.scope = "/srv/p/team/mcp.json";
  const auto built = plan::build_plan(policy, world.facts);
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(has_bind(*built, "/srv/p/tools/bin"));
  EXPECT_TRUE(has_bind(*built, "/srv/p/tools", true));
  EXPECT_TRUE(has_bind(*built, "/srv/p/team/mcp.json"));
}

TEST(WriteGrant, CostStaysFlat) {  // J38: a start costs the same in a large tree
  World world;
  for (int i = 0; i < 600; ++i) {
    world.files.file("/srv/p/d" + std::to_string(i) + "/package.json", "{}");
  }
  world.files.file("/srv/p/zz-not-listed/.envrc");
  world.files.file("/srv/p/.envrc");
  const auto built = build_with(world, {grant("/srv/p", true)});
  ASSERT_TRUE(built.ok());
  EXPECT_LT(built->plan.mounts.size(), 500U);
  EXPECT_TRUE(has_bind(*built, "/srv/p/.envrc")) << "the root's own names are asked for one by one";
  EXPECT_TRUE(
      std::any_of(built->plan.notes.begin(), built->plan.notes.end(), [](const std::string& note) {
        return note.find("more directories than are searched") != std::string::npos;
      }));
}

TEST(WriteGrant, LinkInThePlaceOfAProtectedNameIsReported) {
  World world;
  world.files.directory("/srv/p/hooks");
  world.files.directory("/srv/p/.git");
  world.files.link("/srv/p/.git/hooks", "../hooks");
  const auto built = build_with(world, {grant("/srv/p", true)});
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(contains(built->unprotected, "/srv/p/.git/hooks"));
}

TEST(ReadGrant, NeedsNoProtection) {
  World world;
  world.files.file("/srv/p/.git/hooks/pre-commit");
  const auto built = build_with(world, {grant("/srv/p")});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(mount_at(*built, "/srv/p/.git/hooks"), nullptr);
  EXPECT_TRUE(built->unprotected.empty());
}

TEST(Deny, ReadMasksInsideAGrant) {
  World world;
  world.files.file("/srv/p/.env");
  world.files.directory("/srv/p/private");
  const auto built =
      build_with(world, {grant("/srv/p", true)}, {"/srv/p/.env", "/srv/p/private", "/srv/p/none"});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(mount_at(*built, "/srv/p/.env")->kind, plan::Mount::Kind::kMask);
  EXPECT_EQ(mount_at(*built, "/srv/p/private")->kind, plan::Mount::Kind::kMask);
  EXPECT_EQ(mount_at(*built, "/srv/p/none"), nullptr);
}

TEST(Deny, ReadAboveAGrantTakesItAway) {
  World world;
  world.files.directory("/srv/p/data");
  const auto built = build_with(world, {grant("/srv/p/data", true)}, {"/srv/p"});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(mount_at(*built, "/srv/p/data"), nullptr);
}

TEST(Deny, ReadHidesAGrantInsideAnother) {
  World world;
  world.files.directory("/srv/p/data/deep");
  const auto built =
      build_with(world, {grant("/srv/p"), grant("/srv/p/data/deep", true)}, {"/srv/p/data"});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(mount_at(*built, "/srv/p/data")->kind, plan::Mount::Kind::kMask);
  EXPECT_EQ(mount_at(*built, "/srv/p/data/deep"), nullptr);
}

TEST(Deny, ReadThroughALinkHidesWhatItLeadsTo) {
  World world;
  world.files.file("/srv/p/real.key");
  world.files.link("/srv/p/key", "real.key");
  const auto built = build_with(world, {grant("/srv/p")}, {"/srv/p/key"});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(mount_at(*built, "/srv/p/real.key")->kind, plan::Mount::Kind::kMask);
}

TEST(Deny, WriteMakesReadOnlyWithItsParentsPinned) {
  World world;
  world.files.directory("/srv/p/a/b");
  const auto built = build_with(world, {grant("/srv/p", true)}, {}, {"/srv/p/a/b"});
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(has_bind(*built, "/srv/p/a/b"));
  EXPECT_TRUE(has_bind(*built, "/srv/p/a", true));
}

TEST(Deny, WriteOfAWholeGrantMakesItReadOnly) {
  World world;
  world.files.directory("/srv/p/data");
  const auto built = build_with(world, {grant("/srv/p/data", true)}, {}, {"/srv/p"});
  ASSERT_TRUE(built.ok());
  EXPECT_TRUE(has_bind(*built, "/srv/p/data"));
}

}  // namespace
}  // namespace calaboose::test
