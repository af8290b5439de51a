// SPDX-License-Identifier: Apache-2.0
// Entry of the program `calaboose`.
#include <openssl/crypto.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstdio>
#include <exception>

#include "runner/cli/command.h"
#include "runner/host/files.h"
#include "runner/host/gather.h"

namespace calaboose::cli {
namespace {

struct Handler {
  std::string_view command;
  int (*run)(const Context&, const Args&);
};

constexpr std::array kHandlers{
    Handler{"run", run_command},
    Handler{"tools", list_command},
    Handler{"resources", list_command},
    Handler{"prompts", list_command},
    Handler{"call", call_command},
    Handler{"read", read_command},
    Handler{"prompt", prompt_command},
    Handler{"status", status_command},
    Handler{"doctor", doctor_command},
    Handler{"demo", demo_command},
    Handler{"version", version_command},
    Handler{"policy explain", explain_command},
    Handler{"check config", check_config_command},
    Handler{"audit verify", audit_verify_command},
    Handler{"audit tail", audit_tail_command},
    Handler{"audit show", audit_show_command},
};

// Secrets pass through this process: no core file, no tracing by other programs of the same user
// (I7, J10).
void protect_ourselves() {
  ::prctl(PR_SET_DUMPABLE, 0);
  const rlimit no_core{1, 1};  // 1, not 0: the kernel ignores 0 for a piped core handler
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a full audit is an error to report, not a death
}

std::string own_directory() {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t n = ::readlink("/proc/self/exe", buffer.data(), buffer.size() - 1);
  std::string path(buffer.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  return path.substr(0, path.rfind('/'));
}

int dispatch(const Context& context, const Args& args) {
  for (const Handler& handler : kHandlers) {
    if (handler.command == args.command->name) {
      return handler.run(context, args);
    }
  }
  return fail(Error(Errc::kInternal, "no handler for this command"));
}

int program(int argc, char** argv, char** environ_block) {
  protect_ourselves();
  // OpenSSL's configuration file is for other programs; reading it costs more than a millisecond of
  // every start.
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  auto args = parse_args(std::vector<std::string>(argv + 1, argv + argc));
  if (!args.ok()) {
    return fail(args.error());
  }
  if (args->help) {
    print(args->command == nullptr ? help_text() : help_text(*args->command));
    return 0;
  }
  Context context;
  context.environment = host::environment_map(environ_block);
  const host::RealFiles files;
  auto facts = host::gather(context.environment, files);
  if (!facts.ok()) {
    return fail(facts.error());
  }
  context.facts = std::move(*facts);
  context.program_dir = own_directory();
  return dispatch(context, *args);
}

}  // namespace
}  // namespace calaboose::cli

int main(int argc, char** argv, char** envp) {
  try {
    return calaboose::cli::program(argc, argv, envp);
  } catch (const std::bad_alloc&) {
    std::fputs("calaboose: out of memory\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "calaboose: internal error: %s\n", e.what());
  }
  return 1;
}
