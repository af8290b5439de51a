// SPDX-License-Identifier: Apache-2.0
// The doctor: judging, rendering, and one real look at this kernel.
// Place: tests/runner/host.
#include "runner/host/doctor.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/fd.h"
#include "base/json/json.h"
#include "runner/host/files.h"
#include "runner/host/gather.h"

namespace calaboose::test {
namespace {

using host::Probe;

Probe probe(std::string mechanism, bool ok, bool required = true) {
  Probe out;
  out.mechanism = std::move(mechanism);
  out.ok = ok;
  out.required = required;
  if (!ok) {
    out.detail = "EPERM";
    out.kernel_setting = "some.setting = 0";
    out.fix = "turn it \"on\"";
  }
  return out;
}

TEST(Doctor, FullNeedsEveryRequiredProbe) {
  EXPECT_FALSE(host::full_possible({}));
  EXPECT_TRUE(host::full_possible({probe("a", true), probe("cgroup", false, false)}));
  EXPECT_FALSE(host::full_possible({probe("a", true), probe("b", false)}));
}

TEST(Doctor, TextNamesSettingAndFirstFix) {
  const std::string text =
      host::render_text({probe("user namespace", false), probe("Landlock", true)});
  EXPECT_NE(text.find("FAIL  user namespace"), std::string::npos) << text;
  EXPECT_NE(text.find("setting: some.setting = 0"), std::string::npos);
  EXPECT_NE(text.find("level: none"), std::string::npos);
  EXPECT_NE(text.find("first: turn it"), std::string::npos);
  EXPECT_NE(host::render_text({probe("a", true)}).find("level: full"), std::string::npos);
}

TEST(Doctor, JsonHasTheDocumentedShape) {
  const std::string text = host::render_json({probe("a", true), probe("b", false)}, "1.2");
  json::Tape tape;
  ASSERT_TRUE(tape.parse(text)) << text;
  const json::Value top = tape.root();
  EXPECT_TRUE(top.find("version").string_equals("1.2"));
  EXPECT_TRUE(top.find("level").string_equals("none"));
  EXPECT_TRUE(top.find("kernel").is_string());
  ASSERT_EQ(top.find("probes").size(), 2U);
  EXPECT_EQ(top.find("probes").element(0).find("ok").boolean(), true);
  EXPECT_FALSE(top.find("probes").element(0).find("fix").exists());
  EXPECT_TRUE(top.find("probes").element(1).find("fix").string_equals("turn it \"on\""));
  EXPECT_TRUE(top.find("probes").element(1).find("kernelSetting").is_string());
}

TEST(Doctor, ProbesThisMachineAndLeavesNoChild) {
  const host::RealFiles files;
  const std::vector<Probe> probes = host::probe_all({}, files);
  EXPECT_EQ(probes.size(), 17U);
  for (const Probe& each : probes) {
    EXPECT_FALSE(each.mechanism.empty());
    EXPECT_EQ(each.ok, each.fix.empty()) << each.mechanism;
  }
  const auto landlock = std::find_if(
      probes.begin(), probes.end(), [](const Probe& each) { return each.mechanism == "Landlock"; });
  ASSERT_NE(landlock, probes.end());
  EXPECT_EQ(landlock->ok, host::landlock_abi() > 0);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Doctor, HelperMustBeAProgramThatOthersCannotWrite) {
  const host::RealFiles files;
  const auto helper = [&](const std::string& path) { return host::probe_all({path}, files)[16]; };
  std::string path = testing::TempDir() + "/calaboose-helper-XXXXXX";
  const Fd file(::mkstemp(path.data()));
  ASSERT_TRUE(file.valid());
  EXPECT_EQ(helper(path).mechanism, "jail helper");
  EXPECT_FALSE(helper(path).ok) << "not executable";
  ASSERT_EQ(::fchmod(file.get(), 0755), 0);
  EXPECT_TRUE(helper(path).ok);
  ASSERT_EQ(::fchmod(file.get(), 0777), 0);
  EXPECT_FALSE(helper(path).ok) << "others can write to it";
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_FALSE(helper(path).ok);
}

}  // namespace
}  // namespace calaboose::test
