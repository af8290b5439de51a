// SPDX-License-Identifier: Apache-2.0
// What a kind of server gets without being asked: the files of profiles/, compiled in.
// Place: runner/plan; read by build_plan and `policy explain`. Pure. Format: docs/profiles.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace calaboose::plan {

struct ProfileGrant {
  std::string path;       // absolute on the host, appears in the jail under the same name
  bool optional = false;  // skipped where it does not exist
  std::string reason;
};

struct ProfileTmpfs {
  std::uint64_t size_bytes = 0;
  std::uint32_t inodes = 0;
  bool executable = false;
  std::string reason;
};

struct ProfileVariable {
  std::string name;
  std::string value;
  std::string reason;
};

struct Profile {
  std::string name;
  std::string description;
  std::vector<std::string> commands;  // programs that choose this profile, without a version suffix
  bool toolchain = false;  // the interpreter's own directories and the script's package are granted
  std::vector<ProfileGrant> grants;  // all read-only
  bool proc_own_only = true;         // /proc with subset=pid
  std::string proc_reason;
  ProfileTmpfs tmp;
  ProfileTmpfs shm;
  bool home_executable = false;
  std::string home_reason;
  std::vector<ProfileVariable> environment;
  std::uint64_t memory_bytes = 0;
  std::uint32_t tasks = 0;
  std::uint32_t open_files = 0;
  std::uint64_t file_bytes = 0;
  std::string limits_reason;
};

/// The names of the profiles that are compiled in, sorted.
std::vector<std::string_view> profile_names();

/// A compiled-in profile with everything it extends.
/// Errors  kInvalidConfig with a suggestion for an unknown name.
Result<Profile> load_profile(std::string_view name);

/// Reads one profile's text over `base` (what it extends, or a default Profile).
/// Errors  kInvalidConfig: unknown key, missing reason, wrong type, a path that no profile may
/// grant.
Result<Profile> parse_profile(std::string_view text, Profile base);

/// The profile whose `commands` name this program ("python3.11" matches "python3"), else "strict".
std::string profile_for_command(std::string_view program_name);

/// "512MiB", "1GiB", "64KiB", "4096" as bytes. Errors kInvalidConfig.
Result<std::uint64_t> parse_size(std::string_view text);

}  // namespace calaboose::plan
