// SPDX-License-Identifier: Apache-2.0
// Starts a stdio server without a jail and talks to it, for tests of the servers themselves.
// Place: tests/support/servers.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

namespace calaboose::test {

class PlainServer {
 public:
  explicit PlainServer(std::vector<std::string> command,
                       std::vector<std::string> environment = {}) {
    int in[2];
    int out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
      ADD_FAILURE() << "no pipe";
      return;
    }
    std::vector<char*> argv = pointers(command);
    std::vector<char*> envp = pointers(environment);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(null, 2);
      ::execve(argv[0], argv.data(), envp.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  PlainServer(const PlainServer&) = delete;
  PlainServer& operator=(const PlainServer&) = delete;

  ~PlainServer() {
    close_input();
    ::close(from_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  void send(std::string_view line) {
    const std::string text = std::string(line) + "\n";
    EXPECT_EQ(::write(to_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  /// The next line; empty at the end, or when nothing comes for ten seconds.
  std::string line() {
    std::size_t scanned = 0;
    for (;;) {
      const std::size_t newline = buffer_.find('\n', scanned);
      if (newline != std::string::npos) {
        std::string text = buffer_.substr(0, newline);
        buffer_.erase(0, newline + 1);
        return text;
      }
      scanned = buffer_.size();
      pollfd ready{from_, POLLIN, 0};
      char chunk[65536];
      const ssize_t got = ::poll(&ready, 1, 10'000) == 1 ? ::read(from_, chunk, sizeof chunk) : -1;
      if (got <= 0) {
        return {};
      }
      buffer_.append(chunk, static_cast<std::size_t>(got));
    }
  }

  /// One request, one line.
  std::string ask(std::string_view request) {
    send(request);
    return line();
  }

  void close_input() {
    if (to_ >= 0) {
      ::close(to_);
      to_ = -1;
    }
  }

  /// Waits for the end; exit status, or minus the signal.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) {
      all.push_back(text.data());
    }
    all.push_back(nullptr);
    return all;
  }

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
};

}  // namespace calaboose::test
