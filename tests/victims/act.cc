// SPDX-License-Identifier: Apache-2.0
// Facts about the surroundings, and behaviours for life-cycle tests.
// Place: tests/victims.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/victims/probe.h"

extern char** environ;

namespace probe {
namespace {

void fact(const char* key, const std::string& value) {
  std::printf("%s: %s\n", key, value.c_str());
}

const char* existence(const std::string& path) {
  struct stat info = {};
  return lstat(path.c_str(), &info) == 0 ? "present" : "absent";
}

void status_lines() {
  const std::string text = read_text("/proc/self/status");
  for (const char* name :
       {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"}) {
    const auto at = text.find(std::string("\n") + name + ":");
    if (at != std::string::npos) {
      const auto begin = text.find_first_not_of(" \t", at + std::strlen(name) + 2);
      fact(name, text.substr(begin, text.find('\n', begin) - begin));
    }
  }
}

[[noreturn]] void wait_forever() {
  for (;;) {
    pause();
  }
}

/// A process that no parent knows any more, in its own session.
void orphan() {
  const pid_t pid = fork();
  if (pid == 0) {
    setsid();
    if (fork() == 0) {
      signal(SIGTERM, SIG_IGN);
      signal(SIGHUP, SIG_IGN);
      std::printf("ready\n");
      std::fflush(stdout);
      wait_forever();
    }
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
}

int many_children(int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t pid = fork();
    if (pid < 0) {
      return 1;
    }
    if (pid == 0) {
      // A grandchild that outlives its parent, so that only init can reap it.
      if (fork() == 0) {
        _exit(0);
      }
      _exit(0);
    }
    waitpid(pid, nullptr, 0);
  }
  // Every orphan has ended long before the last of them is looked for; a zombie of init's would
  // still be listed.
  for (int tries = 0; tries < 1000; ++tries) {
    bool ok = false;
    int others = 0;
    for (const auto& name : names_in("/proc", ok)) {
      const int pid = std::atoi(name.c_str());
      others += pid > 1 && pid != getpid() ? 1 : 0;
    }
    if (others == 0) {
      std::printf("no zombies\n");
      return 0;
    }
    usleep(1000);
  }
  return 3;
}

int flood(int count) {
  int refused = 0;
  int absent = 0;
  for (int i = 0; i < count; ++i) {
    errno = 0;
    syscall(SYS_add_key, nullptr, nullptr, nullptr, 0, 0);
    refused += errno == EPERM ? 1 : 0;
    absent += errno == ENOSYS ? 1 : 0;
  }
  std::printf("refused %d absent %d\n", refused, absent);
  return 0;
}

}  // namespace

void print_facts() {
  bool ok = false;
  fact("fds", join(names_in("/proc/self/fd", ok)));
  status_lines();
  fact("uid", std::to_string(getuid()));
  fact("gid", std::to_string(getgid()));
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    names.emplace_back(*variable, std::strcspn(*variable, "="));
  }
  std::sort(names.begin(), names.end());
  fact("environment", join(names));
  fact("root", join(names_in("/", ok)));
  std::vector<std::string> pids;
  for (const auto& name : names_in("/proc", ok)) {
    if (std::atoi(name.c_str()) > 0) {
      pids.push_back(name);
    }
  }
  fact("processes", join(pids));
  fact("/etc/shadow", existence("/etc/shadow"));
  fact("docker.sock", existence("/var/run/docker.sock"));
  const char* home = getenv("HOME");
  fact("home", std::string(home == nullptr ? "unset" : home) + " " +
                   (home == nullptr ? "" : existence(home)));
  fact("/root", existence("/root"));
  char host[128] = "";
  gethostname(host, sizeof(host) - 1);
  fact("hostname", host);
  fact("mounts", "\n" + read_text("/proc/self/mountinfo"));
}

int act(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  const int number = words.size() > 1 ? std::atoi(words[1].c_str()) : 0;
  if (what == "exit") {
    return number;
  }
  if (what == "signal") {
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    raise(number);
    return 99;
  }
  if (what == "ignore-term") {
    signal(SIGTERM, SIG_IGN);
    std::printf("ready\n");
    std::fflush(stdout);
    wait_forever();
  }
  if (what == "wait") {
    std::printf("ready\n");
    std::fflush(stdout);
    wait_forever();
  }
  if (what == "orphans") {
    for (int i = 0; i < number; ++i) {
      orphan();
    }
    wait_forever();
  }
  if (what == "orphans-then-exit") {
    for (int i = 0; i < number; ++i) {
      orphan();
    }
    return 0;
  }
  if (what == "children") {
    return many_children(number);
  }
  if (what == "flood") {
    return flood(number);
  }
  if (what == "cat" && words.size() > 1) {
    std::fputs(read_text(words[1]).c_str(), stdout);
    return 0;
  }
  if (what == "list-on-input" && words.size() > 1) {
    char byte = 0;
    bool ok = false;
    const bool told = read(0, &byte, 1) == 1;
    std::printf("[%s]\n", told ? join(names_in(words[1], ok)).c_str() : "no input");
    return 0;
  }
  if (what == "echo") {
    char buffer[4096];
    for (;;) {
      const auto size = read(0, buffer, sizeof(buffer));
      if (size <= 0 || write(1, buffer, static_cast<std::size_t>(size)) != size) {
        return 0;
      }
    }
  }
  return 2;
}

}  // namespace probe
