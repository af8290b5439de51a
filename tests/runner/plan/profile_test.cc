// SPDX-License-Identifier: Apache-2.0
// The compiled-in profiles: each loads, each grant has a reason, none reaches too far.
// Place: tests/runner/plan.
#include "runner/plan/profile.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace calaboose::test {
namespace {

using plan::load_profile;
using plan::Profile;

TEST(Profiles, AllLoadAndEveryGrantHasAReason) {  // K4
  const std::vector<std::string_view> names = plan::profile_names();
  EXPECT_EQ(names, (std::vector<std::string_view>{"node", "python", "runtime", "strict"}));
  for (const std::string_view name : names) {
    const auto profile = load_profile(name);
    ASSERT_TRUE(profile.ok()) << profile.error().render();
    EXPECT_EQ(profile->name, name);
    EXPECT_FALSE(profile->description.empty());
    for (const plan::ProfileGrant& grant : profile->grants) {
      EXPECT_GT(grant.reason.size(), 10U) << name << " " << grant.path;
    }
    for (const plan::ProfileVariable& variable : profile->environment) {
      EXPECT_GT(variable.reason.size(), 10U) << name << " " << variable.name;
    }
    for (const std::string& reason :
         {profile->proc_reason, profile->tmp.reason, profile->shm.reason, profile->home_reason,
          profile->limits_reason}) {
      EXPECT_FALSE(reason.empty()) << name;
    }
    EXPECT_GT(profile->memory_bytes, 0U);
    EXPECT_GT(profile->tasks, 0U);
    EXPECT_GT(profile->open_files, 0U);
    EXPECT_GT(profile->file_bytes, 0U);
    EXPECT_GT(profile->tmp.size_bytes, 0U);
    EXPECT_GT(profile->tmp.inodes, 0U);
  }
}

TEST(Profiles, StrictIsStricter) {
  const auto strict = load_profile("strict");
  const auto node = load_profile("node");
  ASSERT_TRUE(strict.ok() && node.ok());
  EXPECT_TRUE(strict->proc_own_only);
  EXPECT_FALSE(strict->toolchain);
  EXPECT_FALSE(strict->tmp.executable || strict->home_executable || strict->shm.executable);
  EXPECT_LT(strict->tasks, node->tasks);
  for (const plan::ProfileGrant& grant : strict->grants) {
    EXPECT_EQ(grant.path.substr(0, 5), "/etc/") << grant.path;
  }
}

TEST(Profiles, AreChosenByTheProgramsName) {
  EXPECT_EQ(plan::profile_for_command("node"), "node");
  EXPECT_EQ(plan::profile_for_command("nodejs"), "node");
  EXPECT_EQ(plan::profile_for_command("node20"), "node");
  EXPECT_EQ(plan::profile_for_command("python3.11"), "python");
  EXPECT_EQ(plan::profile_for_command("pypy3"), "python");
  EXPECT_EQ(plan::profile_for_command("bash"), "strict");
  EXPECT_EQ(plan::profile_for_command(""), "strict");
}

TEST(Profiles, UnknownNameSuggests) {
  const auto profile = load_profile("nod");
  ASSERT_FALSE(profile.ok());
  EXPECT_NE(profile.error().hint().find("node"), std::string::npos);
  EXPECT_FALSE(load_profile("").ok());
}

std::string profile_text(const std::string& extra) {
  return R"({"version":1,"name":"t","description":"d")" + extra + "}";
}

struct BadProfile {
  const char* name;
  const char* extra;
};

class RefusedProfile : public testing::TestWithParam<BadProfile> {};

TEST_P(RefusedProfile, IsAnError) {
  const auto profile = plan::parse_profile(profile_text(GetParam().extra), Profile{});
  EXPECT_FALSE(profile.ok());
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedProfile,
    testing::Values(
        BadProfile{"UnknownKey", R"(,"filesytem":[])"},
        BadProfile{"NoReason", R"(,"filesystem":[{"path":"/usr","access":"read"}])"},
        BadProfile{"EmptyReason", R"(,"filesystem":[{"path":"/usr","access":"read","reason":""}])"},
        BadProfile{"Write",
                   R"(,"filesystem":[{"path":"/usr","access":"write","reason":"why not"}])"},
        BadProfile{"Root", R"(,"filesystem":[{"path":"/","access":"read","reason":"all"}])"},
        BadProfile{"Home", R"(,"filesystem":[{"path":"/home/x","access":"read","reason":"all"}])"},
        BadProfile{"Run", R"(,"filesystem":[{"path":"/run/x","access":"read","reason":"all"}])"},
        BadProfile{"Dots",
                   R"(,"filesystem":[{"path":"/usr/../home","access":"read","reason":"all"}])"},
        BadProfile{"Relative", R"(,"filesystem":[{"path":"usr","access":"read","reason":"all"}])"},
        BadProfile{"Proc", R"(,"proc":{"view":"full","reason":"all"})"},
        BadProfile{"Size", R"(,"tmp":{"size":"1GB","reason":"all"})"},
        BadProfile{"Count", R"(,"limits":{"tasks":0,"reason":"all"})"},
        BadProfile{"Variable", R"(,"environment":[{"name":"A","reason":"x"}])"}),
    [](const auto& row) { return row.param.name; });

TEST(ProfileText, ParsesWhatItShould) {
  EXPECT_TRUE(plan::parse_profile(profile_text(""), Profile{}).ok());
  EXPECT_FALSE(plan::parse_profile("{", Profile{}).ok());
  EXPECT_FALSE(plan::parse_profile("[]", Profile{}).ok());
  EXPECT_FALSE(
      plan::parse_profile(R"({"version":2,"name":"t","description":"d"})", Profile{}).ok());
}

TEST(Sizes, HaveBinaryUnitsOnly) {
  EXPECT_EQ(*plan::parse_size("512MiB"), 512ULL << 20U);
  EXPECT_EQ(*plan::parse_size("4096"), 4096U);
  EXPECT_EQ(*plan::parse_size("2GiB"), 2ULL << 30U);
  for (const char* bad :
       {"", "MiB", "1MB", "-1", "1.5GiB", "99999999999999999999", "17179869185GiB"}) {
    EXPECT_FALSE(plan::parse_size(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace calaboose::test
