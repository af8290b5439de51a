// SPDX-License-Identifier: Apache-2.0
// `calaboose run`: a jailed server on our own stdin and stdout.
#include <unistd.h>

#include <csignal>

#include "base/text.h"
#include "runner/cli/command.h"
#include "runner/cli/target.h"
#include "runner/gateway/stdio_host.h"

namespace calaboose::cli {
namespace {

// What is proposed is only worth a line when somebody reads along.
void show_proposals(gateway::Reporter& reporter, const Prepared& prepared) {
  for (const std::string& proposal : prepared.built.proposals) {
    reporter.notice_of("paths not granted", proposal);
  }
}

// A configuration error reaches the host as the answer to its first request: a Run that never
// starts a server.
int answer_with_cause(const Error& error) {
  gateway::EventLoop loop;
  gateway::Reporter reporter("");
  gateway::RunConfig config;
  config.bridge.fallback_client_info = own_client_info();
  gateway::Run run(loop, std::move(config), nullptr, reporter);
  gateway::StdioHost host(loop, run, json::Limits().max_bytes, STDIN_FILENO, STDOUT_FILENO);
  run.attach(host);
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int number) { run.on_signal(number); });
  run.fail(error);
  loop.run();
  return host.exit_code();
}

int report_failure(const Error& error) {
  const int code = fail(error);
  if (::isatty(STDIN_FILENO) == 0) {
    answer_with_cause(error);
  }
  return code;
}

}  // namespace

int run_command(const Context& context, const Args& args) {
  auto prepared = prepare(context, args);
  if (!prepared.ok()) {
    return report_failure(prepared.error());
  }
  for (const std::string& note : prepared->policy.notes) {
    complain("calaboose: " + note + "\n");
  }
  auto log = open_audit(context, args, *prepared);
  if (!log.ok()) {
    return report_failure(log.error());
  }
  auto config = make_run(context, *prepared);
  if (!config.ok()) {
    return report_failure(config.error());
  }
  gateway::EventLoop loop;
  gateway::Reporter reporter(prepared->policy.name);
  const std::size_t max_line = config->bridge.json_limits.max_bytes;
  gateway::Run run(loop, std::move(*config), log->get(), reporter);
  gateway::StdioHost host(loop, run, max_line, STDIN_FILENO, STDOUT_FILENO);
  run.attach(host);
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int number) { run.on_signal(number); });
  const auto started = run.start();
  if (!started.ok()) {
    complain("calaboose: " + started.error().render() + "\n");
    if (::isatty(STDIN_FILENO) != 0) {
      return exit_code_of(started.error().code());
    }
  } else {
    show_proposals(reporter, *prepared);
  }
  loop.run();
  if (started.ok() && run.failure()) {
    complain("calaboose: " + run.failure()->render() + "\n");
  }
  if (run.negotiated()) {
    remember_era(context, prepared->built.identity.sid, run.negotiated()->era);
  }
  report_new_startup_files(context, *prepared, reporter);
  reporter.summary();
  if (*log) {
    if (const auto closed = (*log)->close(); !closed.ok()) {
      complain("calaboose: " + closed.error().render() + "\n");
    }
  }
  return host.exit_code();
}

}  // namespace calaboose::cli
