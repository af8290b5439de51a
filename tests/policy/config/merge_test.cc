// SPDX-License-Identifier: Apache-2.0
// The order of places, and that each value remembers where it came from.
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

std::string with(std::string_view policy, std::string_view server) {
  return R"({"version":1,"policy":{)" + std::string(policy) + R"(},"mcpServers":{"a":{)" +
         std::string(server) + "}}}";
}

TEST(Merge, LaterPlacesWin) {
  // system policy < user policy < system server < user server < command line
  const SourceText system = owner(with(R"("timeout":1)", R"("command":"x","timeout":3)"), "/etc/c");
  const SourceText system_policy = owner(with(R"("timeout":1)", R"("command":"x")"), "/etc/c");
  const SourceText user = owner(with(R"("timeout":2)", R"("timeout":4)"), "/home/c");
  const SourceText user_policy = owner(with(R"("timeout":2)", ""), "/home/c");
  CommandLine line;
  line.timeout = std::chrono::milliseconds(5);
  const auto outcome = [](const ServerPolicy& policy) {
    return std::to_string(policy.timeout.value.count()) + " " + policy.timeout.origin.to_string();
  };
  EXPECT_EQ(outcome(policy_of({owner(one_server(""))})), "60000 built-in");
  EXPECT_EQ(outcome(policy_of({system_policy})), "1 /etc/c:1:34");
  EXPECT_EQ(outcome(policy_of({system_policy, user_policy})), "2 /home/c:1:34");
  EXPECT_EQ(outcome(policy_of({system, user_policy})), "3 /etc/c:1:80");
  EXPECT_EQ(outcome(policy_of({system, user})), "4 /home/c:1:66");
  EXPECT_EQ(outcome(policy_of({system, user}, line)), "5 command line (--timeout)");
}

TEST(Merge, ANewCommandDropsTheOldArguments) {
  const SourceText system =
      owner(with("", R"("command":"npx","args":["-y","x"],"env":{"A":"1"})"), "/etc/c");
  const ServerPolicy replaced =
      policy_of({system, owner(with("", R"("command":"node")"), "/home/c")});
  EXPECT_EQ(replaced.command.value, "node");
  EXPECT_TRUE(replaced.args.empty());
  EXPECT_EQ(replaced.env.size(), 1U);
  const ServerPolicy kept = policy_of({system, owner(with("", R"("args":["z"])"), "/home/c")});
  EXPECT_EQ(kept.command.value, "npx");
  EXPECT_EQ(kept.args, std::vector<std::string>{"z"});
  const ServerPolicy reordered =
      policy_of({system, owner(with("", R"("args":["z"],"command":"node")"), "/home/c")});
  EXPECT_EQ(reordered.args, std::vector<std::string>{"z"});
}

TEST(Merge, GrantsReplaceDenialsAddUp) {
  const ServerPolicy policy = policy_of({owner(
      with(R"("sandbox":{"filesystem":{"allowRead":["/a"],"denyRead":["/d1"],"denyWrite":["/w"]}})",
           R"("command":"x","sandbox":{"filesystem":{"allowRead":["/b"],"denyRead":["/d2"]}})"))});
  ASSERT_EQ(policy.paths.size(), 1U);
  EXPECT_EQ(policy.paths[0].path, "/b");
  EXPECT_EQ(policy.deny_read, (std::vector<std::string>{"/d1", "/d2"}));
  EXPECT_EQ(policy.deny_write, std::vector<std::string>{"/w"});
  ASSERT_EQ(policy.deny_read_origins.size(), 2U);
  EXPECT_NE(policy.deny_read_origins[0].to_string(), policy.deny_read_origins[1].to_string());
}

TEST(Merge, AnObjectTurnsTheJailOnAgain) {
  EXPECT_TRUE(policy_of({owner(with(R"("sandbox":"off")", R"("command":"x")"))}).sandbox_off);
  const ServerPolicy policy =
      policy_of({owner(with(R"("sandbox":"off")", R"("command":"x","sandbox":{})"))});
  EXPECT_FALSE(policy.sandbox_off);
  EXPECT_EQ(policy.minimum_level.value, Level::kFull);
}

TEST(Merge, OffHasItsOwnLevel) {  // I1: only in so many words
  const ServerPolicy policy = policy_of({owner(with("", R"("command":"x","sandbox":"off")"))});
  EXPECT_TRUE(policy.sandbox_off);
  EXPECT_EQ(policy.minimum_level.value, Level::kOff);
  EXPECT_EQ(policy.sandbox_origin.to_string(), "config.jsonc:1:69");
}

TEST(Merge, AnEmptyListTakesBackAWishOfALaterVersion) {
  EXPECT_TRUE(resolve({owner(with(R"("allowedHosts":["h.example"])",
                                  R"("command":"x","allowedHosts":[])"))})
                  .ok());
  refused({owner(with(R"("allowedHosts":["h.example"])", R"("command":"x")"))}, "CB2033");
}

}  // namespace
}  // namespace calaboose::policy::testing
