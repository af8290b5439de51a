// SPDX-License-Identifier: Apache-2.0
// Collects HostFacts for this process.
// Place: runner/host. The environment comes in from main as a map: nothing below main calls getenv.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "runner/host/facts.h"

namespace calaboose::host {

using EnvironmentMap = std::map<std::string, std::string>;

/// main's environ as a map; the first of two equal names counts, as for getenv.
EnvironmentMap environment_map(const char* const* environ_block);

/// Our own folders: $XDG_*_HOME where absolute (relative ones are ignored, as the specification
/// says), else below HOME.
struct OwnFolders {
  std::string config_home;  // …/calaboose
  std::string data_home;
  std::string state_home;
};

OwnFolders own_folders(const EnvironmentMap& environment, const std::string& home);

/// `files` must outlive the facts.
/// Errors  kIo: there is no home directory to be found (neither HOME nor an account).
Result<HostFacts> gather(const EnvironmentMap& environment, const Files& files);

/// Landlock's ABI version, 0 when the kernel has none or it is switched off.
int landlock_abi();

}  // namespace calaboose::host
