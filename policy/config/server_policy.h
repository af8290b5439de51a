// SPDX-License-Identifier: Apache-2.0
// The effective, immutable policy of one server: every value with its origin.
// Place: policy/config; made by load and merge, read by runner/plan and runner/gateway. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace calaboose::policy {

/// Where a value came from: "built-in", "profile node", "command line", or a file position.
struct Origin {
  std::string source = "built-in";
  std::optional<SourceRef> at;

  std::string to_string() const;  // "config.jsonc:12:7" or the source
};

template <class T>
struct Setting {
  T value{};
  Origin origin;
};

enum class Level : std::uint8_t {
  kFull,
  kReduced,
  kOff
};  // "full", "reduced"; kOff only by "sandbox": "off"

enum class Enforce : std::uint8_t { kBest, kHard };

/// One name of `env`. The value is resolved by load (references followed), never logged.
struct EnvVar {
  std::string name;
  std::string value;
  bool is_secret = false;  // came by ${env:…} or ${file:…}, or --env NAME
  std::string reference;   // "${env:TOKEN}" for display
  Origin origin;
};

struct PathGrant {
  std::string path;  // absolute, ~ and variables expanded, not yet resolved
  bool write = false;
  Origin origin;
};

struct HostRule {
  std::string text;  // as written; judged by the egress of a later version
  Origin origin;
};

struct ResourceLimits {  // 0: the profile's default
  Setting<std::uint64_t> memory_bytes;
  Setting<std::uint32_t> tasks;
  Setting<std::uint32_t> open_files;
  Setting<std::uint64_t> file_bytes;
  Setting<std::uint64_t> tmp_bytes;
  Setting<Enforce> enforce;
};

struct ServerPolicy {
  std::string name;  // server key, --name, or the program's name
  std::string scope =
      "cli";  // the configuration's real path, or "cli" (identity, design section 5)
  Setting<std::string> command;
  std::vector<std::string> args;
  Origin args_origin;
  Setting<std::string> cwd;  // absolute; empty: decided by the plan
  std::vector<EnvVar> env;
  Setting<bool> inherit_default_env{true, {}};
  Setting<std::string>
      profile;  // "strict", "runtime", "node", "python"; empty: chosen by the command
  Setting<Level> minimum_level{Level::kFull, {}};
  bool sandbox_off = false;  // only by "sandbox": "off"
  Origin sandbox_origin;
  std::vector<PathGrant> paths;
  std::vector<std::string> deny_read;
  std::vector<std::string> deny_write;
  std::vector<Origin> deny_read_origins;  // one for each entry of deny_read
  std::vector<Origin> deny_write_origins;
  ResourceLimits limits;
  Setting<std::chrono::milliseconds> timeout{std::chrono::milliseconds(60'000), {}};
  std::vector<HostRule> allowed_hosts;  // known, refused by the plan in this version when not empty
  Setting<std::string> install{"auto", {}};
  Setting<std::string> protocol_version{
      "auto", {}};                   // "auto", "2026-07-28" (no other), "legacy" (no probe)
  Setting<std::string> client_name;  // clientInfo towards the server; the server key by default
  Setting<std::string> client_version{"1.0.0", {}};
  std::vector<std::string> notes;  // mapped or ignored foreign keys, for `check config` and stderr
};

}  // namespace calaboose::policy
