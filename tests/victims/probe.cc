// SPDX-License-Identifier: Apache-2.0
// probe rows [runner=PID] [port=N] [abstract=NAME] [ID…] | probe facts | probe act WORD…
// Place: tests/victims.
#include "tests/victims/probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace probe {

Result of_errno(int error) {
  const char* name = strerrorname_np(error);
  return {name == nullptr ? "errno " + std::to_string(error) : name, ""};
}

Result of(long result) {
  return result >= 0 ? Result{"succeeded", std::to_string(result)} : of_errno(errno);
}

Result in_child(int (*body)()) {
  const pid_t pid = fork();
  if (pid < 0) {
    return of_errno(errno);
  }
  if (pid == 0) {
    _exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status)) {
    return {std::string("SIG") + sigabbrev_np(WTERMSIG(status)), WCOREDUMP(status) ? "core" : ""};
  }
  return {"exit " + std::to_string(WEXITSTATUS(status)), ""};
}

std::string read_text(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return {};
  }
  std::string text(65'536, '\0');
  const auto size = read(fd, text.data(), text.size());
  const int error = errno;
  close(fd);
  errno = error;
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

std::vector<std::string> names_in(const std::string& path, bool& ok) {
  std::vector<std::string> names;
  DIR* dir = opendir(path.c_str());
  ok = dir != nullptr;
  while (dir != nullptr) {
    const dirent* entry = readdir(dir);
    if (entry == nullptr) {
      break;
    }
    const std::string name = entry->d_name;
    // The descriptor of this very listing would show in /proc/self/fd.
    if (name != "." && name != ".." &&
        !(path == "/proc/self/fd" && name == std::to_string(dirfd(dir)))) {
      names.push_back(name);
    }
  }
  if (dir != nullptr) {
    closedir(dir);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string join(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "" : " ") + item;
  }
  return text;
}

namespace {

int run_rows(const std::vector<std::string>& words) {
  Targets targets;
  std::vector<std::string> wanted;
  for (const auto& word : words) {
    if (word.rfind("runner=", 0) == 0) {
      targets.runner = std::atoi(word.c_str() + 7);
    } else if (word.rfind("port=", 0) == 0) {
      targets.port = std::atoi(word.c_str() + 5);
    } else if (word.rfind("abstract=", 0) == 0) {
      targets.abstract = word.substr(9);
    } else {
      wanted.push_back(word);
    }
  }
  for (const auto* rows : {&kSystemRows, &kProcessRows, &kFileRows}) {
    for (const auto& row : *rows) {
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), row.id) != wanted.end()) {
        const Result result = row.attack(targets);
        std::printf("%s\t%s\t%s\n", row.id, result.outcome.c_str(), result.detail.c_str());
        std::fflush(stdout);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace probe

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
  if (mode == "rows") {
    return probe::run_rows(words);
  }
  if (mode == "facts") {
    probe::print_facts();
    return 0;
  }
  if (mode == "act") {
    return probe::act(words);
  }
  std::fprintf(stderr, "probe rows|facts|act …\n");
  return 2;
}
