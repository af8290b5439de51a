// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/server_link.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace calaboose::gateway {

ServerLink::ServerLink(EventLoop& loop, Reporter& reporter, std::size_t max_line_bytes,
                       Events events)
    : loop_(loop),
      reporter_(reporter),
      max_line_bytes_(max_line_bytes),
      events_(std::move(events)) {
  step_timer_ = loop_.timer([this] { on_step(); });
}

ServerLink::~ServerLink() {
  if (jail_) {
    kill_now();
  }
}

Result<jail::Protections> ServerLink::start(const plan::Plan& plan, const jail::Options& options) {
  CALABOOSE_TRY(jail_, jail::Jail::start(plan, options));
  CALABOOSE_TRY(jail::Protections protections, jail_->await_exec());
  stdin_ = jail_->take_stdin();
  stdout_ = jail_->take_stdout();
  stderr_ = jail_->take_stderr();
  exit_.reset();
  tail_ = StderrTail();
  closed_ = false;
  ending_ = Ending::kNo;
  writer_ = std::make_unique<LineWriter>(loop_, stdin_.get(), [this] { events_.on_drained(); });
  reader_ =
      std::make_unique<LineReader>(loop_, stdout_.get(), max_line_bytes_,
                                   LineReader::Events{events_.on_line, events_.on_too_long,
                                                      events_.on_turn_end, [this] { closed(); }});
  stderr_watch_ = loop_.watch(stderr_.get(), EventLoop::Interest::kRead, [this] { on_stderr(); });
  control_watch_ =
      loop_.watch(jail_->control_fd(), EventLoop::Interest::kRead, [this] { on_control(); });
  if (jail_->notify_fd() >= 0) {
    notify_watch_ =
        loop_.watch(jail_->notify_fd(), EventLoop::Interest::kRead, [this] { on_notify(); });
  }
  return protections;
}

void ServerLink::line(std::string_view text) {
  if (stdin_.valid()) {
    writer_->line(text);
  }
}

void ServerLink::flush() {
  if (stdin_.valid()) {
    writer_->flush();
  }
}

std::size_t ServerLink::pending() const {
  return stdin_.valid() ? writer_->pending() : 0;
}

void ServerLink::set_reading(bool on) {
  if (!reader_) {
    return;
  }
  if (on) {
    reader_->resume();
  } else {
    reader_->pause();
  }
}

void ServerLink::on_stderr() {
  std::array<char, 16384> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read
  const ssize_t n = ::read(stderr_.get(), chunk.data(), chunk.size());
  if (n > 0) {
    reporter_.raw(tail_.feed({chunk.data(), static_cast<std::size_t>(n)}, SteadyClock::now()));
  } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
    reporter_.raw(tail_.finish(SteadyClock::now()));
    stderr_watch_.reset();
    stderr_.reset();
  }
}

void ServerLink::on_notify() {
  // A bounded number per turn, so that a flood of refused calls cannot keep the loop from anything
  // else.
  for (int i = 0; i < 64; ++i) {
    const auto denial = jail_->next_denial();
    if (!denial) {
      break;
    }
    events_.on_denial(*denial);
  }
  if (jail_->notify_fd() < 0) {
    notify_watch_.reset();
  }
}

void ServerLink::on_control() {
  exit_ = jail_->next_exit();
  if (!exit_) {
    return;
  }
  control_watch_.reset();
  notify_watch_.reset();
  // What it said before it ended is still in the pipes.
  if (stderr_.valid()) {
    on_stderr();
  }
  if (reader_ && !reader_->ended()) {
    reader_->drain();
  }
  closed();
  gone();
}

void ServerLink::closed() {
  if (closed_) {
    return;
  }
  closed_ = true;
  if (!exit_ && jail_) {
    // stdout ended first; a normal exit follows within moments and explains more.
    jail_->await_gone(Milliseconds(100));
    exit_ = jail_->next_exit();
    if (exit_) {
      control_watch_.reset();  // it has nothing more to tell
      notify_watch_.reset();
      if (stderr_.valid()) {
        on_stderr();
      }
      loop_.post([this] { gone(); });  // not from inside the reader that gone() destroys
    }
  }
  events_.on_closed(exit_);
}

void ServerLink::gone() {
  if (!jail_) {
    return;
  }
  step_timer_->cancel();
  jail_->kill();
  jail_->await_gone(Milliseconds(1'000));
  stderr_watch_.reset();
  reader_.reset();
  writer_.reset();
  stdin_.reset();
  stdout_.reset();
  stderr_.reset();
  jail_.reset();
  loop_.post([this] { events_.on_gone(); });
}

void ServerLink::shut_down() {
  if (!jail_ || ending_ != Ending::kNo) {
    return;
  }
  writer_->flush();
  writer_ = std::make_unique<LineWriter>(loop_, -1, [] {});
  stdin_.reset();
  ending_ = Ending::kStdinClosed;
  step_timer_->set(SteadyClock::now() + kStdinGrace);
}

void ServerLink::on_step() {
  if (!jail_) {
    return;
  }
  if (ending_ == Ending::kStdinClosed) {
    ending_ = Ending::kTerminated;
    jail_->terminate();
    step_timer_->set(SteadyClock::now() + kTermGrace);
  } else if (ending_ == Ending::kTerminated) {
    ending_ = Ending::kKilled;
    kill_now();
  }
}

void ServerLink::kill_now() {
  control_watch_.reset();
  notify_watch_.reset();
  stderr_watch_.reset();
  reader_.reset();
  writer_.reset();
  if (jail_) {
    jail_->kill();
    jail_->await_gone(Milliseconds(1'000));
    if (!exit_) {
      exit_ = jail_->next_exit();
    }
    jail_.reset();
  }
  stdin_.reset();
  stdout_.reset();
  stderr_.reset();
  step_timer_->cancel();
  if (ending_ == Ending::kKilled) {
    closed_ = true;
    events_.on_gone();
  }
}

}  // namespace calaboose::gateway
