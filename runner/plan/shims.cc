// SPDX-License-Identifier: Apache-2.0
// pyenv, volta, asdf, mise: where their version choice is written down and where versions are
// installed. Place: runner/plan. Pure.
#include "runner/plan/shims.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/text.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxVersionFile = 64U << 10U;
constexpr std::size_t kMaxVersions = 512;

Error unresolved(const std::string& program, const std::string& why) {
  return Error(Errc::kCommandNotFound,
               printable(program, 256) + " is a version manager's shim, and " + why)
      .with_hint("name the real program by its path instead")
      .with_id("CB2101");
}

/// Words of a version file: separated by white space or colons, comments left out.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  bool comment = false;
  for (const char c : text + "\n") {
    if (c == '#') {
      comment = true;
    }
    const bool gap = c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == ':';
    if (!gap && !comment) {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
    if (c == '\n') {
      comment = false;
    }
  }
  return out;
}

/// A version is one plain name: it becomes part of a path.
bool is_version(const std::string& word) {
  return !word.empty() && word.size() < 128 && word.find('/') == std::string::npos &&
         word.front() != '.' && word.find('\0') == std::string::npos;
}

/// Compares "3.9.18" and "3.11.7" number by number.
bool version_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (digit(a[i]) && digit(b[k])) {
      unsigned long x = 0;
      unsigned long y = 0;
      const auto end_a = std::from_chars(a.data() + i, a.data() + a.size(), x).ptr;
      const auto end_b = std::from_chars(b.data() + k, b.data() + b.size(), y).ptr;
      if (x != y) {
        return x < y;
      }
      i = static_cast<std::size_t>(end_a - a.data());
      k = static_cast<std::size_t>(end_b - b.data());
      continue;
    }
    if (a[i] != b[k]) {
      return a[i] < b[k];
    }
    ++i;
    ++k;
  }
  return a.size() - i < b.size() - k;
}

/// `dir`/VERSION, or the newest installed version that VERSION is a prefix of ("3.11" -> "3.11.7").
std::optional<std::string> installed(const host::Files& files, const std::string& dir,
                                     const std::string& version) {
  if (!is_version(version)) {
    return std::nullopt;
  }
  if (files.stat(join(dir, version))) {
    return join(dir, version);
  }
  std::string best;
  for (const std::string& each : files.list(dir, kMaxVersions)) {
    if (each.compare(0, version.size() + 1, version + ".") == 0 &&
        (best.empty() || version_less(best, each))) {
      best = each;
    }
  }
  return best.empty() ? std::nullopt : std::optional<std::string>(join(dir, best));
}

/// The nearest file of this name from `cwd` upwards.
std::optional<std::string> read_upwards(const host::Files& files, const std::string& cwd,
                                        const std::string& name) {
  std::vector<std::string> dirs = ancestors(cwd);
  dirs.insert(dirs.begin(), cwd);
  for (const std::string& dir : dirs) {
    if (auto text = files.read_head(join(dir, name), kMaxVersionFile)) {
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> pyenv_program(const std::string& root, const std::string& shims,
                                         const std::string& name, const CommandRequest& request,
                                         const host::Files& files) {
  std::string text = request.python_version;
  if (text.empty()) {
    text = read_upwards(files, request.cwd, ".python-version").value_or("");
  }
  if (text.empty()) {
    text = files.read_head(join(root, "version"), kMaxVersionFile).value_or("system");
  }
  for (const std::string& version : words_of(text)) {
    if (version == "system") {
      if (auto found = search_path(files, request.search_path, name, shims)) {
        return found;
      }
      continue;
    }
    if (const auto dir = installed(files, join(root, "versions"), version)) {
      const std::string program = *dir + "/bin/" + name;
      if (files.is_executable(program)) {
        return program;
      }
    }
  }
  return std::nullopt;
}

/// The version in a package.json's "volta" or in volta's own platform file.
std::string volta_version(const std::string& text, bool is_package, const std::string& tool) {
  json::Tape tape;
  if (!tape.parse(text)) {
    return {};
  }
  if (is_package) {
    return tape.root().at("volta", tool).string_or("");
  }
  return tape.root().at(tool, "runtime").string_or("");
}

std::optional<std::string> volta_program(const std::string& root, const std::string& name,
                                         const CommandRequest& request, const host::Files& files) {
  if (name != "node") {
    return std::nullopt;
  }
  std::string version;
  if (const auto text = read_upwards(files, request.cwd, "package.json")) {
    version = volta_version(*text, true, name);
  }
  if (version.empty()) {
    const auto text = files.read_head(root + "/tools/user/platform.json", kMaxVersionFile);
    version = text ? volta_version(*text, false, name) : "";
  }
  if (const auto dir = installed(files, root + "/tools/image/node", version)) {
    return *dir + "/bin/" + name;
  }
  return std::nullopt;
}

/// asdf and mise: a line "nodejs 20.1.0" in .tool-versions, versions under installs/TOOL.
std::optional<std::string> tool_versions_program(const std::string& root, const std::string& name,
                                                 const CommandRequest& request,
                                                 const host::Files& files) {
  std::vector<std::string> tools = {name};
  if (name == "node") {
    tools = {"nodejs", "node"};
  } else if (runtime_of(name) == Runtime::kPython) {
    tools = {"python"};
  }
  const std::vector<std::string> words =
      words_of(read_upwards(files, request.cwd, ".tool-versions").value_or(""));
  for (const std::string& tool : tools) {
    const auto at = std::find(words.begin(), words.end(), tool);
    if (at == words.end() || at + 1 == words.end()) {
      continue;
    }
    for (const std::string& place : tools) {
      const auto dir = installed(files, root + "/installs/" + place, *(at + 1));
      if (dir && files.is_executable(*dir + "/bin/" + name)) {
        return *dir + "/bin/" + name;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> behind_shim(const std::string& program, const CommandRequest& request,
                                const host::Files& files) {
  const std::string dir = parent_of(program);
  const std::string root = parent_of(dir);
  const std::string name = name_of(program);
  const auto real = resolve(files, program);
  if (real && name_of(real->real) == "volta-shim") {
    if (auto found = volta_program(root, name, request, files)) {
      return *found;
    }
    return unresolved(program, "volta's files do not say which installed version it stands for");
  }
  if (name_of(dir) != "shims") {
    return program;
  }
  if (files.stat(join(root, "versions"))) {
    if (auto found = pyenv_program(root, dir, name, request, files)) {
      return *found;
    }
    return unresolved(program, "no version that pyenv's files choose has this program");
  }
  if (files.stat(join(root, "installs"))) {
    if (auto found = tool_versions_program(root, name, request, files)) {
      return *found;
    }
    return unresolved(program,
                      "no .tool-versions above the working directory chooses an installed version");
  }
  return program;
}

}  // namespace calaboose::plan
