// SPDX-License-Identifier: Apache-2.0
// explain: every value with its origin, secrets as references only.
#include "policy/config/explain.h"

#include "base/json/json.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

std::string value_of(const ServerPolicy& policy, std::string_view key) {
  for (const ExplainRow& row : explain(policy)) {
    if (row.key == key) {
      return row.value;
    }
  }
  return "(no such row)";
}

TEST(Explain, ShowsSecretsAsReferencesOnly) {  // I7
  const ServerPolicy policy = policy_of({owner(one_server(
      R"("env":{"A":"${env:TOKEN}","B":"Bearer ${file:/secrets/key}","API_KEY":"swordfish","C":"half-a-secret-${TOKEN}","D":"${UNSET:-hush}"})"))});
  EXPECT_EQ(value_of(policy, "env.A"), "${env:TOKEN}");
  EXPECT_EQ(value_of(policy, "env.B"), "Bearer ${file:/secrets/key}");
  EXPECT_EQ(value_of(policy, "env.API_KEY"), "(hidden)");
  EXPECT_EQ(value_of(policy, "env.C"), "…${TOKEN}");
  EXPECT_EQ(value_of(policy, "env.D"), "${UNSET:-…}");
  const std::string all = explain_text(policy) + explain_json(policy);
  for (const char* secret :
       {"tok-0123456789", "file-secret-value", "swordfish", "half-a-secret", "hush"}) {
    EXPECT_EQ(all.find(secret), std::string::npos) << secret;
  }
}

TEST(Explain, HidesTypedVariables) {
  CommandLine line = command("x");
  line.env = {"A=typed-value", "TOKEN"};
  const ServerPolicy policy = policy_of({}, line, "");
  EXPECT_EQ(value_of(policy, "env.A"), "(hidden)");
  EXPECT_EQ(value_of(policy, "env.TOKEN"), "${env:TOKEN}");
}

TEST(Explain, SaysLoudlyThatThereIsNoJail) {
  EXPECT_EQ(value_of(policy_of({owner(one_server(R"("sandbox":"off")"))}), "sandbox"),
            "off: THE SERVER RUNS WITHOUT A JAIL");
}

TEST(Explain, EscapesWhatItShows) {  // J58
  const std::string text = one_server(R"("args":["\u001b[2K\u202e"],"env":{"A":"\u0007"})");
  const ServerPolicy policy = policy_of({owner(text, "dir\n\x1b[m/config.jsonc")});
  EXPECT_EQ(value_of(policy, "args.0"), "\\x1b[2K\\u202e");
  const std::string all = explain_text(policy) + explain_json(policy);
  EXPECT_EQ(all.find('\x1b'), std::string::npos);
  EXPECT_EQ(all.find("\xE2\x80\xAE"), std::string::npos);
}

TEST(Explain, JsonHoldsTheSameRows) {
  const ServerPolicy policy = policy_of({owner(one_server(R"("timeout":5)"))});
  const std::string text = explain_json(policy);
  json::Tape tape;
  ASSERT_TRUE(tape.parse(text)) << text;
  EXPECT_TRUE(tape.root().find("server").string_equals("a"));
  EXPECT_TRUE(tape.root().find("scope").string_equals("config.jsonc"));
  const auto rows = explain(policy);
  ASSERT_EQ(tape.root().find("values").size(), rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const json::Value row = tape.root().find("values").element(i);
    EXPECT_TRUE(row.find("key").string_equals(rows[i].key));
    EXPECT_TRUE(row.find("value").string_equals(rows[i].value));
    EXPECT_TRUE(row.find("origin").string_equals(rows[i].origin));
  }
}

TEST(Explain, EveryRowHasAnOrigin) {
  for (const ExplainRow& row : explain(policy_of({}, command("x"), ""))) {
    EXPECT_FALSE(row.origin.empty()) << row.key;
  }
}

TEST(Origin, ShowsThePositionOrThePlace) {
  EXPECT_EQ(Origin{}.to_string(), "built-in");
  EXPECT_EQ((Origin{"profile node", std::nullopt}.to_string()), "profile node");
  EXPECT_EQ((Origin{"x", SourceRef{"config.jsonc", 12, 7, "/a"}}.to_string()), "config.jsonc:12:7");
}

}  // namespace
}  // namespace calaboose::policy::testing
