// SPDX-License-Identifier: Apache-2.0
// Supervisors in child processes, so that a test can drop rights, filter system calls, or be
// killed. Place: tests/runner/jail.
#include "tests/runner/jail/harness.h"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace calaboose::testing {
namespace {

constexpr uid_t kUnprivilegedUid = 64'321;
constexpr char kSeparator = '\x1e';

std::string copy_program(const std::string& from, const std::string& name) {
  static const TempDir folder;
  ::chmod(folder.path().c_str(), 0755);
  const std::string to = folder.path() + "/" + name;
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  out << in.rdbuf();
  out.close();
  ::chmod(to.c_str(), 0755);
  return to;
}

void become(User user) {
  if (user == User::kUnprivileged &&
      (::setgroups(0, nullptr) != 0 ||
       ::setresgid(kUnprivilegedUid, kUnprivilegedUid, kUnprivilegedUid) != 0 ||
       ::setresuid(kUnprivilegedUid, kUnprivilegedUid, kUnprivilegedUid) != 0)) {
    ::_exit(70);
  }
  // Ids were changed: without this, /proc/self belongs to root. A program started by such a user is
  // dumpable anyway.
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const auto size = ::write(fd, text.data() + done, text.size() - done);
    if (size <= 0) {
      ::_exit(71);
    }
    done += static_cast<std::size_t>(size);
  }
}

std::string read_all(int fd) {
  std::string text;
  char buffer[65'536];
  for (;;) {
    const auto size = ::read(fd, buffer, sizeof(buffer));
    if (size <= 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(size));
  }
}

void put(std::string& text, const std::string& part) {
  (text += part) += kSeparator;
}

/// Fields in order: error, id, exit, out, err, denials.
Session parse(const std::string& text) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  for (std::size_t end = text.find(kSeparator); end != std::string::npos;
       end = text.find(kSeparator, at)) {
    fields.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Session run;
  if (fields.size() < 5) {
    run.error = "the supervisor crashed: " + text;
    return run;
  }
  run.error = fields[0];
  run.error_id = fields[1];
  run.exit = fields[2];
  run.out = fields[3];
  run.err = fields[4];
  run.denials.assign(fields.begin() + 5, fields.end());
  std::istringstream lines(run.out);
  std::string line;
  while (std::getline(lines, line)) {
    const auto first = line.find('\t');
    const auto second = first == std::string::npos ? first : line.find('\t', first + 1);
    if (second != std::string::npos) {
      run.rows[line.substr(0, first)] = {line.substr(first + 1, second - first - 1),
                                         line.substr(second + 1)};
    }
  }
  return run;
}

std::string jail_and_describe(const plan::Plan& plan) {
  std::string text;
  jail::Options options;
  options.helper_path = helper_path();
  auto started = jail::Jail::start(plan, options);
  Error error(Errc::kInternal, "");
  Outcome outcome;
  bool good = started.ok();
  if (!good) {
    error = std::move(started).error();
  } else {
    auto executed = (*started)->await_exec();
    good = executed.ok();
    if (!good) {
      error = std::move(executed).error();
    } else {
      (*started)->take_stdin();  // the server sees the end of its input
      outcome = drain(**started);
      if (!(*started)->await_gone(Milliseconds(5'000))) {
        error = Error(Errc::kInternal, "the jail was not gone in time");
        good = false;
      }
    }
  }
  put(text, good ? "" : error.render());
  put(text, good ? "" : error.id());
  put(text, outcome.exit ? outcome.exit->to_string() : "");
  put(text, outcome.out);
  put(text, outcome.err);
  for (const auto& denial : outcome.denials) {
    put(text, denial.process + " " + denial.in_plain_words);
  }
  return text;
}

volatile sig_atomic_t usr1_count = 0;

std::string run_and_describe(const std::vector<std::string>& arguments) {
  int out[2];
  if (::setsid() < 0 || ::pipe(out) != 0) {
    return "";
  }
  ::signal(SIGUSR1, [](int) { usr1_count = usr1_count + 1; });
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(out[1], 1);
    std::vector<char*> argv = {const_cast<char*>("probe")};
    for (const auto& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    ::execv(probe_path().c_str(), argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  const std::string printed = read_all(out[0]);
  ::waitpid(child, nullptr, 0);
  std::string text;
  for (const auto& part :
       {std::string(), std::string(), std::to_string(usr1_count), printed, std::string()}) {
    put(text, part);
  }
  return text;
}

}  // namespace

std::vector<User> users() {
  return ::geteuid() == 0 ? std::vector<User>{User::kSelf, User::kUnprivileged}
                          : std::vector<User>{User::kSelf};
}

std::string user_name(User user) {
  return user == User::kSelf ? "Self" : "Unprivileged";
}

std::string helper_path() {
  static const std::string path =
      copy_program(CALABOOSE_BINARY_DIR "/bin/calaboose-jail", "calaboose-jail");
  return path;
}

std::string probe_path() {
  static const std::string path = copy_program(CALABOOSE_BINARY_DIR "/victims/probe", "probe");
  return path;
}

WorkDir::WorkDir(User user) {
  if (user == User::kUnprivileged &&
      ::chown(path().c_str(), kUnprivilegedUid, kUnprivilegedUid) != 0) {
    std::abort();
  }
}

std::string in_process(User user, const std::function<void(int)>& body) {
  helper_path();
  probe_path();  // copied once, in the parent
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) {
    std::abort();
  }
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(fds[0]);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    become(user);
    body(fds[1]);
    ::_exit(0);
  }
  ::close(fds[1]);
  std::string text = read_all(fds[0]);
  ::close(fds[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) {
    text += "crashed with wait status " + std::to_string(status);
  }
  return text;
}

Session run_jailed(User user, const std::vector<std::string>& arguments, const Edit& edit,
                   const std::function<void()>& before) {
  return parse(in_process(user, [&](int out) {
    plan::Plan plan = minimal_plan(probe_path(), arguments);
    if (edit) {
      edit(plan);
    }
    if (before) {
      before();
    }
    write_all(out, jail_and_describe(plan));
  }));
}

Session run_bare(User user, const std::vector<std::string>& arguments, int& signals,
                 const std::function<void()>& before) {
  Session run = parse(in_process(user, [&](int out) {
    if (before) {
      before();
    }
    write_all(out, run_and_describe(arguments));
  }));
  signals = std::atoi(run.exit.c_str());
  run.exit.clear();
  return run;
}

}  // namespace calaboose::testing
