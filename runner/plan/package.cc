// SPDX-License-Identifier: Apache-2.0
// Finds the package that a script belongs to and grants it.
// Place: runner/plan. Pure.
#include <algorithm>
#include <optional>

#include "base/json/json.h"
#include "base/text.h"
#include "runner/plan/paths.h"
#include "runner/plan/toolchain.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxManifest = 1U << 20U;

const Access kReadOnly{false, true, false};

Why automatic(std::string reason) {
  return {std::move(reason), "command line"};
}

std::string clean_name(std::string name) {
  return name.size() <= 214 && name == printable(name, 256) ? name : "";
}

/// package.json's "name"; nothing when there is no such file, "" when it has none.
std::optional<std::string> node_name(const host::Files& files, const std::string& dir) {
  const auto text = files.read_head(join(dir, "package.json"), kMaxManifest);
  if (!text) {
    return std::nullopt;
  }
  json::Tape tape;
  return tape.parse(*text) ? clean_name(tape.root().find("name").string_or("")) : "";
}

/// `name = "…"` of pyproject.toml's [project] (or [tool.poetry]) table.
std::optional<std::string> python_name(const host::Files& files, const std::string& dir) {
  const auto text = files.read_head(join(dir, "pyproject.toml"), kMaxManifest);
  if (!text) {
    return std::nullopt;
  }
  bool in_project = false;
  std::size_t at = 0;
  while (at < text->size()) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) {
      continue;
    }
    if (line[first] == '[') {
      in_project =
          line.compare(first, 9, "[project]") == 0 || line.compare(first, 13, "[tool.poetry]") == 0;
      continue;
    }
    const std::size_t equals = line.find('=', first);
    if (!in_project || equals == std::string::npos ||
        line.substr(first, line.find_last_not_of(" \t", equals - 1) + 1 - first) != "name") {
      continue;
    }
    const std::size_t open = line.find_first_of("\"'", equals);
    const std::size_t close = open == std::string::npos ? open : line.find(line[open], open + 1);
    if (close != std::string::npos) {
      return clean_name(line.substr(open + 1, close - open - 1));
    }
  }
  return "";
}

struct Found {
  std::string root;
  std::string name;
};

/// True if `manifest`'s package has its code in the directory `below`: some string of it starts
/// with that name ("main": "dist/index.js", "./dist/…", "files": ["dist"]).
bool vouches_for(const std::string& manifest, const std::string& below) {
  for (const std::string& start : {"\"" + below, "\"./" + below}) {
    for (std::size_t at = manifest.find(start); at != std::string::npos;
         at = manifest.find(start, at + 1)) {
      const std::size_t end = at + start.size();
      if (end < manifest.size() && (manifest[end] == '/' || manifest[end] == '"')) {
        return true;
      }
    }
  }
  return false;
}

/// The nearest directory with a manifest that names a package. A package.json without a name only
/// marks a module type (dist/esm/package.json): the next one above counts if it says that its code
/// is there. Else an unnamed package could make everything around it visible.
std::optional<Found> nearest_package(const host::Files& files, const Resolved& script,
                                     const std::string& stop_at) {
  std::vector<std::string> dirs = ancestors(script.real);
  if (script.info.is_directory()) {
    dirs.insert(dirs.begin(), script.real);
  }
  std::optional<Found> unnamed;
  for (const std::string& dir : dirs) {
    if (!stop_at.empty() && !is_inside(dir, stop_at)) {
      break;
    }
    const auto python = python_name(files, dir);
    const auto node = node_name(files, dir);
    if (!node && !python) {
      continue;
    }
    const std::string name = node && !node->empty() ? *node : python.value_or("");
    if (unnamed) {
      const std::string below = components(unnamed->root.substr(dir.size())).front();
      const std::string text =
          files.read_head(join(dir, "package.json"), kMaxManifest).value_or("");
      return !name.empty() && vouches_for(text, below) ? Found{dir, name} : *unnamed;
    }
    if (!name.empty() || python) {
      return Found{dir, name};
    }
    unnamed = Found{dir, ""};
  }
  return unnamed;
}

/// The outermost directory called node_modules around the script; empty: none.
std::string enclosing_node_modules(const std::string& script) {
  std::string found;
  for (const std::string& dir : ancestors(script)) {
    if (name_of(dir) == "node_modules") {
      found = dir;
    }
  }
  return found;
}

/// The virtual environment around the script; empty: none.
std::string enclosing_environment(const host::Files& files, const std::string& script) {
  for (const std::string& dir : ancestors(script)) {
    if (files.stat(join(dir, "pyvenv.cfg"))) {
      return dir;
    }
  }
  return {};
}

/// A workspace member's dependencies are hoisted to the workspace root's node_modules.
void grant_workspace(const host::Files& files, const std::string& root, const Forbidden& forbidden,
                     Tree& tree) {
  for (const std::string& dir : ancestors(root)) {
    if (forbidden.automatic(dir)) {
      return;
    }
    const auto text = files.read_head(join(dir, "package.json"), kMaxManifest);
    json::Tape tape;
    const bool workspace = (text && tape.parse(*text) && tape.root().find("workspaces")) ||
                           files.stat(join(dir, "pnpm-workspace.yaml"));
    if (workspace) {
      tree.grant(join(dir, "node_modules"), kReadOnly, automatic("the workspace's dependencies"));
      return;
    }
  }
}

void grant_alone(const Resolved& script, const std::string& why, Tree& tree, PackageResult& out) {
  if (!script.info.is_regular()) {
    const std::string shown = printable(script.real, 512);
    out.notes.push_back(
        shown +
        " is a directory without a package of its own and is not granted; to grant it: --read " +
        shown);
    return;
  }
  tree.bind(script, kReadOnly, automatic("the script"));
  out.notes.push_back("only the script itself is granted (" + why +
                      "); if it needs the files beside it: --read " +
                      printable(parent_of(script.real), 512));
}

}  // namespace

PackageResult grant_package(const Command& command, const host::Files& files,
                            const Forbidden& forbidden, Tree& tree) {
  PackageResult out;
  if (!command.script_file) {
    return out;
  }
  const Resolved& script = *command.script_file;
  tree.recreate(script.links, automatic("the script"));
  if (command.runtime == Runtime::kNone) {
    if (script.info.is_regular()) {
      tree.bind(script, kReadOnly, automatic("the script"));
    }
    return out;
  }
  const std::string modules = enclosing_node_modules(script.real);
  const std::string environment =
      modules.empty() ? enclosing_environment(files, script.real) : std::string();
  std::string within = modules;
  if (!environment.empty()) {
    // An environment inside its project (.venv) brings the project with it, and nothing further up.
    const std::string project = parent_of(environment);
    within = files.stat(join(project, "pyproject.toml")) ? project : environment;
  }
  const auto package = nearest_package(files, script, within);
  for (const std::string& around : {modules, environment}) {
    if (!around.empty() && !forbidden.automatic(around)) {
      tree.grant(around, kReadOnly,
                 automatic(modules.empty() ? "the script's environment"
                                           : "the script's package and its dependencies"));
    }
  }
  if (package && !forbidden.automatic(package->root)) {
    out.name = package->name;
    out.root = package->root;
    tree.grant(package->root, kReadOnly, automatic("the script's package"));
    if (modules.empty() && command.runtime == Runtime::kNode) {
      grant_workspace(files, package->root, forbidden, tree);
    }
  } else if (!tree.covers(script.real)) {
    grant_alone(script,
                package ? printable(package->root, 256) + " is too wide to grant"
                        : "it has no package.json or pyproject.toml",
                tree, out);
  }
  return out;
}

}  // namespace calaboose::plan
