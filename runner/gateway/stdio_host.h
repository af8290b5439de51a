// SPDX-License-Identifier: Apache-2.0
// The host on our own stdin and stdout.
// Place: runner/gateway; used by `calaboose run`.
#pragma once

#include <memory>

#include "runner/gateway/pipes.h"
#include "runner/gateway/run.h"

namespace calaboose::gateway {

class StdioHost final : public Host {
 public:
  /// Reads requests from `in_fd` and answers on `out_fd` (both stay the caller's); stops `loop`
  /// when the run is over.
  StdioHost(EventLoop& loop, Run& run, std::size_t max_line_bytes, int in_fd, int out_fd);
  ~StdioHost() override;
  StdioHost(const StdioHost&) = delete;
  StdioHost& operator=(const StdioHost&) = delete;

  void line(std::string_view text) override { writer_.line(text); }

  void flush() override;

  std::size_t pending() const override { return writer_.pending(); }

  void set_reading(bool on) override;

  void on_server_ready(const mcp::Negotiated&) override {}

  void on_finished(int exit_code) override;

  int exit_code() const { return exit_code_; }

 private:
  EventLoop& loop_;
  Run& run_;
  int out_fd_;
  int saved_flags_ = -1;
  LineWriter writer_;
  LineReader reader_;
  std::unique_ptr<EventLoop::Timer> linger_;
  int exit_code_ = 1;
};

}  // namespace calaboose::gateway
