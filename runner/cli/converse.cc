// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/converse.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/fd.h"
#include "base/json/write.h"
#include "base/text.h"

namespace calaboose::cli {
namespace {

constexpr std::size_t kMaxAnswer = 4U << 20U;
constexpr std::size_t kMaxStderr = 16U << 10U;

struct Pipe {
  Fd read_end;
  Fd write_end;

  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      return false;
    }
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
    return true;
  }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) {
    out.push_back(const_cast<char*>(text.c_str()));  // posix_spawn takes char* and does not write
  }
  out.push_back(nullptr);
  return out;
}

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  ~Program() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  Result<void> start(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
    if (!in_.open() || !out_.open() || !err_.open()) {
      return errno_error("cannot make pipes", errno);
    }
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in_.read_end.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, out_.write_end.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, err_.write_end.get(), 2);
    const int error = ::posix_spawn(&pid_, argv[0].c_str(), &actions, nullptr,
                                    pointers(argv).data(), pointers(env).data());
    ::posix_spawn_file_actions_destroy(&actions);
    in_.read_end.reset();
    out_.write_end.reset();
    err_.write_end.reset();
    if (error != 0) {
      pid_ = -1;
      return errno_error("cannot start " + printable(argv[0]), error);
    }
    return {};
  }

  Result<void> send(std::string line) {
    line += '\n';
    if (::write(in_.write_end.get(), line.data(), line.size()) !=
        static_cast<ssize_t>(line.size())) {
      return Error(Errc::kPeer, "the program does not read");
    }
    return {};
  }

  // The next line that answers `id`; other lines are passed over.
  Result<std::string> answer(int id, Deadline deadline) {
    for (;;) {
      CALABOOSE_TRY(const std::string line, next_line(deadline));
      json::Tape tape;
      if (tape.parse(line) && tape.root().find("id").int64() == id) {
        return line;
      }
    }
  }

  // After the last answer: end of input, then its end.
  void finish(Deadline deadline) {
    in_.write_end.reset();
    while (!deadline.expired(SteadyClock::now()) &&
           (out_.read_end.valid() || err_.read_end.valid())) {
      read_some(deadline);
      received_.clear();
    }
    if (out_.read_end.valid() || err_.read_end.valid()) {
      ::kill(pid_, SIGKILL);
    }
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  const std::string& stderr_text() const { return stderr_; }

 private:
  Result<std::string> next_line(Deadline deadline) {
    for (;;) {
      if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
      }
      if (!out_.read_end.valid()) {
        return Error(Errc::kPeer, "the program ended before it answered").with_peer_text(stderr_);
      }
      if (deadline.expired(SteadyClock::now())) {
        return Error(Errc::kDeadline, "the program did not answer in time").with_peer_text(stderr_);
      }
      if (received_.size() > kMaxAnswer) {
        return Error(Errc::kLimit, "the program's answer is too large");
      }
      read_some(deadline);
    }
  }

  void read_some(Deadline deadline) {
    std::array<pollfd, 2> ready{pollfd{out_.read_end.get(), POLLIN, 0},
                                pollfd{err_.read_end.get(), POLLIN, 0}};
    if (::poll(ready.data(), ready.size(), deadline.poll_timeout_ms(SteadyClock::now())) <= 0) {
      return;
    }
    if (ready[0].revents != 0) {
      take(out_.read_end, received_, kMaxAnswer + 1);
    }
    if (ready[1].revents != 0) {
      take(err_.read_end, stderr_, kMaxStderr);
    }
  }

  static void take(Fd& fd, std::string& into, std::size_t max_bytes) {
    std::array<char, 16384> chunk{};
    const ssize_t n = ::read(fd.get(), chunk.data(), chunk.size());
    if (n <= 0) {
      fd.reset();
    } else if (into.size() < max_bytes) {
      into.append(chunk.data(), static_cast<std::size_t>(n));
    }
  }

  Pipe in_;
  Pipe out_;
  Pipe err_;
  pid_t pid_ = -1;
  std::string received_;
  std::string stderr_;
};

std::string message(int id, std::string_view method, std::string_view params) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) +
         ",\"method\":" + json::quoted(method) + ",\"params\":" + std::string(params) + "}";
}

}  // namespace

Result<Conversation> converse(const std::vector<std::string>& argv,
                              const std::vector<std::string>& env,
                              const std::vector<DemoRequest>& requests, Deadline deadline) {
  Program program;
  CALABOOSE_CHECK(program.start(argv, env));
  int id = 1;
  CALABOOSE_CHECK(
      program.send(message(id, "initialize",
                           "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                           "\"clientInfo\":{\"name\":\"calaboose-demo\",\"version\":\"1\"}}")));
  CALABOOSE_TRY(std::string opened, program.answer(id, deadline));
  CALABOOSE_CHECK(program.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  Conversation conversation;
  for (const DemoRequest& request : requests) {
    CALABOOSE_CHECK(program.send(message(++id, request.method, request.params)));
    CALABOOSE_TRY(std::string answer, program.answer(id, deadline));
    conversation.answers.push_back(std::move(answer));
  }
  program.finish(Deadline::after(Milliseconds(3'000)));
  conversation.stderr_text = program.stderr_text();
  return conversation;
}

}  // namespace calaboose::cli
