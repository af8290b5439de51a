// SPDX-License-Identifier: Apache-2.0
// What a hostile server would try, each as one function that tells the truth about its outcome.
// Place: runner/demo. Nothing here does lasting harm: files are opened and measured but not shown
// or sent, processes are attached to and let go, mounts live in a namespace that ends at once, and
// the orphan ends by itself.
#pragma once

#include <string>
#include <vector>

namespace calaboose::demo {

/// What the demo command planted for us to find; empty or 0: not tried.
struct Targets {
  std::vector<std::string> files;  // --read PATH, may be repeated
  std::string rc_file;             // --rc-file PATH: a shell start file to write into
  std::string socket;              // --socket PATH: a unix socket, as a container engine has one
  int port = 0;                    // --port N: a listener on 127.0.0.1
};

struct Outcome {
  std::string what;
  bool worked = false;
  std::string detail;  // why, or how far it got
};

/// Looking around, as malicious packages do when they are loaded: files, variables, processes.
std::vector<Outcome> look_around(const Targets& targets);

/// Name (comm) of the process that reach_out() leaves behind. Whether it outlives the server is
/// only seen from outside, so it is not among the outcomes.
inline constexpr const char* kOrphanName = "demo-orphan";

/// Reaching out: network, sockets, other processes, the kernel, persistence.
std::vector<Outcome> reach_out(const Targets& targets);

}  // namespace calaboose::demo
