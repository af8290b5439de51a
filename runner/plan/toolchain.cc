// SPDX-License-Identifier: Apache-2.0
// Where interpreters keep their files, and what a plain program is linked to.
// Place: runner/plan. Pure.
#include "runner/plan/toolchain.h"

#include <algorithm>

#include "base/text.h"
#include "runner/plan/elf.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kProgramHead = 8U << 20U;  // reaches the dynamic section of most programs
constexpr std::size_t kInterpreterHead = 64U << 10U;  // reaches the loader's name
constexpr std::size_t kSmallFile = 64U << 10U;
constexpr std::size_t kMaxEntries = 512;

const Access kReadOnly{false, true, false};

Why automatic(std::string reason) {
  return {std::move(reason), "command line"};
}

bool is_python_prefix(const host::Files& files, const std::string& prefix) {
  for (const char* lib : {"/lib", "/lib64"}) {
    for (const std::string& name : files.list(prefix + lib, kMaxEntries)) {
      const bool python = name.substr(0, 6) == "python" || name.substr(0, 4) == "pypy";
      if (python && files.stat(prefix + lib + "/" + name + "/os.py")) {
        return true;
      }
    }
  }
  return false;
}

bool is_node_prefix(const host::Files& files, const std::string& prefix) {
  return files.stat(prefix + "/include/node/node_version.h") ||
         files.stat(prefix + "/lib/node_modules/npm/package.json") ||
         (files.stat(prefix + "/package.json") && files.stat(prefix + "/bin/node"));
}

/// Grants the directory that `real` (…/bin/NAME) was installed into, else the file alone.
void grant_prefix(const std::string& real, Runtime runtime, const host::Files& files,
                  const Forbidden& forbidden, Tree& tree) {
  const std::string bin = parent_of(real);
  const std::string prefix = parent_of(bin);
  const bool known =
      runtime == Runtime::kPython ? is_python_prefix(files, prefix) : is_node_prefix(files, prefix);
  if (name_of(bin) == "bin" && known && !forbidden.automatic(prefix)) {
    tree.grant(prefix, kReadOnly, automatic("the interpreter's own installation"));
  } else if (files.is_executable(real)) {
    tree.grant(real, kReadOnly, automatic("the interpreter"));
  }
}

/// "home = /usr/bin" of a pyvenv.cfg.
std::string base_of_environment(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) {
      continue;
    }
    const auto trim = [](std::string word) {
      word.erase(0, std::min(word.find_first_not_of(" \t"), word.size()));
      word.erase(word.find_last_not_of(" \t\r") + 1);
      return word;
    };
    if (trim(line.substr(0, equals)) == "home") {
      return trim(line.substr(equals + 1));
    }
  }
  return {};
}

/// A virtual environment: the program is ENV/bin/python and ENV/pyvenv.cfg says what it is based
/// on.
bool grant_environment(const Command& command, const host::Files& files, const Forbidden& forbidden,
                       Tree& tree) {
  const std::string env = parent_of(parent_of(command.program));
  const auto config = files.read_head(join(env, "pyvenv.cfg"), kSmallFile);
  if (!config || forbidden.automatic(env)) {
    return false;
  }
  tree.grant(env, kReadOnly, automatic("the virtual environment"));
  // Links of the environment lead to the base interpreter: each spelling on the way must work.
  tree.recreate(command.resolved.links, automatic("the environment's link to its interpreter"));
  grant_prefix(command.resolved.real, Runtime::kPython, files, forbidden, tree);
  const std::string base = base_of_environment(*config);
  if (is_absolute(base)) {
    const std::string name =
        files.stat(join(base, "python3")) ? "python3" : name_of(command.program);
    if (const auto interpreter = resolve(files, join(base, name))) {
      tree.recreate(interpreter->links, automatic("the environment's base interpreter"));
      grant_prefix(interpreter->real, Runtime::kPython, files, forbidden, tree);
    }
  }
  return true;
}

std::string expand_origin(std::string dir, const std::string& origin) {
  for (const std::string token : {"${ORIGIN}", "$ORIGIN"}) {
    for (std::size_t at = dir.find(token); at != std::string::npos; at = dir.find(token)) {
      dir.replace(at, token.size(), origin);
    }
  }
  return dir;
}

/// The directories where this loader looks by default.
std::vector<std::string> default_library_dirs(const std::string& loader_real) {
  const std::string dir = parent_of(loader_real);
  const std::string name = name_of(dir);
  if (name.find("-linux-") != std::string::npos) {
    return {dir, "/lib/" + name, "/usr/lib/" + name};
  }
  if (name == "lib64" || name == "lib32") {
    return {dir, "/" + name, "/usr/" + name};
  }
  return {dir, "/lib", "/usr/lib"};
}

/// The program's own words about its loader and libraries are believed only about system
/// directories and the directory that it was installed into: a hostile binary must not choose what
/// else becomes visible (I12).
bool may_hold_libraries(const std::string& real, const Command& command,
                        const Forbidden& forbidden) {
  for (const char* system : {"/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store",
                             "/home/linuxbrew/.linuxbrew"}) {
    if (is_inside(real, system)) {
      return true;
    }
  }
  const std::string bin = parent_of(command.resolved.real);
  const std::string installed = name_of(bin) == "bin" ? parent_of(bin) : bin;
  return is_inside(real, installed) && !forbidden.automatic(installed) &&
         !forbidden.automatic(real);
}

void grant_libraries(const ElfInfo& elf, const Command& command, const host::Files& files,
                     const Forbidden& forbidden, Tree& tree, ToolchainResult& out) {
  const auto loader = resolve(files, elf.interpreter);
  if (!loader || !loader->info.is_regular() ||
      !may_hold_libraries(parent_of(loader->real), command, forbidden)) {
    out.notes.push_back(
        "the program names a loader that does not exist or is in no system directory: " +
        printable(elf.interpreter, 256));
    return;
  }
  tree.recreate(loader->links, automatic("the program's loader"));
  tree.bind(*loader, kReadOnly, automatic("the program's loader"));
  std::vector<std::string> dirs = default_library_dirs(loader->real);
  for (const std::string& dir : dirs) {
    tree.grant(dir, kReadOnly, automatic("the loader's library directory"));
  }
  for (const std::string& word : elf.run_path) {
    const std::string dir = expand_origin(word, parent_of(command.resolved.real));
    const auto real = resolve(files, dir);
    if (!real || !real->info.is_directory()) {
      continue;
    }
    if (!may_hold_libraries(real->real, command, forbidden)) {
      out.notes.push_back("the program looks for libraries in " + printable(real->real, 256) +
                          ", which is not granted; to grant it: --read " +
                          printable(real->real, 256));
    } else {
      tree.recreate(real->links, automatic("a library directory named in the program"));
      tree.bind(*real, kReadOnly, automatic("a library directory named in the program"));
      dirs.push_back(real->real);
    }
  }
  for (const std::string& library : elf.needed) {
    const auto has = [&](const std::string& dir) {
      return files.stat(join(dir, library)).has_value();
    };
    if (library.find('/') != std::string::npos || std::any_of(dirs.begin(), dirs.end(), has)) {
      continue;
    }
    for (const char* other : {"/usr/local/lib", "/usr/lib", "/lib", "/usr/lib64", "/lib64"}) {
      if (has(other)) {
        tree.grant(other, kReadOnly, automatic("holds " + printable(library, 128)));
        dirs.emplace_back(other);
        break;
      }
    }
  }
}

}  // namespace

ToolchainResult grant_program(const Command& command, const host::Files& files,
                              const Forbidden& forbidden, Tree& tree) {
  ToolchainResult out;
  tree.recreate(command.resolved.links, automatic("the program"));
  tree.bind(command.resolved, kReadOnly, automatic("the program"));
  const auto head = files.read_head(
      command.resolved.real, command.runtime == Runtime::kNone ? kProgramHead : kInterpreterHead);
  const auto elf = head ? parse_elf(*head) : std::nullopt;
  if (elf && !elf->interpreter.empty()) {
    grant_libraries(*elf, command, files, forbidden, tree, out);
  }
  return out;
}

ToolchainResult grant_toolchain(const Command& command, const host::Files& files,
                                const Forbidden& forbidden, Tree& tree) {
  ToolchainResult out;
  out.bin_dir = parent_of(command.program);
  if (command.runtime == Runtime::kPython && grant_environment(command, files, forbidden, tree)) {
    return out;
  }
  tree.recreate(command.resolved.links, automatic("the interpreter"));
  grant_prefix(command.resolved.real, command.runtime, files, forbidden, tree);
  return out;
}

}  // namespace calaboose::plan
