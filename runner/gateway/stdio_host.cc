// SPDX-License-Identifier: Apache-2.0
#include "runner/gateway/stdio_host.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace calaboose::gateway {
namespace {

// How long the last answers may take to be read by the host.
constexpr Milliseconds kLinger{300};

// A host that does not read must not block us. Only pipes and sockets: the flags of a terminal are
// shared with the shell that started us.
int make_non_blocking(int fd) {
  struct stat info {};

  if (::fstat(fd, &info) != 0 || !(S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))) {
    return -1;
  }
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) == 0) {
    ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    return flags;
  }
  return -1;
}

}  // namespace

StdioHost::StdioHost(EventLoop& loop, Run& run, std::size_t max_line_bytes, int in_fd, int out_fd)
    : loop_(loop),
      run_(run),
      out_fd_(out_fd),
      saved_flags_(make_non_blocking(out_fd)),
      writer_(loop, out_fd, [this] { run_.host_turn_end(); }),
      reader_(
          loop, in_fd, max_line_bytes,
          LineReader::Events{[this](std::string_view text) { run_.host_line(text); },
                             [this](std::string_view head) { run_.host_line_too_long(head); },
                             [this] { run_.host_turn_end(); }, [this] { run_.host_closed(); }}) {
  linger_ = loop_.timer([this] { loop_.stop(); });
}

StdioHost::~StdioHost() {
  if (saved_flags_ >= 0) {
    ::fcntl(out_fd_, F_SETFL, saved_flags_);
  }
}

void StdioHost::flush() {
  writer_.flush();
  if (writer_.broken()) {
    loop_.post([this] { run_.host_closed(); });
  }
}

void StdioHost::set_reading(bool on) {
  if (on) {
    reader_.resume();
  } else {
    reader_.pause();
  }
}

void StdioHost::on_finished(int exit_code) {
  exit_code_ = exit_code;
  if (writer_.pending() == 0) {
    loop_.post([this] { loop_.stop(); });
  } else {
    linger_->set(SteadyClock::now() + kLinger);
  }
}

}  // namespace calaboose::gateway
