// SPDX-License-Identifier: Apache-2.0
// load_config: bounds, several files, kinds of files, hosts' shapes.
#include "policy/config/check.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

TEST(Load, NothingIsAnEmptyConfiguration) {
  const LoadResult loaded = load({});
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded.config.servers.empty());
}

TEST(Load, TakesExactlyOneMebibyte) {
  std::string text = R"({"version":1})";
  text.append(kMaxConfigBytes - text.size(), ' ');
  EXPECT_TRUE(load({owner(text)}).ok());
  const LoadResult loaded = load({owner(text + " ")});
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].id(), "CB2002");
  EXPECT_NE(loaded.render().find("1048577 bytes"), std::string::npos);
}

TEST(Load, BoundsDepthWithinComments) {
  std::string deep(10'000, '[');
  EXPECT_EQ(load({owner(deep)}).problems.at(0).id(), "CB2002");
  // Brackets in a comment or a string nest nothing.
  EXPECT_TRUE(load({owner("/* " + deep + " */ {\"version\":1}")}).ok());
}

TEST(Load, BoundsServersAndLists) {
  std::string servers;
  for (std::size_t i = 0; i <= kMaxServers; ++i) {
    servers += (i == 0 ? "" : ",") + ("\"s" + std::to_string(i)) + R"(":{"command":"x"})";
  }
  EXPECT_EQ(load({owner(R"({"version":1,"mcpServers":{)" + servers + "}}")}).problems.at(0).id(),
            "CB2002");
  std::string items;
  for (std::size_t i = 0; i <= kMaxListItems; ++i) {
    items += (i == 0 ? "" : ",") + std::string("\"a\"");
  }
  EXPECT_EQ(load({owner(one_server("\"args\":[" + items + "]"))}).problems.at(0).id(), "CB2002");
}

TEST(Load, ReportsAllFilesAtOnce) {
  const LoadResult loaded =
      load({owner(R"({"version":1,"polic":{}})", "/etc/a"), owner("[", "/home/b")});
  ASSERT_EQ(loaded.problems.size(), 2U);
  EXPECT_EQ(loaded.problems[0].at()->file, "/etc/a");
  EXPECT_EQ(loaded.problems[1].at()->file, "/home/b");
  EXPECT_EQ(loaded.error().what(), loaded.render());
}

TEST(Load, CountsWhatItDoesNotShow) {
  std::string keys;
  for (int i = 0; i < 50; ++i) {
    keys += ",\"k" + std::to_string(i) + "\":1";
  }
  const LoadResult loaded = load({owner("{\"version\":1" + keys + "}")});
  EXPECT_EQ(loaded.problems.size(), kMaxProblems);
  EXPECT_EQ(loaded.more_problems, 30U);
}

TEST(Load, AFileFullOfProblemsIsReadOnce) {
  // A quadratic loader would need minutes for these.
  std::string unknown = "{\"version\":1";
  std::string types = R"({"version":1,"policy":{"env":{"A0":1)";
  for (int i = 0; unknown.size() < kMaxConfigBytes - 64; ++i) {
    unknown += ",\"allowedHostz" + std::to_string(i) + "\":1";
  }
  for (int i = 1; i < 1000; ++i) {
    types += ",\"A" + std::to_string(i) + "\":1";
  }
  types.append(kMaxConfigBytes / 2, ' ');
  EXPECT_GT(load({owner(unknown + "}")}).more_problems, 20'000U);
  EXPECT_EQ(load({owner(types + "}}}")}).more_problems, 980U);
}

TEST(Load, GivesPositionAndPointer) {
  const LoadResult loaded = load({owner(
      "{\"version\":1,\n \"mcpServers\": {\"a.b\": {\"command\":\"x\",\n  \"args\":[1]}}}")});
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].at()->line, 3U);
  EXPECT_EQ(loaded.problems[0].at()->column, 11U);
  EXPECT_EQ(loaded.problems[0].at()->pointer, "/mcpServers/a.b/args/0");
}

TEST(Load, EscapesForeignNamesInEveryMessage) {  // J58
  const LoadResult loaded = load(
      {owner("{\"version\":1,\"mcpServers\":{\"a\":{\"command\":\"x\",\"\xE2\x80\xAE\x1b\":1}}}")});
  EXPECT_FALSE(loaded.ok());  // a raw control byte is no JSON
  const LoadResult second = load(
      {owner("{\"version\":1,\"mcpServers\":{\"a\":{\"command\":\"x\",\"\xE2\x80\xAE\":1}}}")});
  ASSERT_EQ(second.problems.size(), 1U);
  EXPECT_NE(second.problems[0].what().find("\\u202e"), std::string::npos);
  EXPECT_EQ(second.render().find("\xE2\x80\xAE"), std::string::npos);
}

TEST(Load, RefusesNulInAnyForm) {  // J58
  EXPECT_FALSE(load({owner(std::string("{\"version\":1}\0", 14))}).ok());
  EXPECT_FALSE(load({owner(R"({"version":1,"policy":{"cwd":"/a\u0000b"}})")}).ok());
}

TEST(Load, KindOf) {
  EXPECT_EQ(kind_of(R"({"version":1,"mcpServers":{}})"), SourceKind::kCalaboose);
  EXPECT_EQ(kind_of(R"({"mcpServers":{}})"), SourceKind::kHostFile);
  EXPECT_EQ(kind_of(R"({"servers":{},"inputs":[]})"), SourceKind::kHostFile);
  EXPECT_EQ(kind_of(R"({"mcpServers":{},"policy":{}})"), SourceKind::kCalaboose);
  EXPECT_EQ(kind_of("not json"), SourceKind::kCalaboose);
  EXPECT_EQ(kind_of("{}"), SourceKind::kCalaboose);
}

TEST(Load, HostFilesMayHoldOurKeysWhenAccepted) {
  const std::string text =
      R"({"mcpServers":{"a":{"command":"x","sandbox":{"filesystem":{"allowRead":["/data"]}}}}})";
  EXPECT_EQ(policy_of({host(text)}).paths.size(), 1U);
  EXPECT_EQ(refused({host(text, false)}, "CB2031").code(), Errc::kDenied);
}

TEST(Load, DisabledInAnyFileStaysDisabled) {
  EXPECT_EQ(
      refused({owner(one_server("")), host(R"({"servers":{"a":{"command":"x","disabled":true}}})")},
              "CB2034")
          .code(),
      Errc::kDenied);
}

TEST(Load, OneUnavailableServerDoesNotStopTheOthers) {
  const std::string text =
      R"({"version":1,"mcpServers":{"a":{"command":"x"},"b":{"url":"https://mcp.example.com"},)"
      R"("c":{"command":"x","requireToolApproval":true}}})";
  EXPECT_EQ(policy_of({owner(text)}).command.value, "x");
  EXPECT_EQ(exit_code_of(refused({owner(text)}, "CB2033", {}, "b").code()), 2);
  EXPECT_EQ(exit_code_of(refused({owner(text)}, "CB2033", {}, "c").code()), 4);
}

TEST(Load, CheckJsonIsOneDocument) {
  const std::string good = check_json(load({owner(one_server(""))}));
  EXPECT_EQ(good, R"({"ok":true,"servers":["a"],"problems":[],"notes":[]})");
  const std::string bad = check_json(load({owner(R"({"version":1,"polic":{}})")}));
  EXPECT_EQ(
      bad,
      R"({"ok":false,"servers":[],"problems":[{"id":"CB2004","message":"unknown key \"polic\"",)"
      R"("at":"config.jsonc:1:14","line":1,"column":14,"pointer":"/polic","hint":"did you mean \"policy\"?"}],)"
      R"("notes":[]})");
}

TEST(Load, FullAuditStopsTheStart) {
  const std::string text =
      R"({"version":1,"audit":{"level":"full"},"mcpServers":{"a":{"command":"x"}}})";
  EXPECT_EQ(refused({owner(text)}, "CB2033").code(), Errc::kCannotEnforce);
}

}  // namespace
}  // namespace calaboose::policy::testing
