// SPDX-License-Identifier: Apache-2.0
// Command lines to programs: PATH, `#!` lines, shims, package runners, and which word is the
// script. Place: tests/runner/plan.
#include "runner/plan/command.h"

#include <gtest/gtest.h>

#include "runner/plan/arguments.h"
#include "tests/runner/plan/world.h"

namespace calaboose::test {
namespace {

using plan::Runtime;
using Words = std::vector<std::string>;

plan::CommandRequest request(const World& world, Words words) {
  plan::CommandRequest out;
  out.command = words.front();
  out.args.assign(words.begin() + 1, words.end());
  out.cwd = world.facts.cwd;
  out.search_path = world.facts.path;
  return out;
}

struct ScriptCase {
  const char* name;
  Runtime runtime;
  Words argv;
  int index;  // -1: none
  const char* module = "";
};

class FindScript : public testing::TestWithParam<ScriptCase> {};

TEST_P(FindScript, SkipsOptions) {
  const plan::ScriptArgument found = plan::find_script(GetParam().runtime, GetParam().argv);
  EXPECT_EQ(found.index ? static_cast<int>(*found.index) : -1, GetParam().index);
  EXPECT_EQ(found.module, GetParam().module);
}

INSTANTIATE_TEST_SUITE_P(
    Table, FindScript,
    testing::Values(
        ScriptCase{"Plain", Runtime::kNode, {"node", "a.js", "b.js"}, 1},
        ScriptCase{"Import", Runtime::kNode, {"node", "--import", "x.mjs", "a.js"}, 3},
        ScriptCase{"ImportEquals", Runtime::kNode, {"node", "--import=x.mjs", "a.js"}, 2},
        ScriptCase{
            "Require", Runtime::kNode, {"node", "-r", "ts-node", "--no-warnings", "a.js"}, 4},
        ScriptCase{"EnvFile", Runtime::kNode, {"node", "--env-file=.env", "a.js"}, 2},
        ScriptCase{"EnvFileWord", Runtime::kNode, {"node", "--env-file", ".env", "a.js"}, 3},
        ScriptCase{"HeapSize", Runtime::kNode, {"node", "--max-old-space-size=4096", "a.js"}, 2},
        ScriptCase{"Eval", Runtime::kNode, {"node", "-e", "code", "a.js"}, -1},
        ScriptCase{"Print", Runtime::kNode, {"node", "--print=1", "a.js"}, -1},
        ScriptCase{"Dashes", Runtime::kNode, {"node", "--", "--odd.js"}, 2},
        ScriptCase{"Stdin", Runtime::kNode, {"node", "-", "a.js"}, -1},
        ScriptCase{"Alone", Runtime::kNode, {"node"}, -1},
        ScriptCase{"BunRun", Runtime::kNode, {"bun", "run", "a.ts"}, 2},
        ScriptCase{"Python", Runtime::kPython, {"python3", "-u", "a.py"}, 2},
        ScriptCase{"PythonModule",
                   Runtime::kPython,
                   {"python3", "-m", "pkg.server", "a.py"},
                   -1,
                   "pkg.server"},
        ScriptCase{"PythonModuleJoined", Runtime::kPython, {"python3", "-Impkg"}, -1, "pkg"},
        ScriptCase{"PythonCode", Runtime::kPython, {"python3", "-c", "print()", "a.py"}, -1},
        ScriptCase{"PythonWarnings",
                   Runtime::kPython,
                   {"python3", "-W", "ignore", "-X", "dev", "a.py"},
                   5},
        ScriptCase{"PythonJoined", Runtime::kPython, {"python3", "-Wignore", "-IsE", "a.py"}, 3},
        ScriptCase{"PythonLong",
                   Runtime::kPython,
                   {"python3", "--check-hash-based-pycs", "never", "a.py"},
                   3},
        ScriptCase{"Other", Runtime::kNone, {"cat", "a.js"}, -1}),
    [](const auto& row) { return row.param.name; });

TEST(Command, SearchesPathAndIgnoresRelativeEntries) {
  World world;
  world.files.program("/home/ada/node");
  world.facts.path = ".::/usr/bin";
  const auto found = resolve_command(request(world, {"node", "-v"}), world.files);
  ASSERT_TRUE(found.ok()) << found.error().render();
  EXPECT_EQ(found->program, "/usr/bin/node");
}

TEST(Command, MissingProgramIs127) {
  World world;
  const auto found = resolve_command(request(world, {"no-such-program"}), world.files);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), Errc::kCommandNotFound);
  EXPECT_FALSE(found.error().hint().empty());
}

TEST(Command, RefusesWordsThatNoProgramCanGet) {  // J57
  World world;
  for (const Words& words :
       {Words{""}, Words{std::string("no\0de", 5)}, Words{"node", std::string("a\0b", 3)},
        Words{"node", std::string(200'000, 'x')}, Words(5000, "node")}) {
    const auto found = resolve_command(request(world, words), world.files);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code(), Errc::kUsage);
  }
  Words many(30, std::string(100'000, 'y'));
  many.front() = "node";
  EXPECT_FALSE(resolve_command(request(world, many), world.files).ok());
}

TEST(Command, ShellCharactersAndDashesAreOrdinaryBytes) {  // J57: no shell anywhere
  World world;
  world.files.program("/home/ada/-x;rm $(y)");
  const auto found = resolve_command(request(world, {"./-x;rm $(y)", "; ls"}), world.files);
  ASSERT_TRUE(found.ok()) << found.error().render();
  EXPECT_EQ(found->argv, (Words{"/home/ada/-x;rm $(y)", "; ls"}));
}

TEST(Command, ShebangBecomesItsInterpreter) {
  World world;
  world.files.program("/home/ada/p/cli.js", "#!/usr/bin/env node\n");
  world.files.program("/home/ada/p/split", "#!/usr/bin/env -S node --no-warnings\n");
  world.files.program("/home/ada/p/tool", "#!/usr/bin/python3 -I\n");
  auto found = resolve_command(request(world, {"p/cli.js", "stdio"}), world.files);
  ASSERT_TRUE(found.ok()) << found.error().render();
  EXPECT_EQ(found->argv, (Words{"/usr/bin/node", "/home/ada/p/cli.js", "stdio"}));
  EXPECT_EQ(found->script, 1U);
  found = resolve_command(request(world, {"/home/ada/p/split"}), world.files);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->argv, (Words{"/usr/bin/node", "--no-warnings", "/home/ada/p/split"}));
  EXPECT_EQ(found->script, 2U);
  found = resolve_command(request(world, {"/home/ada/p/tool", "x"}), world.files);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->argv, (Words{"/usr/bin/python3", "-I", "/home/ada/p/tool", "x"}));
  EXPECT_EQ(found->runtime, Runtime::kPython);
}

TEST(Command, ShebangLoopsEnd) {
  World world;
  world.files.program("/home/ada/a", "#!/home/ada/b\n");
  world.files.program("/home/ada/b", "#!/home/ada/a\n");
  EXPECT_FALSE(resolve_command(request(world, {"./a"}), world.files).ok());
}

TEST(Command, SeesThroughPnpmAndPipTrampolines) {
  World world;
  world.files.program("/home/ada/p/node_modules/.bin/tool",
                      "#!/bin/sh\nbasedir=$(dirname \"$0\")\nif [ -x \"$basedir/node\" ]; then\n  "
                      "exec \"$basedir/node\" "
                      "\"$basedir/../tool/cli.js\" \"$@\"\nelse\n  exec node  "
                      "\"$basedir/../tool/cli.js\" \"$@\"\nfi\n");
  world.files.file("/home/ada/p/node_modules/tool/cli.js");
  auto found = resolve_command(request(world, {"p/node_modules/.bin/tool"}), world.files);
  ASSERT_TRUE(found.ok()) << found.error().render();
  EXPECT_EQ(found->argv, (Words{"/usr/bin/node", "/home/ada/p/node_modules/tool/cli.js"}));
  world.files.program("/home/ada/v/bin/long",
                      "#!/bin/sh\n'''exec' /usr/bin/python3 \"$0\" \"$@\"\n' '''\n");
  found = resolve_command(request(world, {"v/bin/long"}), world.files);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->argv, (Words{"/usr/bin/python3", "/home/ada/v/bin/long"}));
}

TEST(Command, RelativeScriptBecomesAbsoluteAndOtherWordsStay) {
  World world;
  world.files.file("/home/ada/p/dist/index.js");
  const auto found =
      resolve_command(request(world, {"node", "p/dist/index.js", "p/data"}), world.files);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->argv, (Words{"/usr/bin/node", "/home/ada/p/dist/index.js", "p/data"}));
}

TEST(Command, MissingScriptIsNamed) {
  World world;
  const auto found = resolve_command(request(world, {"node", "dist/none.js"}), world.files);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().what().find("/home/ada/dist/none.js"), std::string::npos);
}

TEST(Command, PyenvShimResolvesByFilesOnly) {
  World world;
  const std::string root = "/home/ada/.pyenv";
  world.files.program(root + "/shims/python3", "#!/usr/bin/env bash\nexec pyenv exec\n");
  world.files.program(root + "/versions/3.9.2/bin/python3");
  world.files.program(root + "/versions/3.11.7/bin/python3");
  world.files.program(root + "/versions/3.11.10/bin/python3");
  world.files.file(root + "/version", "3.9.2\n");
  world.facts.path = root + "/shims:/usr/bin";
  const auto program = [&](const std::string& cwd, const std::string& variable) {
    plan::CommandRequest asked = request(world, {"python3", "-c", "1"});
    asked.cwd = cwd;
    asked.python_version = variable;
    const auto found = resolve_command(asked, world.files);
    return found ? found->program : found.error().render();
  };
  EXPECT_EQ(program("/home/ada", ""), root + "/versions/3.9.2/bin/python3");
  world.files.file("/home/ada/p/.python-version", "# comment\n3.11\n");
  world.files.directory("/home/ada/p/sub");
  EXPECT_EQ(program("/home/ada/p/sub", ""), root + "/versions/3.11.10/bin/python3");
  EXPECT_EQ(program("/home/ada/p", "3.11.7"), root + "/versions/3.11.7/bin/python3");
  EXPECT_EQ(program("/home/ada", "system"), "/usr/bin/python3");
  EXPECT_NE(program("/home/ada", "../../evil").find("shim"), std::string::npos);
}

TEST(Command, VoltaAndAsdfShims) {
  World world;
  const std::string volta = "/home/ada/.volta";
  world.files.program(volta + "/bin/volta-shim");
  world.files.link(volta + "/bin/node", "volta-shim");
  world.files.file(volta + "/tools/user/platform.json",
                   R"({"node":{"runtime":"20.1.0","npm":null}})");
  world.files.program(volta + "/tools/image/node/20.1.0/bin/node");
  auto found = resolve_command(request(world, {volta + "/bin/node", "-v"}), world.files);
  ASSERT_TRUE(found.ok()) << found.error().render();
  EXPECT_EQ(found->program, volta + "/tools/image/node/20.1.0/bin/node");
  const std::string asdf = "/home/ada/.asdf";
  world.files.program(asdf + "/shims/node", "#!/usr/bin/env bash\n");
  world.files.program(asdf + "/installs/nodejs/18.2.0/bin/node");
  EXPECT_FALSE(resolve_command(request(world, {asdf + "/shims/node", "-v"}), world.files).ok());
  world.files.file("/home/ada/.tool-versions", "ruby 3.0\nnodejs 18.2.0\n");
  found = resolve_command(request(world, {asdf + "/shims/node", "-v"}), world.files);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->program, asdf + "/installs/nodejs/18.2.0/bin/node");
}

TEST(Command, NpxRunsTheInstalledPackage) {
  World world;
  world.files.program("/usr/bin/npx", "#!/usr/bin/env node\n");
  const std::string dir = "/home/ada/p/node_modules/@example/tickets";
  world.files.file(
      dir + "/package.json",
      R"({"name":"@example/tickets","version":"1.4.2","bin":{"tickets":"dist/cli.js"}})");
  world.files.file(dir + "/dist/cli.js", "#!/usr/bin/env node\n");
  world.facts.cwd = "/home/ada/p";
  for (const Words& words : {Words{"npx", "-y", "@example/tickets", "--flag"},
                             Words{"npx", "-y", "@example/tickets@1.4.2", "--flag"},
                             Words{"npx", "-y", "@example/tickets@latest", "--flag"},
                             Words{"npx", "--package=@example/tickets", "tickets", "--flag"},
                             Words{"npm", "exec", "@example/tickets", "--flag"}}) {
    if (words[0] == "npm") {
      world.files.program("/usr/bin/npm");
    }
    const auto found = resolve_command(request(world, words), world.files);
    ASSERT_TRUE(found.ok()) << found.error().render();
    EXPECT_EQ(found->argv, (Words{"/usr/bin/node", dir + "/dist/cli.js", "--flag"}));
  }
}

TEST(Command, PackageRunnersWithoutAPackageSayWhatToDo) {
  World world;
  world.files.program("/usr/bin/npx", "#!/usr/bin/env node\n");
  world.files.file("/home/ada/node_modules/x/package.json",
                   R"({"name":"x","version":"1.0.0","bin":"../../evil.js"})");
  world.files.file("/home/ada/evil.js");
  world.files.file("/home/ada/node_modules/y/package.json",
                   R"({"name":"y","version":"1.0.0","bin":"c.js"})");
  for (const Words& words :
       {Words{"npx", "-y", "not-installed"}, Words{"npx", "y@2.0.0"}, Words{"npx", "x"},
        Words{"npx"}, Words{"npx", "-c", "echo hi"}, Words{"npx", "../../x"},
        Words{"uvx", "mcp-server-git"}, Words{"docker", "run", "-i", "image"},
        Words{"uv", "run", "a.py"}, Words{"pipx", "run", "x"}}) {
    const auto found = resolve_command(request(world, words), world.files);
    ASSERT_FALSE(found.ok()) << words[0];
    EXPECT_EQ(found.error().code(), Errc::kUsage) << found.error().render();
    EXPECT_EQ(found.error().id(), "CB2102");
    EXPECT_FALSE(found.error().hint().empty());
  }
}

}  // namespace
}  // namespace calaboose::test
