// SPDX-License-Identifier: Apache-2.0
// Attacks through files, devices, mounts and sockets of the host.
// Place: tests/victims.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "tests/victims/probe.h"

namespace probe {
namespace {

using T = const Targets&;

Result open_path(const char* path, int flags) {
  const int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (fd >= 0) {
    close(fd);
  }
  return of(fd);
}

/// "absent", or the first of `paths` that exists.
Result exists_any(std::initializer_list<const char*> paths) {
  for (const char* path : paths) {
    struct stat info = {};
    if (lstat(path, &info) == 0 || errno != ENOENT) {
      return {"present", path};
    }
  }
  return {"absent", ""};
}

Result listing(const char* path) {
  bool ok = false;
  const auto names = names_in(path, ok);
  return {ok ? join(names) : of_errno(errno).outcome, ""};
}

/// J29: no mount of ours is a peer or a slave of one outside.
Result propagation(T) {
  const std::string text = read_text("/proc/self/mountinfo");
  if (text.empty()) {
    return {"unreadable", ""};
  }
  const bool tied =
      text.find(" shared:") != std::string::npos || text.find(" master:") != std::string::npos;
  return {tied ? "tied" : "private", ""};
}

Result content(const char* path) {
  const std::string text = read_text(path);
  return text.empty() ? Result{"empty", ""} : Result{"readable", std::to_string(text.size())};
}

Result variables(T) {
  for (const char* name : {"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
                           "WAYLAND_DISPLAY", "XAUTHORITY", "DOCKER_HOST", "XDG_RUNTIME_DIR"}) {
    if (getenv(name) != nullptr) {
      return {"present", name};
    }
  }
  return {"absent", ""};
}

Result connect_to(const char* address, int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, address, &to.sin_addr);
  const Result result = of(fd < 0 ? -1 : connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)));
  if (fd >= 0) {
    close(fd);
  }
  return result;
}

Result connect_abstract(T targets) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return of_errno(errno);
  }
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  const std::size_t size = std::min(targets.abstract.size(), sizeof(to.sun_path) - 1);
  std::memcpy(to.sun_path + 1, targets.abstract.data(), size);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  const Result result = of(connect(fd, reinterpret_cast<sockaddr*>(&to), length));
  close(fd);
  return result;
}

/// J37: standard input, output and error must be no sockets: a socket carries descriptors.
Result standard_streams(T) {
  for (int fd = 0; fd < 3; ++fd) {
    struct stat info = {};
    if (fstat(fd, &info) != 0 || !S_ISFIFO(info.st_mode)) {
      return {"not pipes", std::to_string(fd)};
    }
  }
  return {"pipes", ""};
}

/// A server of the jail may still talk to itself.
Result own_loopback(T) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  if (bind(listener, reinterpret_cast<sockaddr*>(&at), size) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    return of_errno(errno);
  }
  const Result result = connect_to("127.0.0.1", ntohs(at.sin_port));
  close(listener);
  return result;
}

Result device(const char* path) {
  struct stat info = {};
  if (stat(path, &info) != 0) {
    return of_errno(errno);
  }
  return open_path(path, O_RDWR);
}

}  // namespace

const std::vector<Row> kFileRows = {
    {"J03.open", [](T) { return open_path("/dev/tty", O_RDWR); }},
    {"J23.mounts",
     [](T) {
       // Every mount but the device nodes is nosuid; the root is read-only.
       const std::string text = read_text("/proc/self/mountinfo");
       std::size_t at = 0;
       while (at < text.size()) {
         const auto end = text.find('\n', at);
         const std::string line = text.substr(at, end - at);
         if (line.substr(0, line.find(" - ")).find("nosuid") == std::string::npos) {
           return Result{"suid", line};
         }
         at = end == std::string::npos ? text.size() : end + 1;
       }
       return Result{text.empty() ? "unreadable" : "nosuid", ""};
     }},
    {"J29", propagation},
    {"J32.core_pattern", [](T) { return open_path("/proc/sys/kernel/core_pattern", O_WRONLY); }},
    {"J32.sysrq", [](T) { return open_path("/proc/sysrq-trigger", O_WRONLY); }},
    {"J32.kcore", [](T) { return content("/proc/kcore"); }},
    {"J32.kallsyms", [](T) { return content("/proc/kallsyms"); }},
    {"J32.keys", [](T) { return content("/proc/keys"); }},
    {"J32.timer_list", [](T) { return content("/proc/timer_list"); }},
    {"J32.kmsg", [](T) { return content("/proc/kmsg"); }},
    {"J33.cgroup", [](T) { return exists_any({"/sys/fs/cgroup"}); }},
    {"J34.sys",
     [](T) {
       return exists_any({"/sys", "/sys/kernel/debug", "/sys/firmware"});
     }},
    {"J34.devices",
     [](T) {
       return exists_any({"/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/dev/net/tun",
                          "/dev/dri", "/dev/input", "/dev/uinput", "/dev/snd", "/dev/vda",
                          "/dev/ptmx", "/dev/pts", "/dev/console"});
     }},
    {"J34.list", [](T) { return listing("/dev"); }},
    {"J34.null", [](T) { return device("/dev/null"); }},
    {"J34.urandom", [](T) { return device("/dev/urandom"); }},
    {"J35.sockets",
     [](T) {
       return exists_any({"/run", "/var/run", "/var/run/docker.sock", "/run/docker.sock",
                          "/run/podman", "/run/containerd", "/run/dbus", "/tmp/.X11-unix",
                          "/run/user", "/run/systemd"});
     }},
    {"J35.variables", variables},
    {"J36", connect_abstract},
    {"J37", standard_streams},
    {"J40.loopback", [](T t) { return connect_to("127.0.0.1", t.port); }},
    {"J40.any", [](T t) { return connect_to("0.0.0.0", t.port); }},
    {"J40.outside", [](T) { return connect_to("192.0.2.1", 80); }},
    {"J40.own", own_loopback},
    {"files.shadow", [](T) { return exists_any({"/etc/shadow"}); }},
    {"files.write_root", [](T) { return open_path("/new", O_WRONLY | O_CREAT); }},
    {"files.write_etc", [](T) { return open_path("/etc/passwd", O_WRONLY); }},
    {"files.write_home", [](T) { return open_path("new", O_WRONLY | O_CREAT); }},
    {"files.list_root", [](T) { return listing("/"); }},
};

}  // namespace probe
