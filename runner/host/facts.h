// SPDX-License-Identifier: Apache-2.0
// What the plan needs to know about this machine; the only way the pure planner sees the file
// system. Place: runner/host (real), tests (fake).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calaboose::host {

struct FileInfo {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint32_t mode = 0;  // st_mode
  std::uint32_t uid = 0;

  bool is_directory() const { return (mode & 0170000U) == 0040000U; }

  bool is_regular() const { return (mode & 0170000U) == 0100000U; }

  bool is_symlink() const { return (mode & 0170000U) == 0120000U; }
};

/// Read-only questions to the file system.
class Files {
 public:
  virtual ~Files() = default;
  virtual std::optional<FileInfo> stat(const std::string& path) const = 0;  // follows links
  virtual std::optional<FileInfo> lstat(const std::string& path) const = 0;
  virtual std::optional<std::string> real_path(const std::string& path) const = 0;
  virtual std::optional<std::string> read_link(const std::string& path) const = 0;
  virtual std::optional<std::string> read_head(const std::string& path,
                                               std::size_t max_bytes) const = 0;
  virtual bool is_executable(const std::string& path) const = 0;
  virtual std::vector<std::string> list(const std::string& dir, std::size_t max_entries) const = 0;
};

struct HostFacts {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string home;              // of the user, real path
  std::string cwd;               // real path
  std::string path;              // PATH
  std::string term;              // TERM
  std::string lang;              // LANG
  std::string data_home;         // $XDG_DATA_HOME/calaboose, absolute
  std::string state_home;        // $XDG_STATE_HOME/calaboose
  std::string config_home;       // $XDG_CONFIG_HOME/calaboose
  int landlock_abi = 0;          // 0: none
  const Files* files = nullptr;  // not owned
};

}  // namespace calaboose::host
