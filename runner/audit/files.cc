// SPDX-License-Identifier: Apache-2.0
// File operations of the audit.
// Place: runner/audit.
#include "runner/audit/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "runner/audit/audit.h"

namespace calaboose::audit {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) {
    return ".";
  }
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<void> make_private_dirs(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return errno_error("cannot make the directory " + printable(part), errno);
    }
    if (at == std::string::npos) {
      return {};
    }
  }
}

Result<Fd> open_file(const std::string& path, int flags, mode_t mode) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode));
  if (!fd) {
    return errno_error("cannot open " + printable(path), errno);
  }
  return fd;
}

Result<std::string> read_small_file(const std::string& path, std::size_t max_bytes) {
  // O_NONBLOCK: a FIFO in this place must not stop us.
  CALABOOSE_TRY(const Fd fd, open_file(path, O_RDONLY | O_NONBLOCK));

  struct stat info {};

  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error(Errc::kIo, printable(path) + " is not a regular file");
  }
  std::string text(max_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return errno_error("cannot read " + printable(path), errno);
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  if (size > max_bytes) {
    return Error(Errc::kLimit,
                 printable(path) + " is longer than " + std::to_string(max_bytes) + " bytes");
  }
  text.resize(size);
  return text;
}

bool is_missing(const std::string& path) {
  struct stat info {};

  return ::lstat(path.c_str(), &info) != 0 && errno == ENOENT;
}

Result<void> write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put < 0) {
      return errno_error("cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view text, bool durable) {
  const std::string temporary = path + ".tmp";
  if (::unlink(temporary.c_str()) != 0 && errno != ENOENT) {
    return errno_error("cannot remove " + printable(temporary), errno);
  }
  CALABOOSE_TRY(Fd fd, open_file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0600));
  if (auto written = write_all(fd.get(), text); !written.ok()) {
    ::unlink(temporary.c_str());
    return std::move(written).error().in(printable(temporary));
  }
  if (durable && ::fsync(fd.get()) != 0) {
    const int err = errno;
    ::unlink(temporary.c_str());
    return errno_error("cannot sync " + printable(temporary), err);
  }
  fd.reset();
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int err = errno;
    ::unlink(temporary.c_str());
    return errno_error("cannot put " + printable(path) + " in place", err);
  }
  return {};
}

Result<bool> publish(const std::string& temporary, const std::string& path) {
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
    return true;
  }
  int err = errno;
  if (err == EINVAL || err == ENOSYS) {  // a file system without the flag
    err = ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  }
  ::unlink(temporary.c_str());
  if (err == 0 || err == EEXIST) {
    return err == 0;
  }
  return errno_error("cannot create " + printable(path), err);
}

void sync_parent(const std::string& path) {
  const Fd dir(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir) {
    ::fsync(dir.get());
  }
}

}  // namespace calaboose::audit
