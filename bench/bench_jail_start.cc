// SPDX-License-Identifier: Apache-2.0
// What a jail costs: spawn to reaped of a no-op, beside a plain spawn and bubblewrap with similar
// binds. Place: bench; prints one JSON line per variant, times in microseconds. Interleaved, so
// that load hits all alike. Usage: bench_jail_start HELPER NOOP [ROUNDS]
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/jail_fixture.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWarmUp = 20;

double microseconds(Clock::duration span) {
  return std::chrono::duration<double, std::micro>(span).count();
}

double run_program(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const auto& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  char* environment[] = {nullptr};
  const auto begin = Clock::now();
  pid_t pid = -1;
  if (::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environment) != 0) {
    return -1;
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status == 0 ? microseconds(Clock::now() - begin) : -1;
}

struct JailTime {
  double ready = -1;
  double total = -1;
};

JailTime run_jail(const calaboose::plan::Plan& plan, const calaboose::jail::Options& options) {
  JailTime time;
  const auto begin = Clock::now();
  auto jail = calaboose::jail::Jail::start(plan, options);
  if (!jail.ok()) {
    std::fprintf(stderr, "%s\n", jail.error().render().c_str());
    return time;
  }
  auto executed = (*jail)->await_exec();
  if (!executed.ok()) {
    std::fprintf(stderr, "%s\n", executed.error().render().c_str());
    return time;
  }
  time.ready = microseconds(Clock::now() - begin);
  const bool gone = (*jail)->await_gone(calaboose::Milliseconds(5'000));
  time.total = gone ? microseconds(Clock::now() - begin) : -1;
  return time;
}

/// The same namespaces and binds, without a filter, Landlock or limits: bubblewrap has none of its
/// own.
std::vector<std::string> bubblewrap(const std::string& noop) {
  std::vector<std::string> words = {"/usr/bin/bwrap",
                                    "--unshare-all",
                                    "--die-with-parent",
                                    "--new-session",
                                    "--cap-drop",
                                    "ALL",
                                    "--ro-bind",
                                    "/usr",
                                    "/usr",
                                    "--symlink",
                                    "usr/bin",
                                    "/bin",
                                    "--symlink",
                                    "usr/lib",
                                    "/lib",
                                    "--symlink",
                                    "usr/lib64",
                                    "/lib64",
                                    "--proc",
                                    "/proc",
                                    "--dev",
                                    "/dev",
                                    "--tmpfs",
                                    "/tmp",
                                    "--tmpfs",
                                    "/home/jail",
                                    "--ro-bind",
                                    noop,
                                    "/jail/program",
                                    "--chdir",
                                    "/home/jail"};
  if (::access("/etc/ld.so.cache", F_OK) == 0) {
    words.insert(words.end(), {"--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache"});
  }
  words.insert(words.end(), {"--", "/jail/program"});
  return words;
}

double percentile(std::vector<double> values, double p) {
  if (values.empty()) {
    return -1;
  }
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

void print(const char* name, const std::vector<double>& values) {
  std::printf(
      "{\"bench\":\"jail_start\",\"variant\":\"%s\",\"n\":%zu,\"median_us\":%.0f,\"p90_us\":%.0f}"
      "\n",
      name, values.size(), percentile(values, 0.5), percentile(values, 0.9));
}

std::string real_path(const char* path) {
  char real[4096];
  return ::realpath(path, real) != nullptr ? real : "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "bench_jail_start HELPER NOOP [ROUNDS]\n");
    return 2;
  }
  calaboose::jail::Options options;
  options.helper_path = argv[1];
  const std::string noop = real_path(argv[2]);
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 200;
  calaboose::plan::Plan plan = calaboose::testing::minimal_plan(noop);
  calaboose::testing::add_system(plan);
  const auto bwrap = bubblewrap(noop);
  const bool have_bwrap = ::access(bwrap[0].c_str(), X_OK) == 0;

  std::vector<double> plain;
  std::vector<double> ready;
  std::vector<double> total;
  std::vector<double> other;
  for (int i = -kWarmUp; i < rounds; ++i) {
    const double a = run_program({noop});
    const JailTime b = run_jail(plan, options);
    const double c = have_bwrap ? run_program(bwrap) : -1;
    if (a < 0 || b.total < 0 || (have_bwrap && c < 0)) {
      std::fprintf(stderr, "a run failed\n");
      return 1;
    }
    if (i >= 0) {
      plain.push_back(a);
      ready.push_back(b.ready);
      total.push_back(b.total);
      other.push_back(c);
    }
  }
  print("plain spawn", plain);
  print("jail, until the program runs", ready);
  print("jail, until reaped", total);
  if (have_bwrap) {
    print("bubblewrap --unshare-all", other);
    const double base = percentile(plain, 0.5);
    std::printf(
        "{\"bench\":\"jail_start\",\"ratio_to_bubblewrap\":%.3f,\"ratio_minus_plain_spawn\":%.3f}"
        "\n",
        percentile(total, 0.5) / percentile(other, 0.5),
        (percentile(total, 0.5) - base) / (percentile(other, 0.5) - base));
  }
  return 0;
}
