// SPDX-License-Identifier: Apache-2.0
// resolve_server: targets, command line, identity, secrets.
#include "policy/config/command_line.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

TEST(Resolve, CommandWithoutConfiguration) {
  const ServerPolicy policy = policy_of({}, command("node", {"server.js", "${TOKEN}", "~"}), "");
  EXPECT_EQ(policy.name, "node");
  EXPECT_EQ(policy.scope, "cli");
  EXPECT_EQ(policy.command.value, "node");
  EXPECT_EQ(policy.command.origin.to_string(), "command line (--)");
  EXPECT_EQ(policy.args,
            (std::vector<std::string>{"server.js", "${TOKEN}", "~"}));  // typed: literal
  EXPECT_EQ(policy.minimum_level.value, Level::kFull);
  EXPECT_FALSE(policy.sandbox_off);
  EXPECT_TRUE(policy.paths.empty());
  EXPECT_EQ(policy.timeout.value.count(), 60'000);
  EXPECT_TRUE(policy.inherit_default_env.value);
  EXPECT_EQ(policy.client_name.value, "node");
  EXPECT_EQ(policy.client_version.value, "1.0.0");
  EXPECT_EQ(policy.profile.value, "");
}

TEST(Resolve, NamesACommandLineServer) {
  EXPECT_EQ(policy_of({}, command("npx", {"-y", "@example/x@1.2.3"}), "").name, "@example/x");
  EXPECT_EQ(policy_of({}, command("uvx", {"mcp-server-time"}), "").name, "mcp-server-time");
  EXPECT_EQ(policy_of({}, command("/opt/bin/tool"), "").name, "tool");
  CommandLine line = command("node");
  line.name = "mine";
  EXPECT_EQ(policy_of({}, line, "").name, "mine");
  line.name = "a b";
  EXPECT_EQ(exit_code_of(refused({}, "CB2009", line, "").code()), 2);
}

TEST(Resolve, PolicyHoldsForCommandLineServersToo) {
  const std::string text =
      R"({"version":1,"policy":{"timeout":5,"sandbox":{"filesystem":{"denyRead":["~/.ssh"]}}}})";
  const ServerPolicy policy = policy_of({owner(text)}, command("node"), "");
  EXPECT_EQ(policy.timeout.value.count(), 5);
  EXPECT_EQ(policy.deny_read, std::vector<std::string>{"/home/u/.ssh"});
}

TEST(Resolve, UnknownServerSuggests) {
  const std::string text =
      R"({"version":1,"mcpServers":{"tickets":{"command":"x"},"git":{"command":"x"}}})";
  const Refusal slip = refused({owner(text)}, "CB2030", {}, "tikets");
  EXPECT_EQ(exit_code_of(slip.code()), 2);
  EXPECT_EQ(slip.hint(), "did you mean \"tickets\"?");
  EXPECT_EQ(refused({owner(text)}, "CB2030", {}, "something-else").hint(),
            "configured: tickets, git");
  EXPECT_EQ(refused({}, "CB2030", {}, "x").hint(), "no server is configured");
  EXPECT_EQ(refused({}, "CB2030", {}, "\x1b[2Jx").render().find('\x1b'), std::string::npos);
}

TEST(Resolve, TargetsExcludeEachOther) {
  EXPECT_EQ(refused({owner(one_server(""))}, "CB2040", command("node")).code(), Errc::kUsage);
  EXPECT_EQ(refused({}, "CB2040", {}, "").code(), Errc::kUsage);
  CommandLine line;
  line.name = "other";
  EXPECT_EQ(refused({owner(one_server(""))}, "CB2040", line).code(), Errc::kUsage);
}

TEST(Resolve, BadCommandsOfTheCommandLine) {  // J57
  for (const std::string& program :
       {std::string("-x"), std::string("a\nb"), std::string(2U << 20U, 'a')}) {
    EXPECT_EQ(refused({}, "CB2040", command(program), "").code(), Errc::kUsage);
  }
  EXPECT_EQ(refused({}, "CB2012", command("x", {std::string(2U << 20U, 'a')}), "").code(),
            Errc::kUsage);
}

TEST(Resolve, ScopeIsTheFileThatDefines) {
  const std::vector<SourceText> both{
      owner(one_server(""), "/etc/c"),
      owner(R"({"version":1,"mcpServers":{"a":{"timeout":7}}})", "/home/c")};
  EXPECT_EQ(policy_of(both).scope, "/etc/c");
  EXPECT_EQ(policy_of({owner(one_server(""), "/etc/c"), owner(one_server(""), "/home/c")}).scope,
            "/home/c");
}

TEST(CommandLineOptions, Override) {
  CommandLine line;
  line.profile = "strict";
  line.minimum_level = "reduced";
  line.project = "rw";
  line.read = {"data", "~/notes", "/abs//x/./y/"};
  line.write = {"../out"};
  line.env = {"TOKEN", "B=literal=with=equals", "C="};
  line.cwd = "sub";
  line.timeout = std::chrono::milliseconds(1234);
  const std::string text = one_server(
      R"("timeout":5,"cwd":"/","env":{"B":"file","D":"kept"},"sandbox":{"profile":"node","filesystem":{"allowRead":["/conf"]}})");
  const ServerPolicy policy = policy_of({owner(text)}, line);
  EXPECT_EQ(policy.profile.value, "strict");
  EXPECT_EQ(policy.profile.origin.to_string(), "command line (--profile)");
  EXPECT_EQ(policy.minimum_level.value, Level::kReduced);
  EXPECT_EQ(policy.timeout.value.count(), 1234);
  EXPECT_EQ(policy.cwd.value, "/src/project/sub");
  std::vector<std::pair<std::string, bool>> paths;
  for (const PathGrant& grant : policy.paths) {
    paths.emplace_back(grant.path, grant.write);
  }
  EXPECT_EQ(paths, (std::vector<std::pair<std::string, bool>>{{"/conf", false},
                                                              {"/src/project/data", false},
                                                              {"/home/u/notes", false},
                                                              {"/abs/x/y", false},
                                                              {"/src/out", true},
                                                              {"/src/project", true}}));
  ASSERT_EQ(policy.env.size(), 4U);
  EXPECT_EQ(policy.env[0].name, "B");
  EXPECT_EQ(policy.env[0].value, "literal=with=equals");
  EXPECT_EQ(policy.env[1].value, "kept");
  EXPECT_EQ(policy.env[2].name, "TOKEN");
  EXPECT_EQ(policy.env[2].value, "tok-0123456789");
  EXPECT_TRUE(policy.env[2].is_secret);
  EXPECT_EQ(policy.env[2].reference, "${env:TOKEN}");
  EXPECT_EQ(policy.env[3].value, "");
}

TEST(CommandLineOptions, ProjectReadOnly) {
  CommandLine line = command("x");
  line.project = "ro";
  const ServerPolicy policy = policy_of({}, line, "");
  ASSERT_EQ(policy.paths.size(), 1U);
  EXPECT_EQ(policy.paths[0].path, "/src/project");
  EXPECT_FALSE(policy.paths[0].write);
  EXPECT_EQ(policy.paths[0].origin.to_string(), "command line (--project)");
}

TEST(CommandLineOptions, BadValues) {
  const auto bad = [](auto change, std::string_view id) {
    CommandLine line = command("x");
    change(line);
    const Refusal error = refused({}, id, line, "");
    EXPECT_EQ(exit_code_of(error.code()), 2) << error.render();
    return error;
  };
  EXPECT_EQ(bad([](CommandLine& l) { l.profile = "nod"; }, "CB2040").hint(),
            "did you mean \"node\"? one of strict, runtime, node, python");
  bad([](CommandLine& l) { l.minimum_level = "off"; }, "CB2040");
  bad([](CommandLine& l) { l.project = "r"; }, "CB2040");
  bad([](CommandLine& l) { l.read = {""}; }, "CB2040");
  bad([](CommandLine& l) { l.read = {"/a/../b"}; }, "CB2040");
  bad([](CommandLine& l) { l.write = {"a\nb"}; }, "CB2040");
  bad([](CommandLine& l) { l.env = {"=x"}; }, "CB2040");
  bad([](CommandLine& l) { l.env = {"NOT_SET"}; }, "CB2023");
  bad([](CommandLine& l) { l.allow_hosts = {"https://x.example"}; }, "CB2040");
  bad([](CommandLine& l) { l.allow_hosts = {"x.example"}; }, "CB2033");
  bad([](CommandLine& l) { l.timeout = std::chrono::milliseconds(0); }, "CB2040");
}

TEST(CommandLineOptions, EnvReplacesWhatCannotBeFollowed) {
  const std::string text = one_server(R"("env":{"KEY":"${input:key}"})");
  refused({host(R"({"servers":{"a":{"command":"x","env":{"KEY":"${input:key}"}}}})")}, "CB2022");
  CommandLine line;
  line.env = {"KEY=given"};
  EXPECT_EQ(policy_of({owner(text)}, line).env.at(0).value, "given");
}

TEST(TypedPath, FollowsOnlyLeadingDots) {
  const Environment env = environment();
  EXPECT_EQ(*typed_path("--read", ".", env), "/src/project");
  EXPECT_EQ(*typed_path("--read", "..", env), "/src");
  EXPECT_EQ(*typed_path("--read", "../../../../x", env), "/x");
  EXPECT_EQ(*typed_path("--read", "~", env), "/home/u");
  EXPECT_EQ(*typed_path("--read", "~x", env), "/src/project/~x");
  EXPECT_EQ(*typed_path("--read", "/", env), "/");
  EXPECT_FALSE(typed_path("--read", "a/..", env).ok());
  EXPECT_FALSE(typed_path("--read", "~/..", env).ok());
}

TEST(Resolve, LiteralSecretsAreMarked) {
  const ServerPolicy policy = policy_of({owner(one_server(
      R"("env":{"API_KEY":"swordfish","MODE":"production","X":"ghp_0123456789abcdef0123"})"))});
  EXPECT_TRUE(policy.env.at(0).is_secret);
  EXPECT_FALSE(policy.env.at(1).is_secret);
  EXPECT_TRUE(policy.env.at(2).is_secret);
}

TEST(Resolve, WarnsOfSecretsInTypedArguments) {  // J56
  const ServerPolicy policy = policy_of({}, command("x", {"--token=9f8e7d6c5b4a39281706f5e4"}), "");
  ASSERT_EQ(policy.notes.size(), 1U);
  EXPECT_EQ(policy.notes[0].find("9f8e"), std::string::npos);
}

}  // namespace
}  // namespace calaboose::policy::testing
