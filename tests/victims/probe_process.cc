// SPDX-License-Identifier: Apache-2.0
// Attacks on other processes, and what this one inherited.
// Place: tests/victims.
#include <elf.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "tests/victims/probe.h"

extern char** environ;

namespace probe {
namespace {

using T = const Targets&;

/// The value of "Name:" in /proc/self/status.
std::string status_field(const std::string& name) {
  const std::string text = "\n" + read_text("/proc/self/status");
  const auto at = text.find("\n" + name + ":");
  if (at == std::string::npos) {
    return "absent";
  }
  const auto begin = text.find_first_not_of(" \t", at + name.size() + 2);
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// J04: the test counts what arrives in its own process group.
Result signal_own_group(T) {
  signal(SIGUSR1, SIG_IGN);
  const Result result = of(kill(0, SIGUSR1));
  signal(SIGUSR1, SIG_DFL);
  const bool own = getpgrp() == getpid() && getsid(0) == getpid();
  return {result.outcome == "succeeded" ? (own ? "own group" : "shared group") : result.outcome,
          ""};
}

/// Only ever run inside: outside this reaches every process of the user.
Result signal_everybody(T) {
  signal(SIGUSR1, SIG_IGN);
  const Result result = of(kill(-1, SIGUSR1));
  signal(SIGUSR1, SIG_DFL);
  return result;
}

Result own_descriptor_to(T targets) {
  int fds[2];
  if (pipe(fds) != 0) {
    return of_errno(errno);
  }
  const Result result = of(fcntl(fds[0], F_SETOWN, targets.runner));
  close(fds[0]);
  close(fds[1]);
  return result;
}

Result open_for_writing(const char* path) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    close(fd);
  }
  return of(fd);
}

Result descriptors(T) {
  bool ok = false;
  const auto names = names_in("/proc/self/fd", ok);
  return {ok ? join(names) : "unreadable", ""};
}

Result read_of_runner(T targets, const char* file) {
  const std::string path = "/proc/" + std::to_string(targets.runner) + "/" + file;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    close(fd);
  }
  return of(fd);
}

Result visible_processes(T) {
  bool ok = false;
  long highest = 0;
  for (const auto& name : names_in("/proc", ok)) {
    highest = std::max(highest, std::atol(name.c_str()));
  }
  // A fresh pid namespace of a test holds a few processes; a host holds hundreds of numbers.
  return {ok ? (highest < 400 && getpid() < 400 ? "own" : "foreign") : "absent",
          std::to_string(highest)};
}

Result is_static(T) {
  const auto* headers = reinterpret_cast<const Elf64_Phdr*>(getauxval(AT_PHDR));
  for (unsigned long i = 0; i < getauxval(AT_PHNUM); ++i) {
    if (headers[i].p_type == PT_INTERP) {
      return {"dynamic", ""};
    }
  }
  return {"static", ""};
}

Result capabilities(T) {
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    if (status_field(set) != "0000000000000000") {
      return {"some", std::string(set) + " " + status_field(set)};
    }
  }
  return {"none", ""};
}

Result securebits(T) {
  return {std::to_string(prctl(PR_GET_SECUREBITS)), ""};
}

/// J53: a crash in a writable directory leaves nothing there.
Result crash(T) {
  bool ok = false;
  const auto before = names_in(".", ok);
  const Result result = in_child([] {
    std::abort();
    return 0;
  });
  bool still = false;
  const auto after = names_in(".", still);
  return {result.detail == "core" || before != after ? "dumped" : "no dump", result.outcome};
}

Result core_limit(T) {
  rlimit limit{};
  getrlimit(RLIMIT_CORE, &limit);
  return {std::to_string(limit.rlim_cur) + "/" + std::to_string(limit.rlim_max), ""};
}

Result environment_names(T) {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    names.emplace_back(*variable, std::strcspn(*variable, "="));
  }
  std::sort(names.begin(), names.end());
  return {join(names), ""};
}

Result loader_variables(T) {
  std::vector<std::string> found;
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GCONV_PATH",
                           "NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONPATH", "BASH_ENV", "ENV",
                           "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND"}) {
    if (getenv(name) != nullptr) {
      found.emplace_back(name);
    }
  }
  return {found.empty() ? "none" : join(found), ""};
}

Result file_mask(T) {
  const mode_t mask = umask(0);
  umask(mask);
  return {std::to_string(mask), ""};
}

Result affinity(T) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  return {std::to_string(CPU_COUNT(&set)), ""};
}

Result directory(T) {
  char text[4096];
  return {getcwd(text, sizeof(text)) != nullptr ? text : "unreachable", ""};
}

}  // namespace

const std::vector<Row> kProcessRows = {
    {"J04", signal_own_group},
    {"J04.all", signal_everybody},
    {"J05.kill", [](T t) { return of(kill(t.runner, 0)); }},
    {"J05.tgkill", [](T t) { return of(syscall(SYS_tgkill, t.runner, t.runner, 0)); }},
    {"J05.own", own_descriptor_to},
    {"J06.self", [](T) { return open_for_writing("/proc/self/exe"); }},
    {"J06.init", [](T) { return open_for_writing("/proc/1/exe"); }},
    {"J07", descriptors},
    {"J09.environ", [](T t) { return read_of_runner(t, "environ"); }},
    {"J09.maps", [](T t) { return read_of_runner(t, "maps"); }},
    {"J09.cmdline", [](T t) { return read_of_runner(t, "cmdline"); }},
    {"J09.init", [](T) { return of(open("/proc/1/environ", O_RDONLY | O_CLOEXEC)); }},
    {"J09.init_fd", [](T) { return of(open("/proc/1/fd/3", O_RDONLY | O_CLOEXEC)); }},
    {"J09.init_mem", [](T) { return of(open("/proc/1/mem", O_RDONLY | O_CLOEXEC)); }},
    {"J09.processes", visible_processes},
    {"J12", is_static},
    {"J23",
     [](T) {
       return Result{status_field("NoNewPrivs"), ""};
     }},
    {"J24", capabilities},
    {"J24.securebits", securebits},
    {"J24.filters",
     [](T) {
       return Result{status_field("Seccomp"), ""};
     }},
    {"J25.setuid", [](T) { return of(setresuid(0, 0, 0)); }},
    {"J25.setgroups", [](T) { return of(setgroups(0, nullptr)); }},
    {"J25.uid",
     [](T) {
       return Result{std::to_string(getuid()), ""};
     }},
    {"J53", crash},
    {"J53.limit", core_limit},
    {"J54", environment_names},
    {"J55", loader_variables},
    {"J59.umask", file_mask},
    {"J59.mask",
     [](T) {
       return Result{status_field("SigBlk"), ""};
     }},
    {"J59.ignored",
     [](T) {
       return Result{status_field("SigIgn"), ""};
     }},
    {"J59.nice",
     [](T) {
       return Result{std::to_string(getpriority(PRIO_PROCESS, 0)), ""};
     }},
    {"J59.affinity", affinity},
    {"J59.cwd", directory},
};

}  // namespace probe
