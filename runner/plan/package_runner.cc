// SPDX-License-Identifier: Apache-2.0
// Replaces `npx NAME` by the program of the installed package.
// Place: runner/plan. Pure.
#include "runner/plan/package_runner.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/json/json.h"
#include "base/text.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxPackageJson = 1U << 20U;

Error unsupported(const std::string& what, std::string hint) {
  return Error(Errc::kUsage, what).with_hint(std::move(hint)).with_id("CB2102");
}

/// What follows the runner's own options.
struct Spec {
  std::string package;  // without version
  std::string version;  // "" when not named
  std::string bin;      // "" : the package's own
  std::vector<std::string> args;
};

void set_package(Spec& spec, const std::string& word) {
  const std::size_t at = word.find('@', 1);  // an "@" in front is a scope
  spec.package = word.substr(0, at);
  spec.version = at == std::string::npos ? "" : word.substr(at + 1);
}

Result<Spec> parse_npx(const std::vector<std::string>& args, std::size_t from) {
  Spec spec;
  for (std::size_t i = from; i < args.size(); ++i) {
    const std::string& word = args[i];
    if ((word == "-p" || word == "--package") && i + 1 < args.size()) {
      set_package(spec, args[++i]);
    } else if (word.substr(0, 10) == "--package=") {
      set_package(spec, word.substr(10));
    } else if (word == "-c" || word == "--call" || word.substr(0, 7) == "--call=") {
      return unsupported("a package runner's --call runs a shell line, which is not supported",
                         "name the package's own program and its arguments");
    } else if (word == "--" || word.empty() || word.front() != '-') {
      const std::size_t name = word == "--" ? i + 1 : i;
      if (name >= args.size()) {
        break;
      }
      if (spec.package.empty()) {
        set_package(spec, args[name]);
      } else {
        spec.bin = args[name];
      }
      spec.args.assign(args.begin() + static_cast<std::ptrdiff_t>(name) + 1, args.end());
      return spec;
    }
  }
  if (!spec.package.empty()) {
    return spec;
  }
  return unsupported("the package runner names no package",
                     "put the package's name after its options");
}

/// A registry name: "name" or "@scope/name"; becomes part of a path.
bool is_package_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  const bool scoped = !name.empty() && name.front() == '@';
  if (name.empty() || name.size() > 214 || (slash != std::string::npos) != scoped) {
    return false;
  }
  return std::all_of(name.begin(), name.end(),
                     [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') ||
                              std::string_view("@/._-~").find(c) != std::string_view::npos;
                     }) &&
         name.find("..") == std::string::npos && name.find('/', slash + 1) == std::string::npos;
}

std::optional<std::string> node_beside(const CommandRequest& request, const host::Files& files) {
  const auto runner = request.command.find('/') != std::string::npos
                          ? std::optional<std::string>(absolute_path(request.cwd, request.command))
                          : search_path(files, request.search_path, request.command);
  if (runner) {
    const std::string beside = join(parent_of(*runner), "node");
    if (files.is_executable(beside)) {
      return beside;
    }
  }
  return search_path(files, request.search_path, "node");
}

/// Where an installed package may be: node_modules from the working directory upwards, then node's
/// global ones.
std::vector<std::string> places(const CommandRequest& request, const std::string& node,
                                const host::Files& files) {
  std::vector<std::string> out;
  std::vector<std::string> dirs = ancestors(request.cwd);
  dirs.insert(dirs.begin(), request.cwd);
  for (const std::string& dir : dirs) {
    out.push_back(join(dir, "node_modules"));
  }
  if (const auto real = resolve(files, node)) {
    out.push_back(parent_of(parent_of(real->real)) + "/lib/node_modules");
  }
  out.emplace_back("/usr/local/lib/node_modules");
  out.emplace_back("/usr/lib/node_modules");
  return out;
}

/// The file that package.json's "bin" names, relative to the package; empty when there is none or
/// no clear one.
std::string bin_of(json::Value manifest, const Spec& spec) {
  const json::Value bin = manifest.find("bin");
  if (bin.is_string()) {
    return bin.string_or("");
  }
  const std::size_t slash = spec.package.find('/');
  const std::string own =
      slash == std::string::npos ? spec.package : spec.package.substr(slash + 1);
  const json::Value named = bin.find(spec.bin.empty() ? own : spec.bin);
  if (named.is_string()) {
    return named.string_or("");
  }
  std::string only;
  if (bin.size() == 1 && spec.bin.empty()) {
    bin.each_member([&](json::Value, json::Value value) { only = value.string_or(""); });
  }
  return only;
}

bool exact_version(const std::string& version) {
  return !version.empty() && version.front() >= '0' && version.front() <= '9' &&
         std::count(version.begin(), version.end(), '.') >= 2 &&
         version.find_first_of(" x*|<>") == std::string::npos;
}

Error not_installed(const CommandRequest& request, const Spec& spec, const std::string& found) {
  const std::string shown = printable(spec.package, 214);
  std::string what = "`" + printable(request.command, 64) + " " + shown + "`: ";
  what += found.empty() ? "the package is not installed here"
                        : "version " + printable(found, 64) + " is installed, not " +
                              printable(spec.version, 64);
  what += ", and the package store that would fetch it is not available in this version";
  return unsupported(what, "run `npm install " + shown +
                               (spec.version.empty() ? "" : "@" + printable(spec.version, 64)) +
                               "`, then `calaboose run -- node node_modules/" + shown +
                               "/…` or the same command again");
}

Result<CommandRequest> npx(const CommandRequest& request, std::size_t from,
                           const host::Files& files) {
  CALABOOSE_TRY(const Spec spec, parse_npx(request.args, from));
  if (!is_package_name(spec.package)) {
    return unsupported(
        "\"" + printable(spec.package, 128) + "\" is not the name of an installed package",
        "install it, then name its script: calaboose run -- node …");
  }
  const auto node = node_beside(request, files);
  if (!node) {
    return Error(Errc::kCommandNotFound, "node, which the package needs, is not on PATH")
        .with_id("CB2101");
  }
  std::string other_version;
  for (const std::string& place : places(request, *node, files)) {
    const std::string dir = join(place, spec.package);
    const auto text = files.read_head(join(dir, "package.json"), kMaxPackageJson);
    json::Tape tape;
    if (!text || !tape.parse(*text)) {
      continue;
    }
    const std::string version = tape.root().find("version").string_or("");
    if (exact_version(spec.version) && version != spec.version) {
      other_version = version;
      continue;
    }
    const std::string bin = bin_of(tape.root(), spec);
    const std::string script = normalise(join(dir, bin));
    if (bin.empty() || !is_inside(script, dir) || !files.stat(script)) {
      return unsupported(
          "the installed package " + printable(spec.package, 214) + " names no program to run",
          "name its script: calaboose run -- node " + printable(dir, 512) + "/…");
    }
    CommandRequest out = request;
    const std::string head = files.read_head(script, 4).value_or("");
    if (head ==
        "\x7f"
        "ELF") {
      out.command = script;
      out.args = spec.args;
    } else {
      out.command = *node;
      out.args = {script};
      out.args.insert(out.args.end(), spec.args.begin(), spec.args.end());
    }
    return out;
  }
  return not_installed(request, spec, other_version);
}

}  // namespace

Result<std::optional<CommandRequest>> without_package_runner(const CommandRequest& request,
                                                             const host::Files& files) {
  static constexpr std::array<std::string_view, 3> kNpx = {"npx", "bunx", "pnpx"};
  static constexpr std::array<std::string_view, 4> kContainers = {"docker", "podman", "nerdctl",
                                                                  "docker-compose"};
  static constexpr std::array<std::string_view, 4> kPython = {"uvx", "uv", "pipx", "hatch"};
  const std::string name = name_of(request.command);
  const std::string first = request.args.empty() ? "" : request.args.front();
  const auto is_in = [&](const auto& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (is_in(kNpx)) {
    CALABOOSE_TRY(CommandRequest out, npx(request, 0, files));
    return std::optional<CommandRequest>(std::move(out));
  }
  const bool npm = name == "npm" && (first == "exec" || first == "x");
  const bool other = (name == "pnpm" || name == "yarn") && (first == "dlx" || first == "exec");
  if (npm || other || (name == "bun" && first == "x")) {
    CALABOOSE_TRY(CommandRequest out, npx(request, 1, files));
    return std::optional<CommandRequest>(std::move(out));
  }
  if (is_in(kContainers)) {
    return unsupported(
        "`" + name +
            "` starts a container through a daemon outside the jail, so the jail could not hold it",
        "name the server's own program instead of its container");
  }
  if (is_in(kPython)) {
    return unsupported("`" + name +
                           "` fetches or builds an environment first, and the package store that "
                           "would hold it is not available in this version",
                       "install the package into an environment (e.g. `python3 -m venv .venv && "
                       ".venv/bin/pip install NAME`), then "
                       "`calaboose run -- .venv/bin/NAME`");
  }
  return std::optional<CommandRequest>();
}

}  // namespace calaboose::plan
