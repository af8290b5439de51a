// SPDX-License-Identifier: Apache-2.0
// Modes that write as fast as they can once a session is open (J46, M31), while they go on
// answering. Place: tests/support/servers.
#include <unistd.h>

#include "server.h"

namespace calaboose::misbehaving {
namespace {

/// Repeats one block of about 64 KiB.
class Flood : public Server {
 protected:
  Flood(int fd, std::string_view line) : fd_(fd) {
    while (block_.size() < 65536) {
      block_ += line;
    }
  }

 private:
  bool wants_idle() const override { return true; }

  void on_idle() override {
    if (!mini::write_all(fd_, block_)) {
      ::_exit(1);
    }
  }

  int fd_;
  std::string block_;
};

class FloodStdout final : public Flood {
 public:
  FloodStdout()
      : Flood(STDOUT_FILENO,
              mini::notification("notifications/message", R"({"level":"info","data":"flood"})")) {}
};

class FloodGarbage final : public Flood {
 public:
  FloodGarbage() : Flood(STDOUT_FILENO, "\x01\xff garbage, not a message \x1b[31m\n") {}
};

class FloodStderr final : public Flood {
 public:
  FloodStderr()
      : Flood(STDERR_FILENO, "warning: something is wrong, and it is said again and again\n") {}
};

/// Progress for tokens that nobody gave.
class FloodProgress final : public Flood {
 public:
  FloodProgress()
      : Flood(STDOUT_FILENO, mini::notification("notifications/progress",
                                                R"({"progressToken":"nobody","progress":1})")) {}
};

constexpr Mode kModes[] = {
    {"flood-stdout", "valid notifications as fast as possible", make<FloodStdout>},
    {"flood-garbage", "lines that are no messages as fast as possible", make<FloodGarbage>},
    {"flood-stderr", "lines on stderr as fast as possible", make<FloodStderr>},
    {"flood-progress", "progress for unknown tokens as fast as possible", make<FloodProgress>},
};

}  // namespace

std::span<const Mode> flood_modes() {
  return kModes;
}

}  // namespace calaboose::misbehaving
