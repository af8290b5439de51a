// SPDX-License-Identifier: Apache-2.0
// A usual Debian machine with a user "ada" for planner tests, and questions about a plan.
// Place: tests/runner/plan.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "policy/config/server_policy.h"
#include "runner/plan/build_plan.h"
#include "tests/runner/plan/memory_files.h"

namespace calaboose::test {

inline const policy::Origin kCommandLine{"command line", std::nullopt};

struct World {
  MemoryFiles files;
  host::HostFacts facts;

  World() {
    for (const char* link : {"bin", "sbin", "lib", "lib64"}) {
      files.link(std::string("/") + link, std::string("usr/") + link);
    }
    files.directory("/usr/sbin");
    files.directory("/usr/local/bin");
    files.program("/usr/bin/node");
    files.program("/usr/bin/env");
    files.program("/usr/bin/dash");
    files.link("/usr/bin/sh", "dash");
    files.program("/usr/bin/python3.11");
    files.link("/usr/bin/python3", "python3.11");
    files.file("/usr/lib/python3.11/os.py");
    files.program("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
    files.link("/usr/lib64/ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
    files.file("/usr/share/zoneinfo/Etc/UTC");
    files.link("/etc/localtime", "/usr/share/zoneinfo/Etc/UTC");
    files.file("/etc/ld.so.cache");
    files.directory("/etc/ssl/certs");
    files.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n");
    for (const char* device : {"null", "zero", "full", "random", "urandom"}) {
      files.file(std::string("/dev/") + device);
    }
    files.directory("/proc/self");
    files.directory("/tmp");
    files.directory("/home/ada/.config/calaboose");
    files.directory("/home/ada/.local/share/calaboose");
    files.directory("/home/ada/.local/state/calaboose");
    facts.uid = 1000;
    facts.gid = 1000;
    facts.home = "/home/ada";
    facts.cwd = "/home/ada";
    facts.path = "/usr/local/bin:/usr/bin:/bin";
    facts.term = "xterm-256color";
    facts.lang = "de_DE.UTF-8";
    facts.config_home = "/home/ada/.config/calaboose";
    facts.data_home = "/home/ada/.local/share/calaboose";
    facts.state_home = "/home/ada/.local/state/calaboose";
    facts.landlock_abi = 7;
    facts.files = &files;
  }

  World(const World&) = delete;
  World& operator=(const World&) = delete;
};

/// The plan, or a failed test.
inline plan::Built build(const policy::ServerPolicy& policy, const World& world) {
  auto built = plan::build_plan(policy, world.facts);
  if (!built) {
    ADD_FAILURE() << built.error().render();
    return {};
  }
  return std::move(built).value();
}

inline bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

/// A policy for one command line.
inline policy::ServerPolicy policy_for(std::vector<std::string> words) {
  policy::ServerPolicy policy;
  policy.command = {words.front(), kCommandLine};
  policy.args.assign(words.begin() + 1, words.end());
  return policy;
}

inline policy::PathGrant grant(std::string path, bool write = false) {
  return {std::move(path), write, kCommandLine};
}

inline const plan::Mount* mount_at(const plan::Built& built, const std::string& target) {
  const plan::Mount* found = nullptr;
  for (const plan::Mount& mount : built.plan.mounts) {
    if (mount.target == target) {
      found = &mount;
    }
  }
  return found;
}

inline bool has_bind(const plan::Built& built, const std::string& target, bool writable = false) {
  const plan::Mount* const mount = mount_at(built, target);
  return mount != nullptr && mount->kind == plan::Mount::Kind::kBind && mount->writable == writable;
}

inline std::string link_at(const plan::Built& built, const std::string& target) {
  const plan::Mount* const mount = mount_at(built, target);
  return mount != nullptr && mount->kind == plan::Mount::Kind::kSymlink ? mount->data : "";
}

inline std::string env_of(const plan::Built& built, const std::string& name) {
  for (const std::string& entry : built.plan.env) {
    if (entry.compare(0, name.size() + 1, name + "=") == 0) {
      return entry.substr(name.size() + 1);
    }
  }
  return "(unset)";
}

/// Every bind of a host path, for "nothing else is visible" checks.
inline std::vector<std::string> host_paths(const plan::Built& built) {
  std::vector<std::string> out;
  for (const plan::Mount& mount : built.plan.mounts) {
    if (mount.kind == plan::Mount::Kind::kBind && !mount.is_device) {
      out.push_back(mount.source);
    }
  }
  return out;
}

}  // namespace calaboose::test
