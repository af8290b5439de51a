// SPDX-License-Identifier: Apache-2.0
// Only readiness is taken from Asio (async_wait); reads and writes are plain system calls of the
// owners, so that no flag of an inherited descriptor is changed behind the host's back.
#include "runner/gateway/event_loop.h"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>

namespace calaboose::gateway {

namespace asio = boost::asio;
using boost::system::error_code;

struct EventLoop::Impl {
  asio::io_context io{1};
  std::optional<asio::signal_set> signals;
  std::function<void(int)> on_signal;

  void wait_signal() {
    signals->async_wait([this](const error_code& ec, int number) {
      if (!ec) {
        on_signal(number);
        wait_signal();
      }
    });
  }
};

namespace {

bool is_regular_file(int fd) {
  struct stat info {};

  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

// The state outlives the Watch while a handler is queued; `alive` tells the handler not to call
// back.
struct WatchState : std::enable_shared_from_this<WatchState> {
  WatchState(asio::io_context& io, int fd_in, EventLoop::Interest interest_in,
             EventLoop::Callback callback_in)
      : descriptor(io), fd(fd_in), interest(interest_in), callback(std::move(callback_in)) {
    if (!is_regular_file(fd)) {
      error_code ec;
      descriptor.assign(fd, ec);
    }
  }

  void arm() {
    if (!alive || paused || armed) {
      return;
    }
    armed = true;
    auto handler = [self = shared_from_this()](const error_code& ec) { self->ready(ec); };
    if (descriptor.is_open()) {
      descriptor.async_wait(interest == EventLoop::Interest::kRead
                                ? asio::posix::stream_descriptor::wait_read
                                : asio::posix::stream_descriptor::wait_write,
                            std::move(handler));
    } else {
      asio::post(descriptor.get_executor(), [handler] { handler(error_code()); });
    }
  }

  void ready(const error_code& ec) {
    armed = false;
    if (!alive || paused || ec == asio::error::operation_aborted) {
      return;
    }
    callback();
    arm();
  }

  asio::posix::stream_descriptor descriptor;
  int fd;
  EventLoop::Interest interest;
  EventLoop::Callback callback;
  bool alive = true;
  bool paused = false;
  bool armed = false;
};

class WatchImpl final : public EventLoop::Watch {
 public:
  explicit WatchImpl(std::shared_ptr<WatchState> state) : state_(std::move(state)) {}

  WatchImpl(const WatchImpl&) = delete;
  WatchImpl& operator=(const WatchImpl&) = delete;

  ~WatchImpl() override {
    state_->alive = false;
    if (state_->descriptor.is_open()) {
      (void)state_->descriptor.release();  // the descriptor belongs to somebody else
    }
  }

  void pause() override { state_->paused = true; }

  void resume() override {
    state_->paused = false;
    state_->arm();
  }

 private:
  std::shared_ptr<WatchState> state_;
};

struct TimerState : std::enable_shared_from_this<TimerState> {
  TimerState(asio::io_context& io, EventLoop::Callback callback_in)
      : timer(io), callback(std::move(callback_in)) {}

  void set(TimePoint when) {
    timer.expires_at(when);
    timer.async_wait([self = shared_from_this()](const error_code& ec) {
      if (!ec && self->alive) {
        self->callback();
      }
    });
  }

  asio::steady_timer timer;
  EventLoop::Callback callback;
  bool alive = true;
};

class TimerImpl final : public EventLoop::Timer {
 public:
  explicit TimerImpl(std::shared_ptr<TimerState> state) : state_(std::move(state)) {}

  TimerImpl(const TimerImpl&) = delete;
  TimerImpl& operator=(const TimerImpl&) = delete;

  ~TimerImpl() override {
    state_->alive = false;
    state_->timer.cancel();
  }

  void set(TimePoint when) override { state_->set(when); }

  void cancel() override { state_->timer.cancel(); }

 private:
  std::shared_ptr<TimerState> state_;
};

}  // namespace

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}

EventLoop::~EventLoop() = default;

std::unique_ptr<EventLoop::Watch> EventLoop::watch(int fd, Interest interest, Callback callback,
                                                   bool paused) {
  auto state = std::make_shared<WatchState>(impl_->io, fd, interest, std::move(callback));
  state->paused = paused;
  state->arm();
  return std::make_unique<WatchImpl>(std::move(state));
}

std::unique_ptr<EventLoop::Timer> EventLoop::timer(Callback callback) {
  return std::make_unique<TimerImpl>(std::make_shared<TimerState>(impl_->io, std::move(callback)));
}

void EventLoop::on_signals(std::initializer_list<int> signals, std::function<void(int)> callback) {
  impl_->on_signal = std::move(callback);
  impl_->signals.emplace(impl_->io);
  for (const int number : signals) {
    impl_->signals->add(number);
  }
  impl_->wait_signal();
}

void EventLoop::post(Callback callback) {
  asio::post(impl_->io, std::move(callback));
}

void EventLoop::run() {
  const auto keep_running = asio::make_work_guard(impl_->io);
  impl_->io.run();
}

void EventLoop::stop() {
  impl_->io.stop();
}

}  // namespace calaboose::gateway
