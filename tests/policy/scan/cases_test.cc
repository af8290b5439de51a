// SPDX-License-Identifier: Apache-2.0
// The shared case file: what must be stripped exactly so, what must not be touched.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/json/write.h"
#include "policy/scan/scan.h"

namespace calaboose::policy {
namespace {

struct Case {
  std::string id;
  std::string surface;
  std::string input;
  std::string expect;
  std::string output;
};

std::vector<Case> load() {
  std::vector<Case> cases;
  std::ifstream in(std::string(CALABOOSE_SOURCE_DIR) + "/tests/data/sanitizer-cases.jsonl");
  for (std::string line; std::getline(in, line);) {
    // One case holds NUL on purpose; the tokenizer refuses that, so it travels as another control
    // here.
    for (std::size_t at = 0; (at = line.find("\\u0000", at)) != std::string::npos;) {
      line.replace(at, 6, "\\u0001");
    }
    json::Tape tape;
    EXPECT_TRUE(tape.parse(line)) << tape.error().what << "\n" << line;
    const json::Value row = tape.root();
    cases.push_back({row.find("id").string_or(""), row.find("surface").string_or(""),
                     row.find("input").string_or(""), row.find("expect").string_or(""),
                     row.find("output").string_or("")});
  }
  return cases;
}

TEST(SharedCases, EverySurfaceNameIsKnown) {
  const std::vector<Case> cases = load();
  ASSERT_GE(cases.size(), 140U);
  for (const Case& c : cases) {
    bool known = false;
    surface_by_name(c.surface, known);
    EXPECT_TRUE(known) << c.id << " " << c.surface;
  }
}

TEST(SharedCases, StripCasesAreReachedExactly) {  // M02 M03 M04 M05
  int seen = 0;
  for (const Case& c : load()) {
    if (c.expect != "strip") {
      continue;
    }
    ++seen;
    bool known = false;
    const Scanner::TextResult result =
        Scanner().scan_text(surface_by_name(c.surface, known), c.input);
    EXPECT_EQ(result.output, c.output) << c.id;
    EXPECT_EQ(result.strongest, Action::kStrip) << c.id;
    ASSERT_FALSE(result.findings.empty()) << c.id;
    EXPECT_TRUE(result.findings.front().rule.starts_with("characters/")) << c.id;
  }
  EXPECT_EQ(seen, 22);
}

TEST(SharedCases, EverythingElseIsUntouched) {
  int seen = 0;
  for (const Case& c : load()) {
    if (c.expect == "strip") {
      continue;
    }
    ++seen;
    bool known = false;
    const Scanner::TextResult result =
        Scanner().scan_text(surface_by_name(c.surface, known), c.input);
    EXPECT_EQ(result.output, c.input) << c.id;
    EXPECT_EQ(result.strongest, Action::kAllow) << c.id;
    EXPECT_TRUE(result.findings.empty()) << c.id;
  }
  EXPECT_GE(seen, 120);
}

// The same texts as leaves of a message, in every surface that takes running text.
TEST(SharedCases, TextsPassThroughMessages) {
  for (const Case& c : load()) {
    if (c.surface != "result.text" || c.expect == "strip") {
      continue;
    }
    std::string message = R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":)";
    message += json::quoted(c.input) + "}]}}";
    json::Tape tape;
    ASSERT_TRUE(tape.parse(message)) << c.id;
    const ScanResult result =
        Scanner().scan({MessageContext::Role::kResult, "tools/call", true}, tape.root());
    EXPECT_FALSE(result.changed) << c.id;
    EXPECT_TRUE(result.findings.empty()) << c.id;
  }
}

}  // namespace
}  // namespace calaboose::policy
