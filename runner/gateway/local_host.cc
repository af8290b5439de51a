// SPDX-License-Identifier: Apache-2.0
// Neither side may be called back from inside its own callbacks, so lines travel through two queues
// that are emptied between events.
#include "runner/gateway/local_host.h"

#include "base/json/write.h"

namespace calaboose::gateway {

LocalHost::LocalHost(EventLoop& loop, Run& run, std::string client_info, Milliseconds timeout,
                     Events events)
    : loop_(loop),
      run_(run),
      client_info_(std::move(client_info)),
      timeout_(timeout),
      events_(std::move(events)) {
  timer_ = loop_.timer([this] {
    if (session_) {
      session_->on_time(SteadyClock::now());
      schedule();
    }
  });
}

LocalHost::~LocalHost() {
  *alive_ = false;
}

void LocalHost::on_server_ready(const mcp::Negotiated& negotiated) {
  mcp::ClientSession::Options options;
  options.client_info = client_info_;
  options.request_timeout =
      timeout_ + Milliseconds(1'000);  // the bridge's own limit comes first and says more
  if (negotiated.era == mcp::Era::kLegacy) {
    options.legacy_revision = negotiated.revision;
  }
  session_ = std::make_unique<mcp::ClientSession>(static_cast<mcp::ClientSession::Handler&>(*this),
                                                  options);
  const auto choice = negotiated.era == mcp::Era::kModern ? mcp::EraChoice::kOnlyModern
                                                          : mcp::EraChoice::kOnlyLegacy;
  loop_.post([this, choice, alive = alive_] {
    if (*alive) {
      session_->start(choice, SteadyClock::now());
      schedule();
    }
  });
}

void LocalHost::request(std::string_view method, std::string_view params, OnAnswer on_answer) {
  const std::uint64_t handle = session_->request(method, params, SteadyClock::now(), true);
  waiting_.emplace_back(handle, std::move(on_answer));
  schedule();
}

void LocalHost::done() {
  done_ = true;
  schedule();
}

void LocalHost::line(std::string_view text) {
  from_run_.emplace_back(text);
  schedule();
}

void LocalHost::write(std::string_view line) {
  to_run_.emplace_back(line);
  schedule();
}

void LocalHost::schedule() {
  if (scheduled_) {
    return;
  }
  scheduled_ = true;
  loop_.post([this, alive = alive_] {
    if (*alive) {
      scheduled_ = false;
      pump();
    }
  });
}

void LocalHost::pump() {
  while (!from_run_.empty()) {
    const std::string line = std::move(from_run_.front());
    from_run_.pop_front();
    if (session_) {
      session_->on_line(line, SteadyClock::now());
    }
  }
  while (!to_run_.empty()) {
    const std::string line = std::move(to_run_.front());
    to_run_.pop_front();
    run_.host_line(line);
  }
  run_.host_turn_end();
  if (session_) {
    timer_->set(session_->next_deadline());
  }
  if (done_ && from_run_.empty() && to_run_.empty()) {
    done_ = false;
    run_.host_closed();
  }
}

void LocalHost::on_failed(const Error& error) {
  auto waiting = std::move(waiting_);
  waiting_.clear();
  for (auto& [handle, on_answer] : waiting) {
    on_answer(error);
  }
}

LocalHost::OnAnswer LocalHost::take(std::uint64_t handle) {
  for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
    if (it->first == handle) {
      OnAnswer on_answer = std::move(it->second);
      waiting_.erase(it);
      return on_answer;
    }
  }
  return [](const Result<Answer>&) {};
}

void LocalHost::on_response(const mcp::ClientSession::Request& request,
                            const mcp::Message& message) {
  Answer answer;
  answer.is_error = message.kind == mcp::MessageKind::kError;
  answer.json = json::minified(answer.is_error ? message.error : message.result);
  take(request.handle)(std::move(answer));
}

void LocalHost::on_request_failed(const mcp::ClientSession::Request& request, const Error& error) {
  take(request.handle)(error);
}

void LocalHost::on_notification(const mcp::ClientSession::Request*, const mcp::Message& message) {
  if (events_.on_notification) {
    events_.on_notification(message);
  }
}

void LocalHost::on_finished(int exit_code) {
  exit_code_ = exit_code;
  loop_.post([this] { loop_.stop(); });
}

}  // namespace calaboose::gateway
