// SPDX-License-Identifier: Apache-2.0
// The environment of a server: H1 to H3, J54, J55.
// Place: tests/runner/plan.
#include "runner/plan/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/runner/plan/world.h"

namespace calaboose::test {
namespace {

policy::EnvVar variable(std::string name, std::string value, std::string source = "command line") {
  policy::EnvVar out;
  out.name = std::move(name);
  out.value = std::move(value);
  out.origin.source = std::move(source);
  return out;
}

Result<plan::Built> build_with(World& world, std::vector<policy::EnvVar> env, bool inherit = true) {
  policy::ServerPolicy policy = policy_for({"node", "-e", "1"});
  policy.env = std::move(env);
  policy.inherit_default_env.value = inherit;
  return plan::build_plan(policy, world.facts);
}

TEST(Environment, HoldsTheDefaultListAndOurOwnNamesOnly) {  // H1, J54
  World world;
  const auto built = build_with(world, {});
  ASSERT_TRUE(built.ok());
  std::set<std::string> names;
  for (const std::string& entry : built->plan.env) {
    names.insert(entry.substr(0, entry.find('=')));
  }
  const std::set<std::string> expected = {"HOME",
                                          "LOGNAME",
                                          "PATH",
                                          "SHELL",
                                          "TERM",
                                          "USER",
                                          "LANG",
                                          "TMPDIR",
                                          "XDG_CACHE_HOME",
                                          "XDG_CONFIG_HOME",
                                          "XDG_DATA_HOME",
                                          "XDG_STATE_HOME",
                                          "npm_config_cache",
                                          "npm_config_update_notifier",
                                          "PIP_CACHE_DIR",
                                          "NO_UPDATE_NOTIFIER"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(env_of(*built, "HOME"), "/home/mcp");
  EXPECT_EQ(env_of(*built, "USER"), "mcp");
  EXPECT_EQ(env_of(*built, "PATH"), "/usr/local/bin:/usr/bin:/bin");
  EXPECT_EQ(env_of(*built, "TERM"), "xterm-256color");
  EXPECT_EQ(env_of(*built, "LANG"), "de_DE.UTF-8");
}

TEST(Environment, EnvIsMergedOverVerbatim) {  // H1
  World world;
  const auto built = build_with(
      world, {variable("PATH", "/x y:$HOME"), variable("EMPTY", ""), variable("A", "b=c\n")});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(env_of(*built, "PATH"), "/x y:$HOME");
  EXPECT_EQ(env_of(*built, "EMPTY"), "");
  EXPECT_EQ(env_of(*built, "A"), "b=c\n");
}

TEST(Environment, WithoutInheritanceIsExactlyEnv) {  // H1
  World world;
  const auto built = build_with(world, {variable("ONLY", "this")}, false);
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(built->plan.env, std::vector<std::string>{"ONLY=this"});
}

TEST(Environment, TerminalNamesAreSanitised) {
  World world;
  world.facts.term = "xterm\x1b]0;x";
  world.facts.lang = "../../x";
  const auto built = build_with(world, {});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(env_of(*built, "TERM"), "dumb");
  EXPECT_EQ(env_of(*built, "LANG"), "C.UTF-8");
}

class LoaderVariable : public testing::TestWithParam<const char*> {};

TEST_P(LoaderVariable, IsRefusedFromUntrustedConfigurationOnly) {  // H2, J55
  World world;
  EXPECT_TRUE(plan::changes_what_runs(GetParam()));
  const auto refused = build_with(world, {variable(GetParam(), "x", "untrusted .mcp.json")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().id(), "CB2106");
  EXPECT_EQ(refused.error().what().find("=x"), std::string::npos);
  const auto named = build_with(world, {variable(GetParam(), "x")});
  ASSERT_TRUE(named.ok()) << named.error().render();
  EXPECT_EQ(env_of(*named, GetParam()), "x");
}

INSTANTIATE_TEST_SUITE_P(Table, LoaderVariable,
                         testing::Values("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GCONV_PATH",
                                         "GLIBC_TUNABLES", "NODE_OPTIONS", "NODE_PATH",
                                         "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME",
                                         "PYTHONWARNINGS", "BASH_ENV", "ENV", "PS4",
                                         "PROMPT_COMMAND", "PERL5OPT", "PERL5LIB", "RUBYOPT",
                                         "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GIT_SSH_COMMAND",
                                         "GIT_CONFIG_COUNT", "SSH_ASKPASS", "LESSOPEN",
                                         "OPENSSL_CONF", "DOTNET_STARTUP_HOOKS",
                                         "npm_config_node_options", "BASH_FUNC_ls%%", "BROWSER"));

TEST(Environment, OrdinaryNamesFromUntrustedConfigurationPass) {
  World world;
  const auto built =
      build_with(world, {variable("TICKETS_URL", "https://x", "untrusted .mcp.json")});
  EXPECT_TRUE(built.ok());
  for (const char* name :
       {"TOKEN", "LDAP_URL", "NODE_ENV", "PYTHONIOENCODING", "ENVIRONMENT", "HOME", ""}) {
    EXPECT_FALSE(plan::changes_what_runs(name)) << name;
  }
}

TEST(Environment, ImpossibleNamesAndValuesAreErrors) {  // J57, J58
  World world;
  for (const policy::EnvVar& bad :
       {variable("", "x"), variable("A=B", "x"), variable(std::string("A\0B", 3), "x"),
        variable("A", std::string("x\0y", 3)), variable("A", std::string(140'000, 'x'))}) {
    const auto built = build_with(world, {bad});
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.error().id(), "CB2107");
  }
}

TEST(Environment, ErrorsAndNotesNeverShowValues) {  // H3, I7
  World world;
  const auto built =
      build_with(world, {variable("TOKEN", "s3cr3t-value"), variable("F", "() { s3cr3t-value; }")});
  ASSERT_TRUE(built.ok());
  for (const std::string& note : built->plan.notes) {
    EXPECT_EQ(note.find("s3cr3t"), std::string::npos) << note;
  }
  EXPECT_EQ(env_of(*built, "F"), "(unset)");
  EXPECT_TRUE(
      std::any_of(built->plan.notes.begin(), built->plan.notes.end(), [](const std::string& note) {
        return note.find("env F was left out") != std::string::npos;
      }));
}

}  // namespace
}  // namespace calaboose::test
