// SPDX-License-Identifier: Apache-2.0
// Small helpers of the configuration tests: texts in, policies out, a fixed environment.
// Place: tests/policy/config.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/config/load.h"
#include "policy/config/resolve.h"

namespace calaboose::policy::testing {

inline const std::string kDigest(64, '0');

inline SourceText owner(std::string text, std::string path = "config.jsonc") {
  return {std::move(path), std::move(text), SourceKind::kCalaboose, true, kDigest};
}

inline SourceText stranger(std::string text, std::string path = "project.jsonc") {
  return {std::move(path), std::move(text), SourceKind::kCalaboose, false, kDigest};
}

inline SourceText host(std::string text, bool trusted = true) {
  return {"mcp.json", std::move(text), SourceKind::kHostFile, trusted, kDigest};
}

inline SourceText managed(std::string text) {
  return {"managed.jsonc", std::move(text), SourceKind::kManaged, true, kDigest};
}

/// A file of ours with one server "a" that runs "x" and has `keys` besides.
inline std::string one_server(std::string_view keys) {
  return R"({"version":1,"mcpServers":{"a":{"command":"x")" + std::string(keys.empty() ? "" : ",") +
         std::string(keys) + "}}}";
}

inline Environment environment() {
  Environment env;
  env.variables = {{"TOKEN", "tok-0123456789"},
                   {"HOME", "/home/u"},
                   {"EMPTY", ""},
                   {"DATA", "/data"},
                   {"LANG", "C.UTF-8"},
                   {"RELATIVE", "a/b"},
                   {"CLIMBS", "/a/../etc"},
                   {"HOSTILE", "--help"},
                   {"AWS_SECRET_ACCESS_KEY", "do-not-print-this"}};
  env.home = "/home/u";
  env.cwd = "/src/project";
  env.read_file = [](const std::string& path) -> Result<std::string> {
    if (path == "/secrets/key" || path == "/home/u/key") {
      return std::string("file-secret-value\n");
    }
    if (path == "/big") {
      return std::string(kMaxSecretFileBytes + 1, 'x');
    }
    if (path == "/nul") {
      return std::string("a\0b", 3);
    }
    return Error(Errc::kIo, "No such file or directory (ENOENT)");
  };
  return env;
}

inline LoadResult load(std::vector<SourceText> sources) {
  return load_config(sources);
}

/// Loads (which must work) and resolves "a".
inline Result<ServerPolicy> resolve(const std::vector<SourceText>& sources,
                                    const CommandLine& line = {}, std::string_view name = "a") {
  const LoadResult loaded = load_config(sources);
  EXPECT_TRUE(loaded.ok()) << loaded.render();
  return resolve_server(loaded.config, name, line, environment());
}

/// The same where resolving must work too.
inline ServerPolicy policy_of(const std::vector<SourceText>& sources, const CommandLine& line = {},
                              std::string_view name = "a") {
  Result<ServerPolicy> policy = resolve(sources, line, name);
  if (!policy.ok()) {
    ADD_FAILURE() << policy.error().render();
    return {};
  }
  return std::move(*policy);
}

/// An error that may be dropped: the id was checked already.
struct Refusal : Error {
  explicit Refusal(Error error) : Error(std::move(error)) {}
};

/// Resolving must fail with this id; returns the error for more questions.
inline Refusal refused(const std::vector<SourceText>& sources, std::string_view id,
                       const CommandLine& line = {}, std::string_view name = "a") {
  Result<ServerPolicy> policy = resolve(sources, line, name);
  if (policy.ok()) {
    ADD_FAILURE() << "resolved, but " << id << " was expected";
    return Refusal({Errc::kInternal, "none"});
  }
  EXPECT_EQ(policy.error().id(), id) << policy.error().render();
  return Refusal(std::move(policy).error());
}

inline CommandLine command(std::string program, std::vector<std::string> args = {}) {
  CommandLine line;
  line.command = std::move(program);
  line.args = std::move(args);
  return line;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace calaboose::policy::testing
