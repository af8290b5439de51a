// SPDX-License-Identifier: Apache-2.0
// What this machine can enforce, found out by doing it once in small children.
// Place: runner/host; behind `calaboose doctor` and the hints of failed starts.
#pragma once

#include <string>
#include <vector>

#include "runner/host/facts.h"

namespace calaboose::host {

struct Probe {
  std::string mechanism;  // "user namespace"
  bool ok = false;
  bool required = true;  // for level full
  std::string detail;    // what was seen: "ABI 7", "unshare: ENOSPC"
  std::string
      kernel_setting;  // where it is switched, e.g. "user.max_user_namespaces = 0"; may be empty
  std::string fix;     // one sentence; empty when ok
};

struct ProbeOptions {
  std::string helper_path;  // calaboose-jail; empty: not looked for
};

/// Probes everything, in the order of a jail's set-up. Forks small children (call it from a small
/// process's main thread); changes nothing on the machine. Takes about 10 ms.
std::vector<Probe> probe_all(const ProbeOptions& options, const Files& files);

/// True if all required probes are ok.
bool full_possible(const std::vector<Probe>& probes);

/// uname's release.
std::string kernel_release();

/// A table for people; ends with a line that says which level is possible and what to do first.
std::string render_text(const std::vector<Probe>& probes);

/// {"version": "…", "level": "full"|"none", "kernel": "…", "probes": [{"mechanism", "ok",
/// "required", "detail", "kernelSetting"?, "fix"?}]}
std::string render_json(const std::vector<Probe>& probes, const std::string& version);

}  // namespace calaboose::host
