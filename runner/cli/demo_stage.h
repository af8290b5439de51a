// SPDX-License-Identifier: Apache-2.0
// The scene of `demo`: a make-believe home with planted keys, a listening port and a socket, all
// gone afterwards. Place: runner/cli. Nothing of the user's own is shown to the hostile server.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace calaboose::cli {

class DemoStage {
 public:
  /// Errors  kIo: no place for temporary files.
  static Result<DemoStage> set_up();
  DemoStage(DemoStage&&) = default;
  DemoStage& operator=(DemoStage&&) = delete;
  DemoStage(const DemoStage&) = delete;
  DemoStage& operator=(const DemoStage&) = delete;
  ~DemoStage();

  const std::string& home() const { return home_; }

  std::string audit_log() const { return root_ + "/audit.jsonl"; }

  std::string state_home() const { return root_ + "/state"; }

  /// What the hostile server is told to go for.
  std::vector<std::string> server_arguments() const;
  /// The environment of both runs: the planted home and a make-believe key.
  std::vector<std::string> environment(const std::string& path) const;
  /// True if the shell start file was written to since the last call; puts it back.
  bool rc_file_was_changed();

 private:
  DemoStage() = default;
  Result<void> plant();
  Result<void> listen();

  std::string root_;
  std::string home_;
  Fd tcp_;
  Fd unix_;
  int port_ = 0;
};

}  // namespace calaboose::cli
