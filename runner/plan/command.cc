// SPDX-License-Identifier: Apache-2.0
// Command resolution: what the kernel's execve and a shell's PATH search would do, without running
// anything. Place: runner/plan. Pure.
#include "runner/plan/command.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "runner/plan/arguments.h"
#include "runner/plan/package_runner.h"
#include "runner/plan/paths.h"
#include "runner/plan/shims.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxWordBytes = 128U << 10U;  // the kernel's MAX_ARG_STRLEN
constexpr std::size_t kMaxWords = 4096;
constexpr std::size_t kMaxTotalBytes = 1U << 20U;
constexpr std::size_t kScriptHead = 4096;
constexpr int kMaxInterpreters = 4;  // as the kernel

Error not_found(const std::string& what, std::string hint) {
  return Error(Errc::kCommandNotFound, what).with_hint(std::move(hint)).with_id("CB2101");
}

Result<void> check_words(const CommandRequest& request) {
  std::size_t total = request.command.size();
  const auto malformed = [](const std::string& why) {
    return Error(Errc::kUsage, "the command " + why).with_id("CB2110");
  };
  if (request.command.empty()) {
    return malformed("is empty");
  }
  if (request.args.size() > kMaxWords) {
    return malformed("has more than 4096 arguments");
  }
  if (request.command.find('\0') != std::string::npos || request.command.size() > 4096) {
    return malformed("is not a path: it contains a NUL or is longer than 4096 bytes");
  }
  for (const std::string& word : request.args) {
    total += word.size() + 1;
    if (word.find('\0') != std::string::npos) {
      return malformed("has an argument that contains a NUL");
    }
    if (word.size() >= kMaxWordBytes || total > kMaxTotalBytes) {
      return malformed("is longer than the system can start (128 KiB an argument, 1 MiB together)");
    }
  }
  return {};
}

/// The file that a word names, as an absolute path with a real directory.
Result<std::string> locate(const std::string& word, const CommandRequest& request,
                           const host::Files& files) {
  std::string path;
  if (word.find('/') != std::string::npos) {
    path = is_absolute(word) ? word : join(request.cwd, word);
    if (!resolve(files, path)) {
      return not_found("there is no " + printable(path, 512),
                       "check the path; relative ones start at " + printable(request.cwd, 512));
    }
  } else {
    const auto found = search_path(files, request.search_path, word);
    if (!found) {
      return not_found("no program " + printable(word, 256) + " on PATH",
                       "install it, or name it by its path");
    }
    path = *found;
  }
  const auto real_parent = with_real_parent(files, path);
  if (!real_parent || name_of(*real_parent).empty() || name_of(path) == "..") {
    return not_found(printable(path, 512) + " is not a program", "name a file");
  }
  return behind_shim(*real_parent, request, files);
}

/// The words of a `#!` line: interpreter and its arguments; empty when there is none.
std::vector<std::string> interpreter_line(const std::string& head) {
  if (head.substr(0, 2) != "#!") {
    return {};
  }
  std::string line = head.substr(
      2, head.find('\n') == std::string::npos ? std::string::npos : head.find('\n') - 2);
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  // The kernel passes everything after the interpreter as one argument; only `env -S` splits it.
  if (words.size() > 2 && name_of(words[0]) != "env") {
    std::string rest;
    for (std::size_t i = 1; i < words.size(); ++i) {
      rest += (rest.empty() ? "" : " ") + words[i];
    }
    words = {words[0], rest};
  }
  return words;
}

/// `/usr/bin/env [-S] NAME …` -> NAME …
std::vector<std::string> without_env(std::vector<std::string> words) {
  if (words.empty() || name_of(words[0]) != "env") {
    return words;
  }
  words.erase(words.begin());
  while (!words.empty() && (words[0] == "-S" || words[0] == "-vS" || words[0] == "--")) {
    words.erase(words.begin());
  }
  return words;
}

/// Scripts whose `#!` names a shell only to start something else: pnpm's .bin files and pip's
/// long-path trampoline. Returns the words to run instead, or nothing.
std::vector<std::string> through_trampoline(const std::string& head, const std::string& path) {
  constexpr std::string_view kPip = "'''exec' ";
  constexpr std::string_view kPnpm = "\"$basedir/";
  if (const std::size_t at = head.find(kPip); at != std::string::npos) {
    std::size_t from = at + kPip.size();
    const char end = from < head.size() && head[from] == '"' ? '"' : ' ';
    from += end == '"' ? 1 : 0;
    const std::size_t stop = head.find(end, from);
    if (stop != std::string::npos && is_absolute(std::string_view(head).substr(from))) {
      return {head.substr(from, stop - from), path};
    }
  }
  if (name_of(parent_of(path)) == ".bin") {
    std::string script;
    for (std::size_t at = head.find(kPnpm); at != std::string::npos;
         at = head.find(kPnpm, at + 1)) {
      const std::size_t from = at + kPnpm.size();
      const std::size_t stop = head.find('"', from);
      if (stop != std::string::npos && head.substr(from, stop - from) != "node") {
        script = head.substr(from, stop - from);
      }
    }
    const std::string target = normalise(join(parent_of(path), script));
    if (!script.empty() && is_inside(target, parent_of(parent_of(path)))) {
      return {"node", target};
    }
  }
  return {};
}

/// Replaces a script in argv[0] by its interpreter, until argv[0] is a program. The script
/// remembered is the one that the owner named: a `#!` line may name further files, but those are
/// the script's words, and nobody granted them.
Result<void> follow_interpreters(Command& command, const CommandRequest& request,
                                 const host::Files& files) {
  for (int round = 0; round < kMaxInterpreters; ++round) {
    const std::string head = files.read_head(command.resolved.real, kScriptHead).value_or("");
    std::vector<std::string> words = without_env(interpreter_line(head));
    if (words.empty()) {
      return {};
    }
    std::vector<std::string> instead;
    if (words.size() == 1 && name_of(words[0]) == "sh") {
      instead = through_trampoline(head, command.program);
    }
    if (!instead.empty()) {
      words = std::move(instead);
    } else {
      words.push_back(command.program);
    }
    auto located = locate(words[0], request, files);
    if (!located) {
      return std::move(located).error().in("the interpreter of " + printable(command.program, 512));
    }
    command.program = *located;
    const auto resolved = resolve(files, command.program);
    if (!resolved || !resolved->info.is_regular() || !files.is_executable(command.program)) {
      return not_found(printable(command.program, 512) + " is not a program",
                       "check the script's first line");
    }
    command.resolved = *resolved;
    words[0] = command.program;
    command.script = words.size() - 1 + command.script.value_or(0);
    words.insert(words.end(), command.argv.begin() + 1, command.argv.end());
    command.argv = std::move(words);
  }
  return not_found("too many interpreters behind one another", "name the program itself");
}

/// The file that node or python would open for this word.
std::optional<std::string> script_path(Runtime runtime, const std::string& path,
                                       const host::Files& files) {
  if (resolve(files, path)) {
    return path;
  }
  if (runtime == Runtime::kNode) {
    for (const char* suffix : {".js", ".json", ".node", ".cjs", ".mjs"}) {
      if (resolve(files, path + suffix)) {
        return path + suffix;
      }
    }
  }
  return std::nullopt;
}

Result<void> find_the_script(Command& command, const CommandRequest& request,
                             const host::Files& files) {
  ScriptArgument found{command.script, ""};
  if (!command.script) {
    found = find_script(command.runtime, command.argv);
  }
  command.module = found.module;
  command.script.reset();
  if (!found.index || *found.index >= command.argv.size()) {
    return {};
  }
  std::string& word = command.argv[*found.index];
  const std::string path = is_absolute(word) ? word : join(request.cwd, word);
  const auto script = script_path(command.runtime, path, files);
  if (!script) {
    return not_found("there is no script " + printable(path, 512),
                     "check the path; relative ones start at " + printable(request.cwd, 512));
  }
  command.script_file = resolve(files, *script);
  if (!command.script_file->info.is_regular() && !command.script_file->info.is_directory()) {
    return not_found(printable(path, 512) + " is not a script", "name a file");
  }
  command.script = found.index;
  if (!is_absolute(word)) {
    word = absolute_path(request.cwd, word);
  }
  return {};
}

}  // namespace

Runtime runtime_of(const std::string& program_name) {
  std::string base = program_name;
  while (!base.empty() && (base.back() == '.' || (base.back() >= '0' && base.back() <= '9'))) {
    base.pop_back();
  }
  if (base == "node" || base == "nodejs" || base == "bun" || base == "deno") {
    return Runtime::kNode;
  }
  if (base == "python" || base == "pypy") {
    return Runtime::kPython;
  }
  return Runtime::kNone;
}

std::optional<std::string> search_path(const host::Files& files, const std::string& path,
                                       const std::string& name, const std::string& skip_dir) {
  std::size_t at = 0;
  for (int entries = 0; at <= path.size() && entries < 256; ++entries) {
    const std::size_t colon = std::min(path.find(':', at), path.size());
    const std::string dir = path.substr(at, colon - at);
    at = colon + 1;
    // An empty or relative entry means the working directory, which may belong to somebody else.
    if (!is_absolute(dir) || normalise(dir) == skip_dir) {
      continue;
    }
    const std::string candidate = join(normalise(dir), name);
    const auto info = files.stat(candidate);
    if (info && info->is_regular() && files.is_executable(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

Result<Command> resolve_command(const CommandRequest& asked, const host::Files& files) {
  CALABOOSE_CHECK(check_words(asked));
  CommandRequest request = asked;
  Command command;
  CALABOOSE_TRY(auto replaced, without_package_runner(request, files));
  if (replaced) {
    command.notes.push_back(printable(request.command, 64) +
                            " was replaced by the installed package's own program");
    request = std::move(*replaced);
  }
  CALABOOSE_TRY(command.program, locate(request.command, request, files));
  const auto resolved = resolve(files, command.program);
  if (!resolved || !resolved->info.is_regular()) {
    return not_found(printable(command.program, 512) + " is not a file", "name a program");
  }
  if (!files.is_executable(command.program)) {
    return not_found(printable(command.program, 512) + " is not executable",
                     "for a script, put its interpreter first: calaboose run -- node " +
                         printable(request.command, 256));
  }
  command.resolved = *resolved;
  command.argv = {command.program};
  command.argv.insert(command.argv.end(), request.args.begin(), request.args.end());
  CALABOOSE_CHECK(follow_interpreters(command, request, files));
  command.runtime = runtime_of(name_of(command.program));
  if (command.runtime == Runtime::kNone) {
    command.runtime = runtime_of(name_of(command.resolved.real));
  }
  CALABOOSE_CHECK(find_the_script(command, request, files));
  return command;
}

}  // namespace calaboose::plan
