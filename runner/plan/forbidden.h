// SPDX-License-Identifier: Apache-2.0
// Places that are never granted as a whole, whoever asks.
// Place: runner/plan, private to it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/host/facts.h"

namespace calaboose::plan {

class Forbidden {
 public:
  explicit Forbidden(const host::HostFacts& facts);

  /// True where an automatic grant may not start: "/", $HOME, what contains it, shared and system
  /// directories, our own folders and what contains them.
  bool automatic(const std::string& real) const;

  /// Why the owner cannot grant this path either; nothing: it may be granted.
  std::optional<std::string> reason_against(const std::string& real, bool write) const;

  /// Our own folders on this machine, as real paths.
  const std::vector<std::string>& own_folders() const { return own_; }

 private:
  std::string home_;
  std::vector<std::string> own_;
  std::vector<std::string> path_dirs_;  // directories on the owner's PATH
};

}  // namespace calaboose::plan
