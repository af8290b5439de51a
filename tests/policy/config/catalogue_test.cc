// SPDX-License-Identifier: Apache-2.0
// docs/errors.md and the sources name the same codes; docs/policy-format.md names every key.
#include <set>

#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

std::set<std::string> codes_in(const std::string& text, const std::string& before,
                               const std::string& after) {
  std::set<std::string> found;
  for (std::size_t at = text.find(before + "CB2"); at != std::string::npos;
       at = text.find(before + "CB2", at + 1)) {
    const std::string code = text.substr(at + before.size(), 6);
    if (text.compare(at + before.size() + 6, after.size(), after) == 0) {
      found.insert(code);
    }
  }
  return found;
}

TEST(Catalogue, HoldsEveryCodeOfTheSources) {
  std::set<std::string> minted;
  for (const auto& entry : std::filesystem::directory_iterator(CALABOOSE_TEST_SOURCES)) {
    if (entry.path().extension() == ".cc") {
      minted.merge(codes_in(read_text(entry.path()), "\"", "\""));
    }
  }
  EXPECT_GE(minted.size(), 25U);
  const std::set<std::string> documented =
      codes_in(read_text(CALABOOSE_TEST_DOCS "/errors.md"), "\n| ", " |");
  for (const std::string& code : minted) {
    EXPECT_EQ(documented.count(code), 1U) << code << " is not in docs/errors.md";
  }
  for (const std::string& code : documented) {
    const bool ours = code < "CB2090";
    EXPECT_TRUE(!ours || minted.count(code) == 1U) << code << " is documented but never used";
  }
}

TEST(Catalogue, FormatNamesEveryKey) {
  const std::string text = read_text(CALABOOSE_TEST_DOCS "/policy-format.md");
  for (const KeySpec& key : config_keys()) {
    const std::size_t dot = key.path.rfind('.');
    const std::string last(dot == std::string_view::npos ? key.path : key.path.substr(dot + 1));
    const bool of_network = key.path.starts_with("sandbox.network.");  // described as a group
    EXPECT_TRUE(of_network || text.find(last) != std::string::npos) << key.path;
  }
}

}  // namespace
}  // namespace calaboose::policy::testing
