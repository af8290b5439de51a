// SPDX-License-Identifier: Apache-2.0
// Speaks MCP to a program on its stdin and stdout, as a host would; for `demo`.
// Place: runner/cli. Blocks until everything is answered.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace calaboose::cli {

struct Conversation {
  std::vector<std::string> answers;  // the answer lines, in the order of the requests
  std::string stderr_text;           // its beginning
};

/// Starts `argv` (argv[0] is a path) with exactly `env`, sends initialize and then each of
/// `requests` (JSON-RPC "method" and "params" as text), one after the other, closes its stdin and
/// waits for its end. Errors  kIo (cannot start), kPeer (ended or said something unreadable),
/// kDeadline. The program is killed then.
struct DemoRequest {
  std::string method;
  std::string params;
};

Result<Conversation> converse(const std::vector<std::string>& argv,
                              const std::vector<std::string>& env,
                              const std::vector<DemoRequest>& requests, Deadline deadline);

}  // namespace calaboose::cli
