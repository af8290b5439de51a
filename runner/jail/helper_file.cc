// SPDX-License-Identifier: Apache-2.0
// Finds and checks calaboose-jail.
// Place: runner/jail.
#include "runner/jail/helper_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/text.h"

namespace calaboose::jail {
namespace {

constexpr char kName[] = "calaboose-jail";

std::vector<std::string> candidates(const std::string& path) {
  if (!path.empty()) {
    return {path};
  }
  char self[PATH_MAX];
  const auto size = ::readlink("/proc/self/exe", self, sizeof(self));
  if (size <= 0 || static_cast<std::size_t>(size) == sizeof(self)) {
    return {};
  }
  std::string folder(self, static_cast<std::size_t>(size));
  folder.erase(folder.rfind('/') + 1);
  return {folder + kName, folder + "../libexec/calaboose/" + kName};
}

Result<void> check(const Fd& fd, const std::string& path) {
  struct stat info = {};
  if (::fstat(fd.get(), &info) != 0) {
    return errno_error("the jail helper " + printable(path), errno).with_id("CB4001");
  }
  const bool owner = info.st_uid == 0 || info.st_uid == ::geteuid();
  const bool group_writes = (info.st_mode & S_IWGRP) != 0 && info.st_gid != ::getegid();
  if (!S_ISREG(info.st_mode) || !owner || group_writes || (info.st_mode & S_IWOTH) != 0) {
    return Error(Errc::kCannotEnforce,
                 "the jail helper " + printable(path) + " could have been changed by somebody else")
        .with_hint(
            "it must be a regular file that belongs to root or to you and that nobody else may "
            "write; "
            "reinstall calaboose or correct its owner and mode")
        .with_id("CB4002");
  }
  return {};
}

}  // namespace

Result<Fd> open_helper(const std::string& path) {
  const auto places = candidates(path);
  for (const auto& place : places) {
    Fd fd(::open(place.c_str(), O_PATH | O_CLOEXEC));
    if (fd.valid()) {
      CALABOOSE_CHECK(check(fd, place));
      return fd;
    }
    if (errno != ENOENT) {
      Error cause = errno_error("cannot open the jail helper " + printable(place), errno);
      return Error(Errc::kCannotEnforce, cause.what()).with_id("CB4001");
    }
  }
  return Error(Errc::kCannotEnforce,
               "the jail helper is missing" +
                   (places.empty() ? std::string() : ": " + printable(places.front())))
      .with_hint(
          "calaboose-jail is installed beside calaboose or in ../libexec/calaboose; reinstall "
          "calaboose")
      .with_id("CB4001");
}

}  // namespace calaboose::jail
