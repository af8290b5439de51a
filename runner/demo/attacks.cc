// SPDX-License-Identifier: Apache-2.0
// The attacks. All of them are ordinary system calls: a program needs no exploit to do this on most
// machines. Place: runner/demo.
#include "runner/demo/attacks.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/fd.h"

namespace calaboose::demo {
namespace {

constexpr int kConnectTimeoutMs = 300;
constexpr unsigned kOrphanSeconds = 20;

std::string home() {
  const char* path = std::getenv("HOME");
  return path != nullptr ? path : "/";
}

/// Success with a detail, or the reason of the system call that just failed.
Outcome outcome(std::string what, bool worked, std::string detail) {
  return {std::move(what), worked, std::move(detail)};
}

Outcome failed(std::string what, int err) {
  return outcome(std::move(what), false, ::strerrordesc_np(err));
}

/// Bytes of a file that could be read; -1 with errno when there are none.
ssize_t readable_bytes(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    return -1;
  }
  std::array<char, 65536> buffer;
  const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
  explicit_bzero(buffer.data(), buffer.size());
  return got;
}

/// `shown` is the path as the report names it: the same in any home.
Outcome read_file(const std::string& shown, const std::string& path) {
  const std::string what = "read " + shown;
  const ssize_t got = readable_bytes(path);
  if (got < 0) {
    return failed(what, errno);
  }
  return outcome(what, got > 0, std::to_string(got) + " bytes");
}

/// Names in a directory.
std::vector<std::string> list(const std::string& path) {
  std::vector<std::string> names;
  DIR* const directory = ::opendir(path.c_str());
  if (directory == nullptr) {
    return names;
  }
  while (const dirent* entry = ::readdir(directory)) {
    names.emplace_back(entry->d_name);
  }
  ::closedir(directory);
  return names;
}

Outcome read_ssh_keys() {
  const std::string what = "read private keys in ~/.ssh";
  const std::string folder = home() + "/.ssh";
  int keys = 0;
  for (const std::string& name : list(folder)) {
    const bool is_private = name.starts_with("id_") && !name.ends_with(".pub");
    keys += is_private && readable_bytes(folder + "/" + name) > 0 ? 1 : 0;
  }
  return outcome(what, keys > 0, std::to_string(keys) + " keys");
}

bool looks_secret(std::string_view name) {
  for (const std::string_view word :
       {"TOKEN", "SECRET", "PASSWORD", "API_KEY", "APIKEY", "CREDENTIAL"}) {
    if (name.find(word) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

Outcome read_secret_variables() {
  std::string found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (looks_secret(name)) {
      found.append(found.empty() ? "" : ", ").append(name);
    }
  }
  return outcome("find secrets in the environment", !found.empty(),
                 found.empty() ? "no such variables" : found);
}

Outcome list_processes() {
  int others = 0;
  for (const std::string& name : list("/proc")) {
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      const int pid = std::atoi(name.c_str());
      others += pid != ::getpid() && pid != ::getppid() ? 1 : 0;
    }
  }
  return outcome("list other processes", others > 0, std::to_string(others) + " seen");
}

Outcome read_parent_environment() {
  const std::string what = "read the environment of the parent process";
  const ssize_t got = readable_bytes("/proc/" + std::to_string(::getppid()) + "/environ");
  if (got < 0) {
    return failed(what, errno);
  }
  return outcome(what, got > 0, std::to_string(got) + " bytes");
}

/// Connects with a time limit; 0, or the errno (ETIMEDOUT: the packets went out, nobody answered).
int connect_to(int family, const sockaddr* address, socklen_t size) {
  const Fd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) {
    return errno;
  }
  if (::connect(fd.get(), address, size) == 0) {
    return 0;
  }
  if (errno != EINPROGRESS) {
    return errno;
  }
  pollfd ready{fd.get(), POLLOUT, 0};
  if (::poll(&ready, 1, kConnectTimeoutMs) == 0) {
    return ETIMEDOUT;
  }
  int err = 0;
  socklen_t length = sizeof err;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &err, &length);
  return err;
}

int connect_inet(const char* host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, host, &address.sin_addr);
  return connect_to(AF_INET, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Outcome connect_to_local_service(int port) {
  const std::string what =
      "connect to a service on this machine (port " + std::to_string(port) + ")";
  const int err = connect_inet("127.0.0.1", port);
  return err == 0 ? outcome(what, true, "connected") : failed(what, err);
}

/// 192.0.2.1 is reserved for documentation: nobody ever answers there, but packets to it leave the
/// machine.
Outcome connect_to_internet() {
  const std::string what = "send packets to the internet (192.0.2.1:443)";
  const int err = connect_inet("192.0.2.1", 443);
  if (err == 0 || err == ETIMEDOUT) {
    return outcome(what, true, "packets went out");
  }
  return failed(what, err);
}

Outcome connect_to_socket(const std::string& path) {
  const std::string what = "connect to the unix socket " + path;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return failed(what, ENAMETOOLONG);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int err = connect_to(AF_UNIX, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return err == 0 ? outcome(what, true, "connected") : failed(what, err);
}

Outcome attach_to_parent() {
  const std::string what = "debug the parent process (ptrace)";
  const pid_t parent = ::getppid();
  if (::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr) != 0) {
    return failed(what, errno);
  }
  ::waitpid(parent, nullptr, __WALL);
  ::ptrace(PTRACE_DETACH, parent, nullptr, nullptr);
  return outcome(what, true, "attached and let go");
}

Outcome read_parent_memory() {
  const std::string what = "read the memory of the parent process";
  std::array<char, 16> buffer{};
  iovec local{buffer.data(), buffer.size()};
  // Our own stack's address: mapped there or not, EFAULT comes only after permission was given.
  iovec remote{buffer.data(), buffer.size()};
  const ssize_t got = ::process_vm_readv(::getppid(), &local, 1, &remote, 1, 0);
  if (got >= 0 || errno == EFAULT) {
    return outcome(what, true, "permitted");
  }
  return failed(what, errno);
}

/// Runs `act` in a child, so that its effects end with it; 0 or the errno that it returned.
template <class F>
int in_child(F act) {
  const pid_t child = ::fork();
  if (child < 0) {
    return errno;
  }
  if (child == 0) {
    ::_exit(act());
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

Outcome make_namespace() {
  const std::string what = "become root in a new user namespace";
  const int err = in_child([] { return ::unshare(CLONE_NEWUSER) == 0 ? 0 : errno; });
  return err == 0 ? outcome(what, true, "done") : failed(what, err);
}

Outcome mount_something() {
  const std::string what = "mount a file system";
  const int err = in_child([] {
    // With its own mount namespace nobody else sees the mount; as root the first try is enough.
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      return errno;
    }
    const bool hidden = ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return hidden && ::mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 ? 0 : errno;
  });
  return err == 0 ? outcome(what, true, "done") : failed(what, err);
}

Outcome write_rc_file(const std::string& path) {
  const std::string what = "write into the shell start file " + path;
  const Fd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
  if (!fd) {
    return failed(what, errno);
  }
  constexpr std::string_view line = "# the calaboose demo server was here\n";
  const ssize_t put = ::write(fd.get(), line.data(), line.size());
  return put > 0 ? outcome(what, true, "one line added") : failed(what, errno);
}

/// A grandchild in its own session, deaf to polite signals. It ends by itself after a while.
[[noreturn]] void live_as_orphan() {
  ::prctl(PR_SET_NAME, kOrphanName);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    ::signal(number, SIG_IGN);
  }
  for (int fd = 0; fd < 3; ++fd) {
    ::close(fd);
  }
  ::sleep(kOrphanSeconds);
  ::_exit(0);
}

void leave_orphan() {
  (void)in_child([] {
    if (::setsid() >= 0 && ::fork() == 0) {
      live_as_orphan();
    }
    return 0;
  });
}

}  // namespace

std::vector<Outcome> look_around(const Targets& targets) {
  std::vector<Outcome> all = {
      read_ssh_keys(), read_file("~/.aws/credentials", home() + "/.aws/credentials"),
      read_file("~/.netrc", home() + "/.netrc"), read_file("/etc/shadow", "/etc/shadow")};
  for (const std::string& path : targets.files) {
    all.push_back(read_file(path, path));
  }
  all.push_back(read_secret_variables());
  all.push_back(list_processes());
  all.push_back(read_parent_environment());
  return all;
}

std::vector<Outcome> reach_out(const Targets& targets) {
  std::vector<Outcome> all;
  if (targets.port != 0) {
    all.push_back(connect_to_local_service(targets.port));
  }
  all.push_back(connect_to_internet());
  if (!targets.socket.empty()) {
    all.push_back(connect_to_socket(targets.socket));
  }
  all.push_back(attach_to_parent());
  all.push_back(read_parent_memory());
  all.push_back(make_namespace());
  all.push_back(mount_something());
  if (!targets.rc_file.empty()) {
    all.push_back(write_rc_file(targets.rc_file));
  }
  leave_orphan();
  return all;
}

}  // namespace calaboose::demo
