// SPDX-License-Identifier: Apache-2.0
// The floor: a bare pipe to a stdio MCP server, with prepared lines and no JSON parser. Prints one
// JSON object: cold start to tools/list, latency of single calls, rate with several in flight, own
// resident memory. Place: bench; `raw_pipe N_SEQ N_PAR INFLIGHT [--warmup N] -- COMMAND [ARG…]`.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* why, int status) {
  std::fprintf(stderr, "raw_pipe: %s\n", why);
  std::exit(status);
}

struct Plan {
  long sequential = 0;
  long parallel = 0;
  long in_flight = 1;
  long warmup = 300;
  char** command = nullptr;
};

long number(std::string_view text) {
  long value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

Plan parse_plan(int argc, char** argv) {
  Plan plan;
  std::array<long*, 3> places = {&plan.sequential, &plan.parallel, &plan.in_flight};
  std::size_t place = 0;
  for (int i = 1; i < argc && plan.command == nullptr; ++i) {
    const std::string_view word = argv[i];
    long* target = nullptr;
    if (word == "--") {
      plan.command = argv + i + 1;
    } else if (word == "--warmup" && i + 1 < argc) {
      target = &plan.warmup;
      ++i;
    } else if (place < places.size()) {
      target = places[place++];
    }
    if (target != nullptr) {
      *target = number(argv[i]);
    }
    if (target == nullptr ? word != "--" : *target < 0) {
      plan.command = nullptr;
      break;
    }
  }
  if (plan.command == nullptr || *plan.command == nullptr || place != places.size() ||
      plan.in_flight < 1) {
    fail("usage: raw_pipe N_SEQ N_PAR INFLIGHT [--warmup N] -- COMMAND [ARG...]", 2);
  }
  return plan;
}

/// The server's process and the two pipes to it.
class Peer {
 public:
  explicit Peer(char** command) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
      fail("no pipe", 1);
    }
    pid_ = ::fork();
    if (pid_ == 0) {
      const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(null, 2);
      ::execvp(command[0], command);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  ~Peer() {
    ::close(to_);
    ::waitpid(pid_, nullptr, 0);
    ::close(from_);
  }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t put = ::write(to_, text.data(), text.size());
      if (put < 0 && errno != EINTR) {
        fail("the server does not read", 1);
      }
      text.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
    }
  }

  /// Reads lines until one is an answer with a result.
  void wait_for_answer() {
    while (!is_answer(line())) {
    }
  }

 private:
  static bool is_answer(std::string_view text) {
    return text.find("\"result\"") != std::string_view::npos &&
           text.find("\"method\"") == std::string_view::npos;
  }

  /// The next line; valid until the next call.
  std::string_view line() {
    for (;;) {
      const std::size_t newline = buffer_.find('\n', at_);
      if (newline != std::string::npos) {
        const std::string_view text = std::string_view(buffer_).substr(at_, newline - at_);
        at_ = newline + 1;
        return text;
      }
      buffer_.erase(0, at_);
      at_ = 0;
      std::array<char, 65536> chunk;
      const ssize_t got = ::read(from_, chunk.data(), chunk.size());
      if (got == 0 || (got < 0 && errno != EINTR)) {
        fail("the server ended", 2);
      }
      buffer_.append(chunk.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
  }

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::size_t at_ = 0;
};

std::string call_line(long id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello world"}}})"
         "\n";
}

double since(Clock::time_point start, double units_per_second) {
  return std::chrono::duration<double>(Clock::now() - start).count() * units_per_second;
}

void open_session(Peer& peer) {
  peer.send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"raw_pipe","version":"1"}}})"
      "\n");
  peer.wait_for_answer();
  peer.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
            "\n"
            R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})"
            "\n");
  peer.wait_for_answer();
}

/// One call after the other; microseconds of each, sorted.
std::vector<double> run_sequential(Peer& peer, const Plan& plan, long& id) {
  for (long i = 0; i < plan.warmup && plan.sequential > 0; ++i) {
    peer.send(call_line(id++));
    peer.wait_for_answer();
  }
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(plan.sequential));
  for (long i = 0; i < plan.sequential; ++i) {
    const auto start = Clock::now();
    peer.send(call_line(id++));
    peer.wait_for_answer();
    times.push_back(since(start, 1e6));
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// Calls per second with several in flight.
double run_parallel(Peer& peer, const Plan& plan, long& id) {
  if (plan.parallel == 0) {
    return 0;
  }
  const auto start = Clock::now();
  long sent = 0;
  for (; sent < std::min(plan.in_flight, plan.parallel); ++sent) {
    peer.send(call_line(id++));
  }
  for (long got = 0; got < plan.parallel; ++got) {
    peer.wait_for_answer();
    if (sent < plan.parallel) {
      peer.send(call_line(id++));
      ++sent;
    }
  }
  return static_cast<double>(plan.parallel) / since(start, 1);
}

double resident_mb() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long total = 0;
  long resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &total, &resident) != 2) {
    fail("cannot read the own memory size", 1);
  }
  std::fclose(file);
  return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

}  // namespace

int main(int argc, char** argv) {
  const Plan plan = parse_plan(argc, argv);
  const auto start = Clock::now();
  Peer peer(plan.command);
  open_session(peer);
  const double cold_ms = since(start, 1e3);
  long id = 2;
  const std::vector<double> times = run_sequential(peer, plan, id);
  const double rate = run_parallel(peer, plan, id);
  double sum = 0;
  for (const double time : times) {
    sum += time;
  }
  const auto quantile = [&times](std::size_t percent) {
    return times.empty() ? 0.0 : times[times.size() * percent / 100];
  };
  std::printf(
      "{\"cold_ms\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"seq_per_s\":%.0f,\"par_per_s\":%.0f,"
      "\"rss_mb\":%.1f}\n",
      cold_ms, quantile(50), quantile(99),
      times.empty() ? 0.0 : static_cast<double>(times.size()) / (sum / 1e6), rate, resident_mb());
  return 0;
}
