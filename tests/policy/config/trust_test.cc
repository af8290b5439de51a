// SPDX-License-Identifier: Apache-2.0
// A file that nobody accepted can only tighten (I12, T6): every key, over a wide and over a narrow
// owner's file.
#include <algorithm>
#include <map>

#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

// For every key: values that would widen something, and some that would not.
const std::map<std::string, std::vector<std::string>>& attempts() {
  static const std::map<std::string, std::vector<std::string>> kAttempts{
      {"command", {R"("evil")"}},
      {"args", {R"(["--evil"])", "[]"}},
      {"url", {R"("https://evil.example")"}},
      {"headers", {R"({"X":"1"})", "{}"}},
      {"cwd", {R"("/etc")"}},
      {"env",
       {R"({"LD_PRELOAD":"/evil.so"})", R"({"NODE_OPTIONS":"--require /evil.js","PATH":"/evil"})",
        R"({"OWN":"changed"})", "{}"}},
      {"inheritDefaultEnv", {"true", "false"}},
      {"timeout", {"1", "86400000"}},
      {"clientInfo.name", {R"("evil")"}},
      {"clientInfo.version", {R"("9")"}},
      {"protocolVersion", {R"("legacy")"}},
      {"install", {R"("auto")", R"("never")"}},
      {"allowedHosts", {R"(["evil.example"])", "[]"}},
      {"sandbox", {R"("off")", "{}"}},
      {"sandbox.profile", {R"("node")", R"("python")", R"("strict")"}},
      {"sandbox.minimumLevel", {R"("reduced")", R"("full")"}},
      {"sandbox.filesystem.allowRead", {R"(["/"])", R"(["~/.ssh"])", R"(["/owner/read"])", "[]"}},
      {"sandbox.filesystem.allowWrite",
       {R"(["/"])", R"(["~"])", R"(["/owner/read"])", R"(["/owner/write","~"])", "[]"}},
      {"sandbox.filesystem.denyRead", {"[]", R"(["/more"])"}},
      {"sandbox.filesystem.denyWrite", {"[]", R"(["/more"])"}},
      {"sandbox.network.allowedDomains", {R"(["*.evil.example"])", "[]"}},
      {"sandbox.network.deniedDomains", {R"(["x.example"])", "[]"}},
      {"sandbox.network.rules", {R"([{"host":"evil.example"}])", "[]"}},
      {"sandbox.network.upstreamProxy", {R"("http://evil.example")"}},
      {"sandbox.network.noProxy", {R"(["x"])", "[]"}},
      {"sandbox.network.caFile", {R"("/evil.pem")"}},
      {"sandbox.limits.memory", {R"("16TiB")", R"("16MiB")"}},
      {"sandbox.limits.tasks", {"4194304", "1"}},
      {"sandbox.limits.openFiles", {"1048576", "16"}},
      {"sandbox.limits.fileSize", {R"("16TiB")", "4096"}},
      {"sandbox.limits.tmpSize", {R"("16TiB")", R"("1MiB")"}},
      {"sandbox.limits.enforce", {R"("best")", R"("hard")"}},
      {"sandbox.unixSockets", {R"(["/run/docker.sock"])", "true", "false", "[]"}},
      {"requireToolApproval", {"false", "true", "[]"}},
      {"sanitize.rules", {"[]", "[{}]"}},
      {"forwardInstructions", {"true", "false"}},
      {"instructionsMaxLength", {"65536", "0"}},
      {"trustAnnotations", {"true", "false"}},
      {"firstUse", {R"("off")", R"("pin")", R"("hold")"}},
  };
  return kAttempts;
}

// {"sandbox.limits.tasks", 1} -> "sandbox":{"limits":{"tasks":1}}
std::string nested(const std::string& path, const std::string& value) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) {
    return "\"" + path + "\":" + value;
  }
  return "\"" + path.substr(0, dot) + "\":{" + nested(path.substr(dot + 1), value) + "}";
}

const std::string kWide = one_server(
    R"("args":["own"],"cwd":"/own","env":{"OWN":"1"},"timeout":5000,"clientInfo":{"name":"own"},"sandbox":{"profile":"node",)"
    R"("minimumLevel":"reduced","filesystem":{"allowRead":["/owner/read"],"allowWrite":["/owner/write"],"denyRead":["/owner/deny"]},)"
    R"("limits":{"memory":"1GiB","tasks":100,"openFiles":100,"fileSize":"1GiB","tmpSize":"1GiB"}})");
const std::string kNarrow = one_server(
    R"("inheritDefaultEnv":false,"install":"never","sandbox":{"profile":"strict","minimumLevel":"full","filesystem":{"denyWrite":["/own"]},"limits":{"enforce":"hard"}})");
const std::string kOff = one_server(R"("sandbox":"off")");

bool limit_is_wider(std::uint64_t after, std::uint64_t before) {
  // 0 is the profile's own, which a stranger may not replace by anything.
  return before == 0 ? after != 0 : after == 0 || after > before;
}

template <class T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// What is wider in `after`, or empty.
std::string widened(const ServerPolicy& before, const ServerPolicy& after) {
  const auto same_env = [](const EnvVar& a, const EnvVar& b) {
    return a.name == b.name && a.value == b.value;
  };
  if (after.command.value != before.command.value || after.args != before.args) {
    return "command";
  }
  if (after.name != before.name || after.scope != before.scope ||
      after.cwd.value != before.cwd.value) {
    return "identity";
  }
  if (!std::equal(after.env.begin(), after.env.end(), before.env.begin(), before.env.end(),
                  same_env)) {
    return "env";
  }
  if (after.inherit_default_env.value && !before.inherit_default_env.value) {
    return "inheritDefaultEnv";
  }
  for (const PathGrant& grant : after.paths) {
    if (std::none_of(before.paths.begin(), before.paths.end(), [&](const PathGrant& old) {
          return old.path == grant.path && old.write == grant.write;
        })) {
      return "grant " + grant.path;
    }
  }
  for (const auto& [old_list, new_list] : {std::pair(&before.deny_read, &after.deny_read),
                                           std::pair(&before.deny_write, &after.deny_write)}) {
    for (const std::string& path : *old_list) {
      if (!contains(*new_list, path)) {
        return "deny " + path;
      }
    }
  }
  if (after.minimum_level.value > before.minimum_level.value ||
      (after.sandbox_off && !before.sandbox_off)) {
    return "level";
  }
  if (after.profile.value != before.profile.value && after.profile.value != "strict") {
    return "profile";
  }
  const ResourceLimits& now = after.limits;
  const ResourceLimits& then = before.limits;
  if (limit_is_wider(now.memory_bytes.value, then.memory_bytes.value) ||
      limit_is_wider(now.tasks.value, then.tasks.value) ||
      limit_is_wider(now.open_files.value, then.open_files.value) ||
      limit_is_wider(now.file_bytes.value, then.file_bytes.value) ||
      limit_is_wider(now.tmp_bytes.value, then.tmp_bytes.value) ||
      (then.enforce.value == Enforce::kHard && now.enforce.value == Enforce::kBest)) {
    return "limits";
  }
  if (after.timeout.value > before.timeout.value || !after.allowed_hosts.empty()) {
    return "timeout or hosts";
  }
  if (after.install.value == "auto" && before.install.value == "never") {
    return "install";
  }
  if (after.protocol_version.value != before.protocol_version.value ||
      after.client_name.value != before.client_name.value ||
      after.client_version.value != before.client_version.value) {
    return "protocol";
  }
  return {};
}

TEST(Stranger, TableHoldsEveryKey) {
  for (const KeySpec& key : config_keys()) {
    const bool is_leaf = key.shape != Shape::kObject;
    if ((key.scopes & (kServer | kPolicy)) != 0 && is_leaf) {
      EXPECT_EQ(attempts().count(std::string(key.path)), 1U) << key.path;
    }
  }
}

TEST(Stranger, CanOnlyTighten) {
  for (const std::string& owners : {kWide, kNarrow, kOff}) {
    const ServerPolicy before = policy_of({owner(owners)});
    for (const auto& [path, values] : attempts()) {
      for (const std::string& value : values) {
        const std::string keys = nested(path, value);
        std::vector<std::string> texts{R"({"version":1,"mcpServers":{"a":{)" + keys + "}}}"};
        if (find_key(path, kPolicy) != nullptr) {
          texts.push_back(R"({"version":1,"policy":{)" + keys + "}}");
        }
        for (const std::string& text : texts) {
          for (const bool stranger_last : {true, false}) {
            const std::vector<SourceText> sources =
                stranger_last ? std::vector{owner(owners), stranger(text)}
                              : std::vector{stranger(text), owner(owners)};
            const auto after = resolve(sources);
            if (after.ok()) {  // refusing is as tight as it gets
              EXPECT_EQ(widened(before, *after), "") << text << "\nover " << owners;
            }
          }
        }
      }
    }
  }
}

TEST(Stranger, TheTableCanFail) {
  // The same values from an accepted file do widen: the comparison sees it.
  const ServerPolicy before = policy_of({owner(kWide)});
  for (const char* keys :
       {R"("sandbox":"off")", R"("env":{"LD_PRELOAD":"/evil.so"})", R"("timeout":86400000)",
        R"("sandbox":{"filesystem":{"allowWrite":["/"]}})",
        R"("sandbox":{"limits":{"memory":"16TiB"}})"}) {
    const std::string text = R"({"version":1,"mcpServers":{"a":{)" + std::string(keys) + "}}}";
    EXPECT_NE(widened(before, policy_of({owner(kWide), owner(text, "other.jsonc")})), "") << keys;
  }
}

TEST(Stranger, TighteningsAreTaken) {
  const std::string text =
      R"({"version":1,"policy":{"timeout":100},"mcpServers":{"a":{"inheritDefaultEnv":false,"install":"never","sandbox":{"profile":"strict",)"
      R"("minimumLevel":"full","filesystem":{"allowRead":[],"denyRead":["~/.ssh"]},"limits":{"memory":"16MiB","enforce":"hard"}}}}})";
  const ServerPolicy policy = policy_of({owner(kWide), stranger(text)});
  EXPECT_EQ(policy.timeout.value.count(), 100);
  EXPECT_EQ(policy.timeout.origin.to_string(), "project.jsonc:1:34");
  EXPECT_FALSE(policy.inherit_default_env.value);
  EXPECT_EQ(policy.install.value, "never");
  EXPECT_EQ(policy.profile.value, "strict");
  EXPECT_EQ(policy.minimum_level.value, Level::kFull);
  ASSERT_EQ(policy.paths.size(), 1U);
  EXPECT_EQ(policy.paths[0].path, "/owner/write");
  EXPECT_EQ(policy.deny_read, (std::vector<std::string>{"/owner/deny", "/home/u/.ssh"}));
  EXPECT_EQ(policy.limits.memory_bytes.value, 16U << 20U);
  EXPECT_EQ(policy.limits.enforce.value, Enforce::kHard);
  EXPECT_FALSE(policy_of({owner(kOff), stranger(one_server(R"("sandbox":{})"))}).sandbox_off);
}

TEST(Stranger, WhatIsNotTakenIsNoted) {
  const ServerPolicy policy = policy_of(
      {owner(kWide), stranger(R"({"version":1,"mcpServers":{"a":{"timeout":9999999}}})")});
  ASSERT_EQ(policy.notes.size(), 1U);
  EXPECT_EQ(policy.notes[0],
            "project.jsonc:1:43: \"timeout\" not taken in full: the file was not accepted, so it "
            "can only tighten");
}

TEST(Stranger, MayNotReadAnything) {  // environment, files, inputs
  for (const char* value : {"${env:TOKEN}", "${TOKEN}", "${UNSET:-x}", "${file:/secrets/key}",
                            "${input:a}", "a${HOME}"}) {
    for (const std::string& keys :
         {R"("env":{"A":")" + std::string(value) + "\"}", R"("cwd":")" + std::string(value) + "\"",
          R"("sandbox":{"filesystem":{"denyRead":["${TOKEN}"]}})" + std::string()}) {
      const std::string text = R"({"version":1,"mcpServers":{"a":{)" + keys + "}}}";
      const Refusal error = refused({owner(kWide), stranger(text)}, "CB2032");
      EXPECT_EQ(error.code(), Errc::kDenied);
      EXPECT_NE(error.hint().find("--expect sha256:" + kDigest), std::string::npos);
    }
  }
}

TEST(Stranger, OwnServerDoesNotStart) {
  const Refusal error = refused({stranger(one_server(R"("env":{"A":"${env:TOKEN}"})"))}, "CB2031");
  EXPECT_EQ(exit_code_of(error.code()), 3);
  EXPECT_EQ(error.hint(), "look at project.jsonc, then accept it with --expect sha256:" + kDigest);
  EXPECT_NE(error.excerpt().find("runs:   x"), std::string::npos);
  EXPECT_NE(error.excerpt().find("reads:  ${env:TOKEN}"), std::string::npos);
  // Also not when the owner only added settings for that name.
  refused({owner(R"({"version":1,"mcpServers":{"a":{"timeout":5}}})"), stranger(one_server(""))},
          "CB2031");
}

TEST(Stranger, CannotSpeakForTheCommandLine) {
  const std::string text =
      R"({"version":1,"policy":{"env":{"LD_PRELOAD":"/evil.so"},"sandbox":{"filesystem":{"allowRead":["/"]}}}})";
  const ServerPolicy policy = policy_of({stranger(text)}, command("node"), "");
  EXPECT_TRUE(policy.env.empty());
  EXPECT_TRUE(policy.paths.empty());
  EXPECT_EQ(policy.notes.size(), 2U);
}

TEST(Stranger, CannotTurnTheAuditUpOrDown) {
  const LoadResult loaded = load({stranger(R"({"version":1,"audit":{"level":"full"}})")});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.config.audit_level.value, "meta");
}

}  // namespace
}  // namespace calaboose::policy::testing
