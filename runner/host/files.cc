// SPDX-License-Identifier: Apache-2.0
// System calls of RealFiles.
// Place: runner/host.
#include "runner/host/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/fd.h"
#include "base/text.h"

namespace calaboose::host {
namespace {

bool has_nul(const std::string& path) {
  return path.find('\0') != std::string::npos;
}

FileInfo info_of(const struct stat& st) {
  FileInfo info;
  info.device = st.st_dev;
  info.inode = st.st_ino;
  info.mode = st.st_mode;
  info.uid = st.st_uid;
  return info;
}

Error directory_error(const std::string& path, int err) {
  return errno_error("cannot make the directory " + printable(path, 512), err);
}

}  // namespace

std::optional<FileInfo> RealFiles::stat(const std::string& path) const {
  struct stat st = {};
  if (has_nul(path) || ::stat(path.c_str(), &st) != 0) {
    return std::nullopt;
  }
  return info_of(st);
}

std::optional<FileInfo> RealFiles::lstat(const std::string& path) const {
  struct stat st = {};
  if (has_nul(path) || ::lstat(path.c_str(), &st) != 0) {
    return std::nullopt;
  }
  return info_of(st);
}

std::optional<std::string> RealFiles::real_path(const std::string& path) const {
  if (has_nul(path)) {
    return std::nullopt;
  }
  const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr),
                                                          &std::free);
  return found ? std::optional<std::string>(found.get()) : std::nullopt;
}

std::optional<std::string> RealFiles::read_link(const std::string& path) const {
  if (has_nul(path)) {
    return std::nullopt;
  }
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  if (length <= 0 || static_cast<std::size_t>(length) >= target.size()) {
    return std::nullopt;
  }
  target.resize(static_cast<std::size_t>(length));
  return target;
}

std::optional<std::string> RealFiles::read_head(const std::string& path,
                                                std::size_t max_bytes) const {
  if (has_nul(path)) {
    return std::nullopt;
  }
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat st = {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return std::nullopt;
  }
  std::string out;
  // Files of /proc say size 0, so the size is only a first guess.
  out.resize(
      std::min(max_bytes, std::max<std::size_t>(static_cast<std::size_t>(st.st_size), 4096)));
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n = ::read(fd.get(), out.data() + got, out.size() - got);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return std::nullopt;
    }
    if (n == 0) {
      break;
    }
    got += static_cast<std::size_t>(n);
    if (got == out.size() && got < max_bytes) {
      out.resize(std::min(max_bytes, out.size() * 2));
    }
  }
  out.resize(got);
  return out;
}

bool RealFiles::is_executable(const std::string& path) const {
  return !has_nul(path) && ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0;
}

std::vector<std::string> RealFiles::list(const std::string& dir, std::size_t max_entries) const {
  std::vector<std::string> out;
  if (has_nul(dir)) {
    return out;
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(dir.c_str()), &::closedir);
  if (!stream) {
    return out;
  }
  while (out.size() < max_entries) {
    const struct dirent* const entry =
        ::readdir(stream.get());  // NOLINT(concurrency-mt-unsafe): own stream
    if (entry == nullptr) {
      break;
    }
    const std::string name = entry->d_name;
    if (name != "." && name != "..") {
      out.push_back(name);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<void> make_private_directory(const std::string& path) {
  if (path.empty() || path.front() != '/' || has_nul(path)) {
    return Error(Errc::kIo, "not an absolute path: " + printable(path, 512));
  }
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    if (::mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST) {
      return directory_error(parent, errno);
    }
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return directory_error(path, errno);
  }
  const Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) {
    return directory_error(path, errno);
  }
  struct stat st = {};
  if (::fstat(fd.get(), &st) != 0) {
    return directory_error(path, errno);
  }
  if (st.st_uid != ::geteuid()) {
    return Error(Errc::kIo, "the directory " + printable(path, 512) + " belongs to another user");
  }
  if ((st.st_mode & 0077U) != 0 && ::fchmod(fd.get(), 0700) != 0) {
    return directory_error(path, errno);
  }
  return {};
}

}  // namespace calaboose::host
