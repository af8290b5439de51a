// SPDX-License-Identifier: Apache-2.0
// Refusing notified system calls.
// Place: runner/jail.
#include "runner/jail/notify.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/text.h"
#include "runner/plan/seccomp/program.h"

namespace calaboose::jail {
namespace {

struct Words {
  std::string_view calls;  // names between spaces
  std::string_view words;
};

constexpr Words kWords[] = {
    {" ptrace ", "trace another process"},
    {" process_vm_readv process_vm_writev process_madvise ", "reach into another process's memory"},
    {" kcmp pidfd_getfd ", "look at or take another process's descriptors"},
    {" mount umount2 move_mount open_tree fsopen fsmount fsconfig fspick mount_setattr ",
     "change the mounts"},
    {" pivot_root chroot ", "change its root directory"},
    {" unshare setns clone ", "make or enter a namespace"},
    {" ioctl ", "type into or take over a terminal"},
    {" personality ", "change its execution domain"},
    {" bpf ", "load a program into the kernel"},
    {" perf_event_open ", "open the kernel's performance counters"},
    {" userfaultfd ", "handle its own page faults"},
    {" keyctl add_key request_key ", "use the kernel's keyrings"},
    {" init_module finit_module delete_module kexec_load kexec_file_load ",
     "load code into the kernel"},
    {" reboot ", "reboot the machine"},
    {" swapon swapoff quotactl quotactl_fd acct ", "change the machine's accounting or swap"},
    {" iopl ioperm modify_ldt ", "reach for hardware ports or segments"},
    {" syslog ", "read the kernel's log"},
    {" name_to_handle_at open_by_handle_at ", "open files by handle, around the mounts"},
    {" move_pages migrate_pages ", "move memory of processes"},
    {" fanotify_init fanotify_mark lookup_dcookie ", "watch the whole file system"},
    {" clock_settime settimeofday adjtimex clock_adjtime ", "set the machine's clock"},
    {" sethostname setdomainname ", "change the host name"},
    {" vhangup nfsservctl ", "use an obsolete administrator's call"},
};

std::string comm_of(std::uint32_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/comm";
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[64];
  const auto size = fd.valid() ? ::read(fd.get(), text, sizeof(text)) : -1;
  if (size <= 0) {
    return "?";
  }
  std::string_view name(text, static_cast<std::size_t>(size));
  if (name.back() == '\n') {
    name.remove_suffix(1);
  }
  return printable(name, 64);
}

std::size_t request_words() {
  seccomp_notif_sizes sizes{};
  std::size_t bytes = sizeof(seccomp_notif);
  if (::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0) {
    bytes = std::max<std::size_t>(bytes, sizes.seccomp_notif);
  }
  return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

}  // namespace

std::string denial_in_plain_words(std::string_view syscall, std::uint64_t second_argument) {
  std::string name(syscall);
  if (syscall == "ioctl") {
    const auto request = static_cast<std::uint32_t>(second_argument);
    name += request == TIOCSTI ? " TIOCSTI" : request == TIOCLINUX ? " TIOCLINUX" : "";
  }
  const std::string key = " " + std::string(syscall) + " ";
  for (const auto& entry : kWords) {
    if (entry.calls.find(key) != std::string_view::npos) {
      return "tried to " + std::string(entry.words) + " (" + name + "): denied";
    }
  }
  return "tried the system call " + name + ": denied";
}

bool RateGate::over(TimePoint now) {
  if (!window_ || now - *window_ >= std::chrono::seconds(1)) {
    window_ = now;
    in_window_ = 0;
  }
  return ++in_window_ > kMaxDenialsPerSecond;
}

std::optional<Denial> Listener::answer() {
  if (request_.empty()) {
    request_.resize(request_words());
  }
  std::fill(request_.begin(), request_.end(), 0);
  if (::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_RECV, request_.data()) != 0) {
    return std::nullopt;  // the caller was killed meanwhile
  }
  seccomp_notif request{};
  std::memcpy(&request, request_.data(), sizeof(request));
  Denial denial;
  denial.pid = request.pid;
  denial.process = request.pid == 0 ? "?" : comm_of(request.pid);
  // The name is only believed if the caller still waits: otherwise the number may be somebody
  // else's by now.
  if (::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &request.id) != 0) {
    denial.process = "?";
  }
  seccomp_notif_resp response{};
  response.id = request.id;
  response.error = -EPERM;
  ::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_SEND, &response);

  const auto name = plan::refused_syscall_name(static_cast<std::uint32_t>(request.data.nr));
  denial.syscall = name.empty() ? "number " + std::to_string(request.data.nr) : std::string(name);
  std::copy(std::begin(request.data.args), std::end(request.data.args), std::begin(denial.args));
  denial.in_plain_words = denial_in_plain_words(denial.syscall, denial.args[1]);
  return denial;
}

std::optional<Denial> Listener::next(TimePoint now) {
  if (!fd_.valid()) {
    return std::nullopt;
  }
  pollfd event{fd_.get(), POLLIN, 0};
  if (::poll(&event, 1, 0) <= 0) {
    return std::nullopt;
  }
  if ((event.revents & POLLIN) == 0) {
    fd_.reset();  // every process under the filter has ended
    return std::nullopt;
  }
  if (gate_.over(now)) {
    fd_.reset();
    Denial summary;
    summary.syscall = "many";
    summary.process = "?";
    summary.in_plain_words =
        "made more than " + std::to_string(kMaxDenialsPerSecond) +
        " refused system calls in a second: further ones are refused without a record";
    return summary;
  }
  return answer();
}

}  // namespace calaboose::jail
