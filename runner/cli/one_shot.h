// SPDX-License-Identifier: Apache-2.0
// One command against one jailed server: start, ask, print, end.
// Place: runner/cli; under tools, call, resources, read, prompts, prompt.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runner/cli/command.h"
#include "runner/gateway/local_host.h"

namespace calaboose::cli {

/// What a command does once the server is open. It asks through `host` and calls finish() exactly
/// once.
class OneShot {
 public:
  using Start = std::function<void(OneShot&)>;

  OneShot(const Context& context, const Args& args) : context_(context), args_(args) {}

  /// Runs everything; returns the exit code.
  int execute(const Start& start);

  const Args& args() const { return args_; }

  bool json() const { return context_.json(args_); }

  void request(std::string_view method, std::string_view params,
               gateway::LocalHost::OnAnswer on_answer) {
    host_->request(method, params, std::move(on_answer));
  }

  /// Ends the command with this exit code.
  void finish(int exit_code);
  /// Prints a failed answer (transport failure or JSON-RPC error) and ends; false if the answer is
  /// a result.
  bool failed(const Result<gateway::LocalHost::Answer>& answer, std::string_view method);

 private:
  void show_notification(const mcp::Message& message);

  const Context& context_;
  const Args& args_;
  gateway::LocalHost* host_ = nullptr;
  const gateway::Run* run_ = nullptr;
  std::string server_;
  std::optional<Error> answer_error_;
  unsigned notifications_ = 0;
  bool finished_ = false;
  int exit_code_ = 5;
};

}  // namespace calaboose::cli
