// SPDX-License-Identifier: Apache-2.0
// The command line: forms, suggestions, refusals.
#include "runner/cli/args.h"

#include <gtest/gtest.h>

namespace calaboose::cli {
namespace {

TEST(Args, TakesOptionsAnywhereBeforeTheSeparator) {
  const auto args = parse_args({"call", "--json", "echo", "--name=x", "{}", "--env", "A",
                                "--env=B=1", "--", "node", "--json"});
  ASSERT_TRUE(args.ok()) << args.error().render();
  EXPECT_EQ(args->command->name, "call");
  EXPECT_EQ(args->positionals, (std::vector<std::string>{"echo", "{}"}));
  EXPECT_TRUE(args->has("--json"));
  EXPECT_EQ(args->one("--name"), "x");
  EXPECT_EQ(args->all("--env"), (std::vector<std::string>{"A", "B=1"}));
  EXPECT_EQ(args->server_command, (std::vector<std::string>{"node", "--json"}));
}

TEST(Args, PrefersTheLongerCommandName) {
  const auto args = parse_args({"audit", "verify", "a.jsonl"});
  ASSERT_TRUE(args.ok());
  EXPECT_EQ(args->command->name, "audit verify");
  EXPECT_EQ(args->positionals, (std::vector<std::string>{"a.jsonl"}));
}

TEST(Args, EveryCommandHasHelpThatNamesItsOptions) {
  for (const CommandSpec& command : commands()) {
    const std::string text = help_text(command);
    EXPECT_NE(text.find(command.name), std::string::npos);
    for (const OptionSpec& option : command.options) {
      EXPECT_NE(text.find(option.name), std::string::npos) << command.name;
    }
    EXPECT_NE(help_text().find(command.name), std::string::npos) << command.name;
  }
}

struct Refusal {
  const char* name;
  std::vector<std::string> words;
  const char* text;
};

class ArgsRefuse : public testing::TestWithParam<Refusal> {};

TEST_P(ArgsRefuse, WithTheWholeText) {
  const auto args = parse_args(GetParam().words);
  ASSERT_FALSE(args.ok());
  EXPECT_EQ(args.error().code(), Errc::kUsage);
  EXPECT_EQ(args.error().render(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ArgsRefuse,
    testing::Values(
        Refusal{"UnknownCommand",
                {"tolls"},
                "unknown command \"tolls\" [CB1001]\nhint: did you mean \"tools\"?"},
        Refusal{"HalfACommand",
                {"audit"},
                "\"audit\" needs one more word [CB1001]\nhint: one of: audit verify, audit tail, "
                "audit show"},
        Refusal{"UnknownOption",
                {"run", "--raed", "/x", "--", "a"},
                "unknown option \"--raed\" for \"run\" [CB1001]\nhint: did you mean \"--read\"?"},
        Refusal{"MissingValue",
                {"run", "--read", "--", "a"},
                "--read needs a value: --read PATH [CB1001]\nhint: see: calaboose run --help"},
        Refusal{"SwitchWithValue",
                {"tools", "--json=1", "--", "a"},
                "--json takes no value [CB1001]\nhint: see: calaboose tools --help"},
        Refusal{
            "UnknownChoice",
            {"run", "--profile", "nodee", "--", "a"},
            "--profile does not take \"nodee\" [CB1001]\nhint: one of: strict|runtime|node|python"},
        Refusal{"GivenTwice",
                {"run", "--name", "a", "--name", "b", "--", "x"},
                "--name is given twice [CB1001]\nhint: see: calaboose run --help"},
        Refusal{"ForgottenSeparator",
                {"run", "node", "x.js"},
                "\"node\" is one argument too many [CB1001]\nhint: put -- before the server's "
                "command: calaboose run … -- "
                "COMMAND [ARG…]"},
        Refusal{"NothingAfterSeparator",
                {"run", "--"},
                "there is no command after -- [CB1001]\nhint: for example: calaboose run -- node "
                "server.js"},
        Refusal{"ControlCharacters",
                {"\x1b[2Jtools"},
                "unknown command \"\\x1b[2Jtools\" [CB1001]\nhint: see: calaboose --help (a "
                "server's command goes after: "
                "calaboose run --)"},
        Refusal{"TooFew",
                {"call", "--", "a"},
                "\"call\" needs more arguments [CB1001]\nhint: form: calaboose call TOOL [JSON|-] "
                "[OPTIONS] -- COMMAND "
                "[ARG…]"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace calaboose::cli
