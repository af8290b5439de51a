// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/context.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/text.h"

namespace calaboose::cli {
namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

void print(std::string_view text) {
  write_all(STDOUT_FILENO, text);
}

void complain(std::string_view text) {
  write_all(STDERR_FILENO, text);
}

int fail(const Error& error) {
  complain("calaboose: " + error.render() + "\n");
  return exit_code_of(error.code());
}

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    return errno_error("cannot open " + printable(path), errno);
  }

  struct stat info {};

  if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return Error(Errc::kIo, printable(path) + " is a directory");
  }
  std::string text;
  std::string chunk(64U << 10U, '\0');
  for (;;) {
    const ssize_t n = ::read(fd.get(), chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return errno_error("cannot read " + printable(path), errno);
    }
    if (n == 0) {
      return text;
    }
    text.append(chunk, 0, static_cast<std::size_t>(n));
    if (text.size() > max_bytes) {
      return Error(Errc::kLimit,
                   printable(path) + " is larger than " + std::to_string(max_bytes) + " bytes");
    }
  }
}

}  // namespace calaboose::cli
