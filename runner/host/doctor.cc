// SPDX-License-Identifier: Apache-2.0
// Turns what the probes saw into findings with a cause and a remedy.
// Place: runner/host.
#include "runner/host/doctor.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "runner/host/gather.h"
#include "runner/host/probes.h"

namespace calaboose::host {
namespace {

struct Row {
  Mechanism mechanism;
  std::string_view name;
  bool required;
};

constexpr std::array<Row, 16> kRows = {{
    {Mechanism::kUserNamespace, "user namespace", true},
    {Mechanism::kIdMap, "user id map", true},
    {Mechanism::kMountNamespace, "mount namespace", true},
    {Mechanism::kTmpfs, "tmpfs mount", true},
    {Mechanism::kMountByDescriptor, "mount by descriptor", true},
    {Mechanism::kPidNamespace, "pid namespace", true},
    {Mechanism::kProc, "fresh /proc", true},
    {Mechanism::kNetNamespace, "network namespace", true},
    {Mechanism::kIpcNamespace, "ipc namespace", true},
    {Mechanism::kUtsNamespace, "uts namespace", true},
    {Mechanism::kCgroupNamespace, "cgroup namespace", true},
    {Mechanism::kTimeNamespace, "time namespace", true},
    {Mechanism::kLandlock, "Landlock", true},
    {Mechanism::kSeccompFilter, "seccomp filter", true},
    {Mechanism::kSeccompNotify, "seccomp notification", true},
    {Mechanism::kDataLimit, "memory limit (RLIMIT_DATA)", true},
}};

std::string first_line(const Files& files, const std::string& path) {
  std::string text = files.read_head(path, 4096).value_or("");
  return text.substr(0, text.find('\n'));
}

/// Which switch of the kernel or distribution keeps unprivileged user namespaces off.
void explain_user_namespace(int error, const Files& files, Probe& probe) {
  const std::string maximum = first_line(files, "/proc/sys/user/max_user_namespaces");
  const std::string debian = first_line(files, "/proc/sys/kernel/unprivileged_userns_clone");
  const std::string ubuntu =
      first_line(files, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
  if (error == ENOSPC || maximum == "0") {
    probe.kernel_setting = "user.max_user_namespaces = " + printable(maximum, 32);
    probe.fix = "sudo sysctl -w user.max_user_namespaces=15000 (and in /etc/sysctl.d to keep it)";
  } else if (debian == "0") {
    probe.kernel_setting = "kernel.unprivileged_userns_clone = 0";
    probe.fix =
        "sudo sysctl -w kernel.unprivileged_userns_clone=1 (and in /etc/sysctl.d to keep it)";
  } else if (ubuntu == "1") {
    probe.kernel_setting = "kernel.apparmor_restrict_unprivileged_userns = 1";
    probe.fix = "install an AppArmor profile that allows `userns,` for calaboose-jail";
  } else {
    probe.fix =
        "inside a container: start it with a seccomp profile that allows unshare and clone with "
        "user namespaces";
  }
}

void explain(const Tried& tried, const Files& files, Probe& probe) {
  switch (tried.mechanism) {
    case Mechanism::kUserNamespace:
    case Mechanism::kIdMap:
    case Mechanism::kMountNamespace:
      explain_user_namespace(tried.error, files, probe);
      break;
    case Mechanism::kProc:
      probe.fix =
          "something is mounted over parts of /proc (as in containers): unmount it, or start the "
          "container with an unmasked /proc";
      break;
    case Mechanism::kLandlock:
      probe.kernel_setting = "lsm= on the kernel command line";
      probe.fix =
          "use a kernel with CONFIG_SECURITY_LANDLOCK (5.13 or later) and landlock in its lsm= "
          "list";
      break;
    case Mechanism::kSeccompNotify:
      probe.fix = "use kernel 5.19 or later (killable waits of the seccomp notification)";
      break;
    case Mechanism::kMountByDescriptor:
      probe.fix = "use kernel 5.12 or later (open_tree, mount_setattr)";
      break;
    default:
      probe.fix = "use a kernel that is built with it, and no container profile that refuses it";
      break;
  }
}

Probe judge(const Row& row, const std::vector<Tried>& tried, const Files& files) {
  Probe probe;
  probe.mechanism = row.name;
  probe.required = row.required;
  const auto found = std::find_if(tried.begin(), tried.end(), [&](const Tried& each) {
    return each.mechanism == row.mechanism;
  });
  if (found == tried.end()) {
    probe.detail = "not tried: something it needs failed";
    probe.fix = "fix the lines above first";
    return probe;
  }
  probe.ok = found->error == 0;
  if (!probe.ok) {
    probe.detail = errno_name(found->error);
    explain(*found, files, probe);
  } else if (row.mechanism == Mechanism::kLandlock) {
    probe.detail = "ABI " + std::to_string(landlock_abi());
  }
  return probe;
}

/// The v2 cgroup of this process as a directory; nothing without a v2 hierarchy.
std::optional<std::string> own_cgroup(const Files& files) {
  const std::string text = files.read_head("/proc/self/cgroup", 64U << 10U).value_or("");
  const std::size_t at = text.find("0::/");
  if (at == std::string::npos || (at != 0 && text[at - 1] != '\n')) {
    return std::nullopt;
  }
  const std::string path = text.substr(at + 3, text.find('\n', at) - at - 3);
  for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (files.stat(root + path + "/cgroup.procs") &&
        files.stat(root + path + "/cgroup.controllers")) {
      return root + path;
    }
  }
  return std::nullopt;
}

Probe cgroup_probe(const Files& files) {
  Probe probe;
  probe.mechanism = "cgroup v2 delegation";
  probe.required = false;
  const auto dir = own_cgroup(files);
  if (!dir) {
    probe.detail = "no cgroup v2 here; process limits are used instead";
    probe.fix =
        "start from a systemd user session with the unified hierarchy to get limits for the whole "
        "jail";
    return probe;
  }
  const std::string controllers = first_line(files, *dir + "/cgroup.controllers");
  const bool useful = controllers.find("memory") != std::string::npos &&
                      controllers.find("pids") != std::string::npos;
  const bool writable = ::access((*dir + "/cgroup.procs").c_str(), W_OK) == 0;
  probe.ok = useful && writable;
  probe.detail = "controllers: " + (controllers.empty() ? "none" : printable(controllers, 128)) +
                 (writable ? "" : "; not writable by this user");
  if (!probe.ok) {
    probe.fix =
        "start from a systemd user session (Delegate=yes) to get limits for the whole jail; "
        "process limits are used instead";
  }
  return probe;
}

Probe helper_probe(const std::string& path) {
  Probe probe;
  probe.mechanism = "jail helper";
  probe.detail = printable(path, 512);
  probe.fix = "reinstall calaboose";
  struct stat st = {};
  if (::stat(path.c_str(), &st) != 0) {
    probe.detail += ": " + errno_name(errno);
  } else if (!S_ISREG(st.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    probe.detail += ": is not a program";
  } else if (st.st_uid != 0 && st.st_uid != ::geteuid()) {
    probe.detail += ": belongs to another user";
  } else if ((st.st_mode & 0022U) != 0) {
    probe.detail += ": others can write to it";
    probe.fix = "chmod go-w " + printable(path, 512);
  } else {
    probe.ok = true;
    probe.fix.clear();
  }
  return probe;
}

}  // namespace

std::vector<Probe> probe_all(const ProbeOptions& options, const Files& files) {
  std::vector<Tried> tried = try_namespaces();
  const std::vector<Tried> filters = try_filters();
  tried.insert(tried.end(), filters.begin(), filters.end());
  std::vector<Probe> out;
  for (const Row& row : kRows) {
    out.push_back(judge(row, tried, files));
  }
  if (!options.helper_path.empty()) {
    out.push_back(helper_probe(options.helper_path));
  }
  out.push_back(cgroup_probe(files));
  return out;
}

bool full_possible(const std::vector<Probe>& probes) {
  return !probes.empty() && std::all_of(probes.begin(), probes.end(), [](const Probe& probe) {
    return probe.ok || !probe.required;
  });
}

std::string kernel_release() {
  struct utsname name = {};
  return ::uname(&name) == 0 ? printable(static_cast<const char*>(name.release), 128) : "unknown";
}

}  // namespace calaboose::host
