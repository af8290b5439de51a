// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/run.h"

#include <csignal>

#include "base/json/write.h"
#include "base/text.h"

namespace calaboose::gateway {
namespace {

// How long a host that has closed its side still gets answers to what it asked before.
constexpr Milliseconds kDrain{600};
// How long a failed start waits for the host's first request, to answer it with the cause.
constexpr Milliseconds kWaitForHost{10'000};
constexpr std::size_t kMaxLastWords = 600;

}  // namespace

Run::Run(EventLoop& loop, RunConfig config, audit::Log* log, Reporter& reporter)
    : loop_(loop),
      config_(std::move(config)),
      reporter_(reporter),
      intercept_(log, scanner_, reporter),
      bridge_(*this, config_.bridge),
      link_(loop, reporter, config_.bridge.json_limits.max_bytes,
            ServerLink::Events{
                [this](std::string_view line) { bridge_.on_server_line(line, SteadyClock::now()); },
                [this](std::string_view head) {
                  reporter_.notice_of("lines over the limit", over_limit());
                  bridge_.on_server_line(head, SteadyClock::now());
                },
                [this] { turn_end(); }, [this] { balance(); },
                [this](const jail::Denial& denial) { denied(denial); },
                [this](std::optional<jail::Exit> exit) { server_closed(exit); },
                [this] { server_gone(); }}) {
  timer_ = loop_.timer([this] {
    armed_ = TimePoint::max();
    bridge_.on_time(SteadyClock::now());
    turn_end();
  });
  drain_timer_ = loop_.timer([this] {
    if (server_up_) {
      begin_end(exit_code_);
    } else {
      finish();
    }
  });
}

Run::~Run() = default;

Result<void> Run::start() {
  if (config_.era_hint) {
    bridge_.set_era_hint(*config_.era_hint);
  }
  if (auto started = start_jail(); !started.ok()) {
    fail(started.error());
    return started;
  }
  if (config_.open_at_once) {
    bridge_.start_server(config_.era_hint.value_or(mcp::EraChoice::kPreferModern),
                         SteadyClock::now());
    turn_end();
  }
  return {};
}

void Run::fail(const Error& cause) {
  failure_ = cause;
  bridge_.on_server_closed(cause, SteadyClock::now());
  turn_end();
  begin_end(exit_code_of(cause.code()));
}

Result<void> Run::start_jail() {
  audit::Record record;
  record.kind = "jail.start";
  auto started = link_.start(config_.built.plan, config_.jail);
  if (!started.ok()) {
    record.verdict = "deny";
    const std::string reason = printable(started.error().what());
    record.reason = reason;
    intercept_.event(record);
    return std::move(started).error();
  }
  server_up_ = true;
  std::string detail;
  json::ObjectWriter writer(detail);
  std::string layers = "[";
  for (const std::string& layer : started->layers) {
    layers += (layers.size() > 1 ? "," : "") + json::quoted(layer);
  }
  writer.string("level", "full")
      .string("profile", config_.built.profile)
      .raw("layers", layers + "]");
  writer.string("program", config_.built.plan.argv.front());
  writer.close();
  record.verdict = "allow";
  record.extra = detail;
  intercept_.event(record);
  return {};
}

void Run::host_line(std::string_view line) {
  bridge_.on_host_line(line, SteadyClock::now());
}

void Run::host_line_too_long(std::string_view head) {
  reporter_.notice_of("lines over the limit", over_limit());
  bridge_.on_host_line(head, SteadyClock::now());
}

std::string Run::over_limit() const {
  return "a message over the limit of " + std::to_string(config_.bridge.json_limits.max_bytes) +
         " bytes was dropped";
}

void Run::host_turn_end() {
  turn_end();
}

// The server is told first, then the host; both in one system call per turn.
void Run::turn_end() {
  if (finished_) {
    return;
  }
  link_.flush();
  host_->flush();
  balance();
  rearm();
  if (ending_ && !server_up_ && !restarting_) {
    if (!owes_host_the_cause()) {
      finish();
    }
  } else if (!host_open_ && !ending_ && bridge_.in_flight() == 0) {
    begin_end(exit_code_);
  }
}

// Back-pressure: who does not read stops the other side's stream, not our memory.
void Run::balance() {
  const bool host_may_speak = link_.pending() < LineWriter::kHighWater;
  if (host_may_speak != host_reading_) {
    host_reading_ = host_may_speak;
    host_->set_reading(host_reading_);
  }
  const bool server_may_speak = host_->pending() < LineWriter::kHighWater;
  if (server_may_speak != server_reading_) {
    server_reading_ = server_may_speak;
    link_.set_reading(server_reading_);
  }
}

// The timer is only moved forward: when it fires too early it is simply set again. So a steady
// stream of requests costs no timer system call.
void Run::rearm() {
  const TimePoint next = bridge_.next_deadline();
  if (next < armed_) {
    armed_ = next;
    timer_->set(next);
  }
}

void Run::host_closed() {
  if (!host_open_) {
    return;
  }
  host_open_ = false;
  if (ending_ || finished_) {
    turn_end();
    return;
  }
  if (bridge_.in_flight() == 0) {
    begin_end(0);
  } else {
    drain_timer_->set(SteadyClock::now() + kDrain);
  }
}

void Run::on_signal(int number) {
  if (exit_code_ == 128 + number && server_up_) {
    link_.kill_now();  // asked twice: at once
    server_gone();
    return;
  }
  exit_code_ = 128 + number;
  host_open_ = false;
  begin_end(exit_code_);
}

// A host that has not been told anything yet shall see the cause in the answer to its first
// request.
bool Run::owes_host_the_cause() const {
  return failure_.has_value() && host_open_ && !host_answered_ && !config_.open_at_once;
}

void Run::begin_end(int exit_code) {
  exit_code_ = exit_code;
  ending_ = true;
  if (server_up_) {
    link_.shut_down();
  } else if (owes_host_the_cause()) {
    drain_timer_->set(SteadyClock::now() + kWaitForHost);
  } else {
    finish();
  }
}

// Before the server is open its last words belong to the cause: they are for whoever set the server
// up, and no model reads that answer. Later they are shown on stderr only.
Error Run::cause_of(const std::optional<jail::Exit>& exit) const {
  std::string what = "server \"" + printable(config_.server_name, 80) + "\" ";
  what += exit ? exit->to_string() : std::string("closed its standard output");
  std::string words;
  for (const std::string& line : link_.last_stderr_lines()) {
    words += (words.empty() ? "" : " | ") + line;
  }
  if (!negotiated_) {
    what += " before it could be opened";
    if (!words.empty()) {
      what += "; its last words: " + printable(words, kMaxLastWords);
    }
  } else if (bridge_.in_flight() > 0) {
    what += " while " + std::to_string(bridge_.in_flight()) + " request(s) were open";
  }
  Error error = Error(Errc::kPeer, what).with_id("CB5001");
  if (words.empty()) {
    return std::move(error).with_hint(
        "it said nothing on stderr; run its command without Calaboose to see whether it starts at "
        "all");
  }
  if (negotiated_) {
    error = std::move(error).with_peer_text(words);
  }
  return std::move(error).with_hint("its whole log is on stderr");
}

void Run::server_closed(std::optional<jail::Exit> exit) {
  audit::Record record;
  record.kind = "jail.exit";
  const std::string reason = exit ? exit->to_string() : std::string("closed its standard output");
  record.reason = reason;
  intercept_.event(record);
  if (ending_ || restarting_) {
    return;
  }
  const Error cause = cause_of(exit);
  const bool clean =
      exit && !exit->signaled && exit->status == 0 && negotiated_ && bridge_.in_flight() == 0;
  bridge_.on_server_closed(cause, SteadyClock::now());
  if (restarting_) {
    return;  // it died of the probe; restart_server() has been asked for
  }
  if (!clean && !failure_) {
    failure_ = cause;
  }
  host_answered_ = host_answered_ || clean;
  server_up_ = exit.has_value() ? false : server_up_;
  turn_end();
  begin_end(clean ? 0 : exit_code_of(cause.code()));
}

void Run::server_gone() {
  server_up_ = false;
  if (restarting_) {
    restarting_ = false;
    if (auto started = start_jail(); !started.ok()) {
      fail(started.error());
      return;
    }
    bridge_.on_server_restarted(SteadyClock::now());
    turn_end();
    return;
  }
  if (ending_) {
    turn_end();
  }
}

void Run::finish() {
  if (finished_) {
    return;
  }
  host_->flush();
  finished_ = true;
  timer_->cancel();
  drain_timer_->cancel();
  host_->on_finished(exit_code_);
}

void Run::denied(const jail::Denial& denial) {
  audit::Record record;
  record.kind = "jail.denied";
  record.verdict = "deny";
  record.rule = denial.syscall;
  record.reason = denial.in_plain_words;
  intercept_.event(record);
  reporter_.notice_of("refused system calls: " + denial.syscall,
                      denial.process + " " + denial.in_plain_words);
}

void Run::to_host(std::string_view line) {
  host_answered_ = true;
  host_->line(line);
}

void Run::to_server(std::string_view line) {
  link_.line(line);
}

void Run::restart_server() {
  restarting_ = true;
  reporter_.notice(
      "the server ended when it was asked for its protocol revision; starting it again");
  loop_.post([this] {
    if (link_.running()) {  // else it is gone already and server_gone() follows
      link_.kill_now();
      server_gone();
    }
  });
}

void Run::on_host_opened(mcp::Era) {}

void Run::on_server_ready(const mcp::Negotiated& negotiated) {
  negotiated_ = negotiated;
  host_->on_server_ready(negotiated);
}

void Run::on_server_failed(const Error& error) {
  if (!failure_) {
    const bool names_it = error.what().starts_with("server \"");
    failure_ =
        names_it ? error : Error(error).in("server \"" + printable(config_.server_name, 80) + "\"");
  }
  loop_.post([this] {
    if (!ending_ && !restarting_) {
      begin_end(exit_code_of(failure_->code()));
      turn_end();
    }
  });
}

void Run::on_violation(mcp::Side side, mcp::Violation violation, std::string_view detail) {
  intercept_.violation(side, violation, detail);
}

mcp::Decision Run::from_host(const mcp::Exchange* exchange, const mcp::Message& message) {
  return intercept_.from_host(exchange, message);
}

mcp::Decision Run::from_server(const mcp::Exchange* exchange, const mcp::Message& message) {
  return intercept_.from_server(exchange, message);
}

void Run::on_finished(const mcp::Exchange& exchange, std::string_view outcome, TimePoint) {
  if (outcome == "answered" || outcome == "error") {
    return;  // the answer itself is on record
  }
  timed_out_ = timed_out_ || outcome == "timeout";
  audit::Record record;
  record.kind = "decision";
  record.method = exchange.method;
  record.request_id = exchange.host_id;
  record.call = exchange.call;
  record.verdict = "limit";
  record.reason = outcome;
  intercept_.event(record);
}

}  // namespace calaboose::gateway
