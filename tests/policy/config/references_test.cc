// SPDX-License-Identifier: Apache-2.0
// ${…}: forms, where each may stand, and what happens without a value.
#include "policy/config/references.h"

#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

Result<Expanded> in_env(std::string_view text) {
  return expand(text, Use::kEnvironment, "env.X", environment(), {});
}

TEST(References, Expand) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"plain $HOME $", "plain $HOME $"},
      {"$${TOKEN}", "${TOKEN}"},
      {"a${env:TOKEN}b${TOKEN}", "atok-0123456789btok-0123456789"},
      {"${UNSET:-x:-y}", "x:-y"},
      {"${UNSET:-}", ""},
      {"${EMPTY:-d}", "d"},
      {"${EMPTY}", ""},
      {"${file:/secrets/key}", "file-secret-value"},
      {"${file:~/key}", "file-secret-value"},
      {"${workspaceFolder}:${userHome}:${workspaceFolderBasename}:${/}",
       "/src/project:/home/u:project:/"},
  };
  for (const auto& [text, value] : cases) {
    const auto expanded = in_env(text);
    ASSERT_TRUE(expanded.ok()) << text << ": " << expanded.error().render();
    EXPECT_EQ(expanded->value, value) << text;
  }
}

TEST(References, ExpandedTextIsNotExpandedAgain) {
  Environment env = environment();
  env.variables["LOOP"] = "${env:TOKEN}";
  const auto expanded = expand("${LOOP}", Use::kEnvironment, "env.X", env, {});
  ASSERT_TRUE(expanded.ok());
  EXPECT_EQ(expanded->value, "${env:TOKEN}");
}

TEST(References, MarkWhatIsRead) {
  for (const char* text : {"${env:TOKEN}", "${TOKEN}", "x${file:/secrets/key}", "${UNSET:-d}"}) {
    EXPECT_TRUE(in_env(text)->is_secret) << text;
  }
  for (const char* text : {"plain", "${HOME}/x", "${env:LANG}", "${workspaceFolder}"}) {
    EXPECT_FALSE(in_env(text)->is_secret) << text;
  }
}

TEST(References, BadForms) {
  for (const char* text :
       {"${", "${}", "${ }", "${a b}", "${a:b}", "${env:}", "${env:1}", "${file:}", "${file:a}",
        "${input:}", "${${A}}", "${1}", "${A:-", "${command:x}"}) {
    const auto parts = parse_references(text);
    ASSERT_FALSE(parts.ok()) << text;
    EXPECT_EQ(parts.error().id(), "CB2015") << text;
  }
}

TEST(References, NoSecretInAnArgument) {  // J56
  for (const char* text :
       {"${env:TOKEN}", "${TOKEN}", "--x=${file:/secrets/key}", "${input:a}", "${UNSET:-d}"}) {
    const auto expanded = expand(text, Use::kArgument, "args.0", environment(), {});
    ASSERT_FALSE(expanded.ok()) << text;
    EXPECT_EQ(expanded.error().id(), "CB2016") << text;
  }
  EXPECT_TRUE(
      expand("${HOME}/${workspaceFolder}", Use::kArgument, "args.0", environment(), {}).ok());
}

TEST(References, MissingThingsNameThemselvesAndTheRemedy) {
  EXPECT_EQ(in_env("${env:NOT_THERE}").error().id(), "CB2020");
  EXPECT_EQ(in_env("${env:NOT_THERE}").error().what(),
            "the variable NOT_THERE, which env.X needs, is not set");
  EXPECT_EQ(in_env("${file:/missing}").error().id(), "CB2021");
  EXPECT_EQ(in_env("${file:/big}").error().id(), "CB2021");
  EXPECT_EQ(in_env("${file:/nul}").error().id(), "CB2021");
  EXPECT_EQ(in_env("${input:key}").error().id(), "CB2022");
  Environment env = environment();
  env.read_file = nullptr;
  EXPECT_EQ(expand("${file:/secrets/key}", Use::kEnvironment, "x", env, {}).error().id(), "CB2021");
}

TEST(References, OneTrailingNewlineIsRemoved) {
  Environment env = environment();
  const std::pair<const char*, const char*> cases[] = {
      {"a\n", "a"}, {"a\r\n", "a"}, {"a\n\n", "a\n"}, {"a", "a"},
      {"", ""},     {"\n", ""},     {"a\r", "a\r"}};
  for (const auto& [text, value] : cases) {
    env.read_file = [content = std::string(text)](const std::string&) -> Result<std::string> {
      return content;
    };
    EXPECT_EQ(expand("${file:/f}", Use::kEnvironment, "x", env, {})->value, value);
  }
}

TEST(References, NoErrorCarriesAValue) {  // I7
  Environment env = environment();
  env.variables["TOKEN"] = std::string("do-not-print-this\0x", 19);
  const auto expanded = expand("${TOKEN}", Use::kEnvironment, "env.X", env, {});
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.error().render().find("do-not-print"), std::string::npos);
}

}  // namespace
}  // namespace calaboose::policy::testing
