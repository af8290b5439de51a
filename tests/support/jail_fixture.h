// SPDX-License-Identifier: Apache-2.0
// Hand-made plans and a small driver for tests that run real jails.
// Place: tests/support; header only. Works as root and as an ordinary user.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/fd.h"
#include "runner/jail/jail.h"
#include "runner/plan/plan.h"
#include "runner/plan/seccomp/program.h"

namespace calaboose::testing {

inline constexpr std::uint32_t kFreeUid = 64'000;  // outside, for jails started as root

/// A directory that disappears with its contents (one level of files only); usable by any uid.
class TempDir {
 public:
  TempDir() {
    std::string name = "/tmp/calaboose-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      std::abort();
    }
    char real[4096];
    path_ = ::realpath(name.c_str(), real) != nullptr ? real : name;
  }

  ~TempDir() { (void)!std::system(("rm -rf '" + path_ + "'").c_str()); }

  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A bind of an existing path with its present identity.
inline plan::Mount bind_of(const std::string& source, const std::string& target,
                           bool writable = false) {
  plan::Mount m;
  m.kind = plan::Mount::Kind::kBind;
  m.source = source;
  m.target = target;
  m.writable = writable;

  struct stat info = {};
  if (::stat(source.c_str(), &info) == 0) {
    m.device = info.st_dev;
    m.inode = info.st_ino;
  }
  return m;
}

inline plan::Mount entry(plan::Mount::Kind kind, const std::string& target,
                         const std::string& data = "") {
  plan::Mount m;
  m.kind = kind;
  m.target = target;
  m.data = data;
  return m;
}

inline plan::Mount tmpfs_at(const std::string& target, std::uint64_t bytes, std::uint32_t mode) {
  plan::Mount m = entry(plan::Mount::Kind::kTmpfs, target);
  m.size_bytes = bytes;
  m.inodes = 4096;
  m.mode = mode;
  m.writable = true;
  return m;
}

/// Device nodes, /proc, /tmp, /dev/shm, an empty home, and `program` as /jail/program; nothing of
/// the host besides.
inline plan::Plan minimal_plan(const std::string& program,
                               std::vector<std::string> arguments = {}) {
  using Kind = plan::Mount::Kind;
  using plan::kExecute;
  using plan::kMake;
  using plan::kReadDir;
  using plan::kReadFile;
  using plan::kWriteFile;
  using plan::Mount;
  plan::Plan p;
  p.server = "test";
  p.as_root = ::geteuid() == 0;
  p.outer_uid = p.as_root ? kFreeUid : ::geteuid();
  p.outer_gid = p.as_root ? kFreeUid : ::getegid();
  p.seccomp = std::string(plan::seccomp_program(plan::SeccompVariant::kNotify));
  p.argv = {"/jail/program"};
  p.argv.insert(p.argv.end(), arguments.begin(), arguments.end());
  p.env = {"HOME=/home/jail", "PATH=/usr/bin:/bin", "TMPDIR=/tmp"};
  p.cwd = "/home/jail";

  p.mounts.push_back(entry(Kind::kDirectory, "/dev"));
  for (const char* name : {"null", "zero", "full", "random", "urandom"}) {
    Mount device = bind_of(std::string("/dev/") + name, std::string("/dev/") + name, true);
    device.is_device = true;
    device.executable = false;
    p.mounts.push_back(device);
  }
  p.mounts.push_back(entry(Kind::kSymlink, "/dev/fd", "/proc/self/fd"));
  p.mounts.push_back(entry(Kind::kProc, "/proc"));
  p.mounts.push_back(tmpfs_at("/tmp", 16U << 20U, 01777));
  Mount shm = tmpfs_at("/dev/shm", 16U << 20U, 01777);
  shm.executable = false;
  p.mounts.push_back(shm);
  p.mounts.push_back(tmpfs_at("/home/jail", 16U << 20U, 0700));
  p.mounts.push_back(entry(Kind::kFile, "/etc/passwd", "jail:x:1000:1000::/home/jail:/bin/sh\n"));
  p.mounts.push_back(bind_of(program, "/jail/program"));

  constexpr std::uint32_t kRead = kReadFile | kReadDir;
  constexpr std::uint32_t kAll = kRead | kWriteFile | kMake;
  p.landlock = {{"/", kReadDir},
                {"/jail", kReadFile | kExecute},
                {"/etc", kRead},
                {"/proc", kRead | kWriteFile},
                {"/dev", kRead | kWriteFile},
                {"/dev/shm", kAll},
                {"/tmp", kAll | kExecute},
                {"/home/jail", kAll | kExecute}};
  return p;
}

/// Adds the host's /usr, /lib… and loader cache, so that dynamic programs such as /bin/sh run.
inline void add_system(plan::Plan& p) {
  using Kind = plan::Mount::Kind;
  p.mounts.push_back(bind_of("/usr", "/usr"));
  p.landlock.push_back({"/usr", plan::kReadFile | plan::kReadDir | plan::kExecute});
  for (const std::string name : {"bin", "sbin", "lib", "lib64"}) {
    char link[256];
    const auto size = ::readlink(("/" + name).c_str(), link, sizeof(link) - 1);
    if (size > 0) {
      p.mounts.push_back(
          entry(Kind::kSymlink, "/" + name, std::string(link, static_cast<std::size_t>(size))));
    } else if (::access(("/" + name).c_str(), F_OK) == 0) {
      p.mounts.push_back(bind_of("/" + name, "/" + name));
      p.landlock.push_back({"/" + name, plan::kReadFile | plan::kReadDir | plan::kExecute});
    }
  }
  if (::access("/etc/ld.so.cache", F_OK) == 0) {
    p.mounts.push_back(bind_of("/etc/ld.so.cache", "/etc/ld.so.cache"));
  }
}

/// Everything that one run of a server left behind.
struct Outcome {
  std::string out;
  std::string err;
  std::optional<jail::Exit> exit;
  std::vector<jail::Denial> denials;
};

/// Reads both pipes until their ends and the exit fact, answering refused calls; `limit` bounds all
/// of it.
inline Outcome drain(jail::Jail& j, Milliseconds limit = Milliseconds(20'000)) {
  Outcome result;
  Fd out = j.take_stdout();
  Fd err = j.take_stderr();
  const Deadline deadline = Deadline::after(limit);
  const auto pump = [](Fd& fd, std::string& into) {
    char buffer[65'536];
    for (;;) {
      const auto size = ::read(fd.get(), buffer, sizeof(buffer));
      if (size > 0) {
        into.append(buffer, static_cast<std::size_t>(size));
      } else {
        if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
          fd.reset();
        }
        return;
      }
    }
  };
  while ((out.valid() || err.valid() || !result.exit) && !deadline.expired(SteadyClock::now())) {
    pollfd events[] = {{out.get(), POLLIN, 0},
                       {err.get(), POLLIN, 0},
                       {result.exit ? -1 : j.control_fd(), POLLIN, 0},
                       {j.notify_fd(), POLLIN, 0}};
    ::poll(events, 4, deadline.poll_timeout_ms(SteadyClock::now(), 1000));
    if (events[0].revents != 0) {
      pump(out, result.out);
    }
    if (events[1].revents != 0) {
      pump(err, result.err);
    }
    while (auto denial = j.next_denial()) {
      result.denials.push_back(std::move(*denial));
    }
    if (!result.exit) {
      result.exit = j.next_exit();
    }
  }
  return result;
}

}  // namespace calaboose::testing
