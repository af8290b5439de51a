// SPDX-License-Identifier: Apache-2.0
// The real file system behind the planner's questions.
// Place: runner/host; tests use an in-memory tree instead.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "runner/host/facts.h"

namespace calaboose::host {

/// Asks the kernel. Never blocks on what it finds: only regular files are read (a FIFO or device
/// named by a policy would hang or have effects), sizes and counts are bounded by the caller.
///
/// Threads   stateless; safe from any thread.
class RealFiles final : public Files {
 public:
  std::optional<FileInfo> stat(const std::string& path) const override;
  std::optional<FileInfo> lstat(const std::string& path) const override;
  std::optional<std::string> real_path(const std::string& path) const override;
  std::optional<std::string> read_link(const std::string& path) const override;
  std::optional<std::string> read_head(const std::string& path,
                                       std::size_t max_bytes) const override;
  bool is_executable(const std::string& path) const override;
  std::vector<std::string> list(const std::string& dir, std::size_t max_entries) const override;
};

/// Makes `path` and its missing parents as directories of this user with mode 0700 (J60). Existing
/// parents keep theirs. Errors  kIo: cannot be made; `path` exists but is no directory, is somebody
/// else's, or is a symbolic link.
Result<void> make_private_directory(const std::string& path);

}  // namespace calaboose::host
