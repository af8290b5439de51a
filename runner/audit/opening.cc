// SPDX-License-Identifier: Apache-2.0
// Creating and continuing logs, and their names. A new file is locked before it gets its name, so
// that nobody else can come first. Place: runner/audit.
#include "runner/audit/opening.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include <array>
#include <cerrno>

#include "base/text.h"
#include "runner/audit/audit.h"
#include "runner/audit/files.h"

namespace calaboose::audit {
namespace {

Error in_use(const std::string& path) {
  return Error(Errc::kDenied, "the audit log " + printable(path) + " has another writer")
      .with_hint("give each run its own file");
}

/// A new empty file, locked before it gets its name; no descriptor when the name is taken.
Result<Fd> create_log(const std::string& path) {
  const std::string temporary = path + "." + new_run_id() + ".tmp";
  CALABOOSE_TRY(Fd fd, open_file(temporary, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0600));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    const int err = errno;
    ::unlink(temporary.c_str());
    return errno_error("cannot lock " + printable(temporary), err);
  }
  CALABOOSE_TRY(const bool first, publish(temporary, path));
  if (!first) {
    fd.reset();
  }
  return fd;
}

/// An existing log, locked, private and verified.
Result<Opened> continue_log(const std::string& path, const PublicKey& key) {
  Opened opened;
  opened.existed = true;
  CALABOOSE_TRY(opened.fd, open_file(path, O_RDWR | O_APPEND | O_NONBLOCK));

  struct stat info {};

  if (::fstat(opened.fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error(Errc::kDenied, printable(path) + " is not a regular file");
  }
  if (info.st_uid != ::geteuid() || (info.st_mode & 077U) != 0) {
    return Error(Errc::kDenied, printable(path) + " belongs to, or is open to, other users")
        .with_hint("audit logs are private files of their writer (mode 600)");
  }
  if (::flock(opened.fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? in_use(path)
                                : errno_error("cannot lock " + printable(path), errno);
  }
  CALABOOSE_TRY(opened.found, examine_file(opened.fd.get(), path, key));
  const Verification& result = opened.found.result;
  if (result.status == Verification::Status::kTampered) {
    const std::string where =
        result.bad_line > 0 ? " at line " + std::to_string(result.bad_line) : "";
    return Error(Errc::kDenied, "the audit log " + printable(path) + " was tampered with" + where +
                                    ": " + result.reason)
        .with_hint("keep it as evidence and give the run another file");
  }
  return opened;
}

}  // namespace

Result<Opened> open_log(const std::string& path, const PublicKey& key) {
  if (is_missing(path)) {
    CALABOOSE_TRY(Fd fd, create_log(path));
    if (fd) {
      Opened opened;
      opened.fd = std::move(fd);
      return opened;
    }
  }
  return continue_log(path, key);
}

std::string new_log_name(std::string_view run) {
  const std::time_t now = ::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts);
  std::string name(text.data(), size);
  return name.append("-").append(run).append(".jsonl");
}

std::string new_run_id() {
  std::array<std::uint8_t, 8> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got > 0) {
      filled += static_cast<std::size_t>(got);
    }
  }
  return to_hex(bytes);
}

}  // namespace calaboose::audit
