// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/one_shot.h"

#include <csignal>

#include "base/text.h"
#include "runner/cli/target.h"

namespace calaboose::cli {

int OneShot::execute(const Start& start) {
  auto prepared = prepare(context_, args_);
  if (!prepared.ok()) {
    return fail(prepared.error());
  }
  for (const std::string& note : prepared->policy.notes) {
    complain("calaboose: " + note + "\n");
  }
  auto log = open_audit(context_, args_, *prepared);
  if (!log.ok()) {
    return fail(log.error());
  }
  auto config = make_run(context_, *prepared);
  if (!config.ok()) {
    return fail(config.error());
  }
  config->open_at_once = true;
  const Milliseconds timeout = config->bridge.request_timeout;
  gateway::EventLoop loop;
  gateway::Reporter reporter(prepared->policy.name);
  for (const std::string& proposal : prepared->built.proposals) {
    reporter.notice_of("paths not granted", proposal);
  }
  gateway::Run run(loop, std::move(*config), log->get(), reporter);
  gateway::LocalHost host(
      loop, run, own_client_info(), timeout,
      {[&] { start(*this); }, [this](const mcp::Message& message) { show_notification(message); }});
  host_ = &host;
  server_ = prepared->policy.name;
  run_ = &run;
  run.attach(host);
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int number) { run.on_signal(number); });
  if (const auto started = run.start(); !started.ok()) {
    return fail(started.error());
  }
  loop.run();
  report_new_startup_files(context_, *prepared, reporter);
  reporter.summary();
  if (run.negotiated()) {
    remember_era(context_, prepared->built.identity.sid, run.negotiated()->era);
  }
  if (!finished_) {
    // The run's own account of a dead server says more than the answer that was made of it.
    const std::optional<Error>& cause = run.failure() ? run.failure() : answer_error_;
    exit_code_ = cause ? fail(*cause) : host.exit_code();
  }
  if (*log) {
    if (const auto closed = (*log)->close(); !closed.ok()) {
      complain("calaboose: " + closed.error().render() + "\n");
    }
  }
  return exit_code_;
}

void OneShot::finish(int exit_code) {
  finished_ = true;
  exit_code_ = exit_code;
  host_->done();
}

bool OneShot::failed(const Result<gateway::LocalHost::Answer>& answer, std::string_view method) {
  if (answer.ok() && !answer->is_error) {
    return false;
  }
  if (!answer.ok() || run_->failure()) {
    if (!answer.ok()) {
      answer_error_ = answer.error();
    }
    host_->done();
    return true;
  }
  json::Tape tape;
  std::string message = "unreadable error";
  std::int64_t code = 0;
  std::string hint;
  if (tape.parse(answer->json)) {
    message = tape.root().find("message").string_or(message);
    code = tape.root().find("code").int64().value_or(0);
    hint = tape.root().at("data", "hint").string_or("");
  }
  constexpr std::int64_t kDenied = -31001;
  constexpr std::int64_t kHeld = -31002;
  const Errc kind = code == kDenied || code == kHeld ? Errc::kDenied
                    : run_->timed_out()              ? Errc::kDeadline
                                                     : Errc::kPeer;
  if (json()) {
    print(answer->json + "\n");
  }
  const std::string what =
      kind == Errc::kDeadline
          ? std::string(method) + ": "
          : std::string(method) + " was answered with error " + std::to_string(code) + ": ";
  finish(fail(
      Error(kind, "server \"" + printable(server_, 80) + "\": " + what + printable(message, 2000))
          .with_hint(printable(hint))));
  return true;
}

// Progress and logs of the server are for the person, not for the answer; a flood of them is for
// nobody.
void OneShot::show_notification(const mcp::Message& message) {
  constexpr unsigned kShown = 100;
  if (++notifications_ > kShown) {
    if (notifications_ == kShown + 1) {
      complain("calaboose: more progress and log messages are not shown\n");
    }
    return;
  }
  std::string text;
  if (message.method == "notifications/progress") {
    text = "progress " + std::string(message.params.find("progress").raw());
    if (const json::Value total = message.params.find("total"); total.exists()) {
      text += "/" + std::string(total.raw());
    }
    text += " " + message.params.find("message").string_or("");
  } else if (message.method == "notifications/message") {
    const json::Value data = message.params.find("data");
    text = message.params.find("level").string_or("log") + ": " +
           (data.is_string() ? data.string_or("") : std::string(data.raw()));
  } else {
    return;
  }
  complain("calaboose: " + printable(text, 500) + "\n");
}

}  // namespace calaboose::cli
