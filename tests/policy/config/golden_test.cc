// SPDX-License-Identifier: Apache-2.0
// Whole texts: every file of tests/data/config/invalid with its problems, every file of valid with
// what it means. File names tell the kind: *.host.json, *.managed.jsonc, *.unaccepted.jsonc, else
// our own, accepted.
#include <algorithm>

#include "policy/config/check.h"
#include "policy/config/explain.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

std::vector<std::string> inputs_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CALABOOSE_TEST_DATA "/" + folder)) {
    if (entry.path().extension() != ".expected") {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

LoadResult load_file(const std::string& folder, const std::string& name) {
  SourceText source;
  source.path = name;
  source.text = read_text(CALABOOSE_TEST_DATA "/" + folder + "/" + name);
  source.digest = kDigest;
  source.trusted = name.find(".unaccepted.") == std::string::npos;
  if (name.find(".host.") != std::string::npos) {
    source.kind = SourceKind::kHostFile;
  } else if (name.find(".managed.") != std::string::npos) {
    source.kind = SourceKind::kManaged;
  }
  return load_config({source});
}

std::string expected(const std::string& folder, const std::string& name) {
  return read_text(CALABOOSE_TEST_DATA "/" + folder + "/" + name + ".expected");
}

// Configuration text must never reach a terminal as it is (J58).
void expect_harmless(const std::string& text) {
  for (const char c : text) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
    ASSERT_NE(c, '\x7F') << text;
  }
}

class Invalid : public ::testing::TestWithParam<std::string> {};

class Valid : public ::testing::TestWithParam<std::string> {};

TEST_P(Invalid, ReportsExactly) {
  const LoadResult loaded = load_file("invalid", GetParam());
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.render() + "\n", expected("invalid", GetParam()));
  EXPECT_EQ(exit_code_of(loaded.error().code()), 2);
  expect_harmless(loaded.render());
  for (const Error& problem : loaded.problems) {
    EXPECT_EQ(problem.id().substr(0, 3), "CB2");
    ASSERT_TRUE(problem.at().has_value());
    EXPECT_EQ(problem.at()->file, GetParam());
  }
}

TEST_P(Valid, MeansExactly) {
  const LoadResult loaded = load_file("valid", GetParam());
  ASSERT_TRUE(loaded.ok()) << loaded.render();
  std::string out = check_text(loaded);
  for (const std::string_view name : loaded.config.server_names()) {
    const auto policy = resolve_server(loaded.config, name, {}, environment());
    out += "\n";
    if (policy.ok()) {
      out += explain_text(*policy);
    } else {
      out += "server " + std::string(name) + ": exit " +
             std::to_string(exit_code_of(policy.error().code())) + "\n" + policy.error().render() +
             "\n";
    }
  }
  EXPECT_EQ(out, expected("valid", GetParam()));
  expect_harmless(out);
  // No value that a reference reads may be shown.
  for (const char* secret : {"tok-0123456789", "file-secret-value", "do-not-print-this"}) {
    EXPECT_EQ(out.find(secret), std::string::npos) << out;
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(ConfigText, Invalid, ::testing::ValuesIn(inputs_in("invalid")), test_name);
INSTANTIATE_TEST_SUITE_P(ConfigText, Valid, ::testing::ValuesIn(inputs_in("valid")), test_name);

TEST(ConfigText, HasEnoughGoldenFiles) {
  EXPECT_GE(inputs_in("invalid").size(), 30U);
  EXPECT_GE(inputs_in("valid").size(), 12U);
}

}  // namespace
}  // namespace calaboose::policy::testing
