// SPDX-License-Identifier: Apache-2.0
#include "policy/config/command_line.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

constexpr std::string_view kSource = "command line";
constexpr std::array<std::string_view, 4> kProfiles{"strict", "runtime", "node", "python"};
constexpr std::array<std::string_view, 2> kLevels{"full", "reduced"};
constexpr std::array<std::string_view, 2> kProjects{"ro", "rw"};

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

Error usage(std::string what, std::string hint) {
  return Error(Errc::kUsage, std::move(what)).with_id("CB2040").with_hint(std::move(hint));
}

Origin from(std::string_view option) {
  return {std::string(kSource) + " (" + std::string(option) + ")", std::nullopt};
}

// Fills the layer option by option; each function returns early when its option was not given.
class Typed {
 public:
  Typed(const CommandLine& line, const Environment& environment)
      : line_(line), environment_(environment) {}

  Result<Layer> layer() {
    CALABOOSE_CHECK(command());
    CALABOOSE_CHECK(word("--profile", "sandbox.profile", line_.profile, kProfiles));
    CALABOOSE_CHECK(word("--minimum-level", "sandbox.minimumLevel", line_.minimum_level, kLevels));
    CALABOOSE_CHECK(grants());
    CALABOOSE_CHECK(hosts());
    CALABOOSE_CHECK(variables());
    CALABOOSE_CHECK(directory());
    CALABOOSE_CHECK(timeout());
    return std::move(layer_);
  }

 private:
  Field& add(std::string_view path, std::string_view option, std::string text = {}) {
    Field field;
    field.key = find_key(path, kServer);
    field.origin = from(option);
    field.text = std::move(text);
    layer_.fields.push_back(std::move(field));
    return layer_.fields.back();
  }

  Result<void> command();
  Result<void> word(std::string_view option, std::string_view path, const std::string& value,
                    std::span<const std::string_view> known);
  Result<void> grants();
  Result<void> hosts();
  Result<void> variables();
  Result<void> directory();
  Result<void> timeout();

  const CommandLine& line_;
  const Environment& environment_;
  Layer layer_;
};

Result<void> Typed::command() {
  if (line_.command.empty()) {
    return {};
  }
  // Typed after a shell did its work: what stands here is meant literally, only J57's rules hold.
  const std::string& command = line_.command;
  if (command.size() > kMaxCommandBytes || has_control_bytes(command) || command[0] == '-') {
    return usage(
        "the command " + quote(command) + " cannot be run",
        command[0] == '-' ? "options of calaboose stand before \"--\", the command behind it" : "");
  }
  add("command", "--", command);
  Field& args = add("args", "--");
  for (const std::string& arg : line_.args) {
    args.items.push_back({{}, arg, from("--"), true});
  }
  return {};
}

Result<void> Typed::word(std::string_view option, std::string_view path, const std::string& value,
                         std::span<const std::string_view> known) {
  if (value.empty()) {
    return {};
  }
  std::string choices;
  for (const std::string_view choice : known) {
    if (choice == value) {
      add(path, option, value);
      return {};
    }
    choices += (choices.empty() ? "" : ", ") + std::string(choice);
  }
  const std::string guess = did_you_mean(value, known);
  return usage(std::string(option) + " cannot be " + quote(value),
               (guess.empty() ? "" : guess + " ") + "one of " + choices);
}

Result<void> Typed::grants() {
  const auto list = [&](std::string_view option, std::string_view path,
                        const std::vector<std::string>& paths) -> Result<void> {
    if (paths.empty()) {
      return {};
    }
    Field& field = add(path, option);
    for (const std::string& typed : paths) {
      CALABOOSE_TRY(std::string absolute, typed_path(option, typed, environment_));
      field.items.push_back({{}, std::move(absolute), from(option), true});
    }
    return {};
  };
  CALABOOSE_CHECK(list("--read", "sandbox.filesystem.allowRead", line_.read));
  CALABOOSE_CHECK(list("--write", "sandbox.filesystem.allowWrite", line_.write));
  if (line_.project.empty()) {
    return {};
  }
  if (line_.project != "ro" && line_.project != "rw") {
    const std::string guess = did_you_mean(line_.project, kProjects);
    return usage("--project cannot be " + quote(line_.project),
                 (guess.empty() ? "" : guess + " ") + "one of ro, rw");
  }
  const std::string_view path =
      line_.project == "rw" ? "sandbox.filesystem.allowWrite" : "sandbox.filesystem.allowRead";
  const auto same = std::find_if(layer_.fields.begin(), layer_.fields.end(),
                                 [&](const Field& field) { return field.key->path == path; });
  Field& field = same != layer_.fields.end() ? *same : add(path, "--project");
  field.items.push_back({{}, environment_.cwd, from("--project"), true});
  return {};
}

Result<void> Typed::hosts() {
  if (line_.allow_hosts.empty()) {
    return {};
  }
  Field& field = add("allowedHosts", "--allow-host");
  for (const std::string& host : line_.allow_hosts) {
    const Complaint complaint = check_host(host, false);
    if (!complaint.none()) {
      return usage("--allow-host: " + complaint.what, complaint.hint);
    }
    field.items.push_back({{}, host, from("--allow-host"), true});
  }
  return {};
}

Result<void> Typed::variables() {
  if (line_.env.empty()) {
    return {};
  }
  Field& field = add("env", "--env");
  for (const std::string& typed : line_.env) {
    const std::size_t equals = typed.find('=');
    const std::string name = typed.substr(0, equals);
    const Complaint complaint = check_env_name(name);
    if (!complaint.none()) {
      return usage("--env: " + complaint.what, complaint.hint);
    }
    Item item{name, {}, from("--env"), equals != std::string::npos};
    if (equals != std::string::npos) {
      item.text = typed.substr(equals + 1);
    } else if (environment_.variables.count(name) == 0) {
      return Error(Errc::kUsage, "--env " + name + ": the variable is not set here")
          .with_id("CB2023")
          .with_hint("set it before the start, or leave the option out");
    } else {
      item.text = "${env:" + name + "}";
    }
    field.items.push_back(std::move(item));
  }
  return {};
}

Result<void> Typed::directory() {
  if (line_.cwd.empty()) {
    return {};
  }
  CALABOOSE_TRY(std::string path, typed_path("--cwd", line_.cwd, environment_));
  add("cwd", "--cwd", std::move(path));
  return {};
}

Result<void> Typed::timeout() {
  if (!line_.timeout) {
    return {};
  }
  const KeySpec* key = find_key("timeout", kServer);
  const auto span = line_.timeout->count();
  if (span < 1 || static_cast<std::uint64_t>(span) > key->max) {
    return usage("--timeout is out of range", "1 to " + std::to_string(key->max) + " milliseconds");
  }
  add("timeout", "--timeout").number = static_cast<std::uint64_t>(span);
  return {};
}

}  // namespace

Result<Layer> layer_of(const CommandLine& command_line, const Environment& environment) {
  return Typed(command_line, environment).layer();
}

Result<std::string> typed_path(std::string_view option, std::string_view path,
                               const Environment& environment) {
  if (path.empty() || path.size() > kMaxCommandBytes || has_control_bytes(path)) {
    return usage(std::string(option) + ": " + quote(path) + " is no path", "");
  }
  std::string base;
  std::string_view rest = path;
  if (path == "~" || path.starts_with("~/")) {
    base = environment.home;
    rest = path.substr(1);
  } else if (path[0] != '/') {
    base = environment.cwd;
  }
  bool leading = path[0] != '/' && path[0] != '~';
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") {
      continue;
    }
    if (part == ".." && !leading) {
      return usage(std::string(option) + ": " + quote(path) + " holds \"..\" behind a name",
                   "write where it really is");
    }
    if (part == "..") {
      base.erase(base.rfind('/') == std::string::npos ? 0 : base.rfind('/'));
    } else {
      leading = false;
      base += "/" + std::string(part);
    }
  }
  return base.empty() ? "/" : base;
}

}  // namespace calaboose::policy
