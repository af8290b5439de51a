// SPDX-License-Identifier: Apache-2.0
// One thread's event loop: readiness of descriptors, timers, signals.
// Place: runner/gateway; keeps Asio in one translation unit. Everything runs on the thread that
// calls run().
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "base/deadline.h"

namespace calaboose::gateway {

class EventLoop {
 public:
  using Callback = std::function<void()>;
  enum class Interest : std::uint8_t { kRead, kWrite };

  /// Calls back whenever the descriptor is ready, until destroyed. Does not own the descriptor,
  /// which must stay open as long as the watch lives. A regular file is always ready.
  class Watch {
   public:
    virtual ~Watch() = default;
    /// A paused watch costs nothing; resume() also reports readiness that is already there.
    virtual void pause() = 0;
    virtual void resume() = 0;
  };

  /// Fires once at the time last set; setting it again moves it. Inactive until set.
  class Timer {
   public:
    virtual ~Timer() = default;
    virtual void set(TimePoint when) = 0;
    virtual void cancel() = 0;
  };

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  std::unique_ptr<Watch> watch(int fd, Interest interest, Callback callback, bool paused = false);
  std::unique_ptr<Timer> timer(Callback callback);
  /// From now on these signals call back instead of their default action. Once per loop.
  void on_signals(std::initializer_list<int> signals, std::function<void(int)> callback);
  /// Runs `callback` soon, after the current event.
  void post(Callback callback);

  /// Handles events until stop().
  void run();
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace calaboose::gateway
