// SPDX-License-Identifier: Apache-2.0
// What every command needs: the caller's environment, this machine's facts, output.
// Place: runner/cli; made once in main.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runner/cli/args.h"
#include "runner/host/facts.h"

namespace calaboose::cli {

struct Context {
  std::map<std::string, std::string> environment;
  host::HostFacts facts;
  std::string program_dir;  // where this program lies: the helper and the demo server are beside it

  bool json(const Args& args) const {
    return args.has("--json") || args.one("--format").value_or("") == "json";
  }

  std::string keys_dir() const { return facts.state_home + "/keys"; }

  std::string audit_dir() const { return facts.state_home + "/audit"; }
};

/// Writes to stdout completely. The answer of a command, nothing else.
void print(std::string_view text);
/// Writes to stderr.
void complain(std::string_view text);
/// "calaboose: " + the error for a person; returns its exit code.
int fail(const Error& error);

/// Reads a file of at most `max_bytes`. Errors  kIo, kLimit.
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

}  // namespace calaboose::cli
