// SPDX-License-Identifier: Apache-2.0
#include "policy/config/effective.h"

#include <limits>

#include "base/text.h"
#include "policy/config/located.h"
#include "policy/config/references.h"
#include "policy/config/restrict.h"
#include "policy/config/secrets.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

constexpr std::size_t kMaxEnvironmentBytes = 1U << 20U;

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

// Empty and "." parts dropped; ".." was refused before.
std::string normalised(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (!part.empty() && part != ".") {
      out += "/" + std::string(part);
    }
  }
  return out.empty() ? "/" : out;
}

class Effective {
 public:
  Effective(const Config& config, const Merged& merged, const Environment& environment)
      : config_(config), merged_(merged), environment_(environment) {}

  Result<ServerPolicy> build();

 private:
  Result<Expanded> follow(const std::string& text, Use use, const Origin& origin,
                          std::string_view what) const;
  Result<std::string> absolute(const Item& item, std::string_view what) const;
  Result<void> read_command();
  Result<void> read_directory();
  Result<void> read_environment();
  Result<void> read_paths();
  void read_sandbox();
  void read_limits();
  void read_rest();

  template <class T>
  void take_number(std::string_view path, Setting<T>& out) const {
    if (const Field* field = merged_.find(path)) {
      out = {static_cast<T>(field->number), field->origin};
    }
  }

  void take_text(std::string_view path, Setting<std::string>& out) const {
    if (const Field* field = merged_.find(path)) {
      out = {field->text, field->origin};
    }
  }

  const Config& config_;
  const Merged& merged_;
  const Environment& environment_;
  ServerPolicy policy_;
};

Result<Expanded> Effective::follow(const std::string& text, Use use, const Origin& origin,
                                   std::string_view what) const {
  Result<Expanded> expanded = expand(text, use, what, environment_, config_.inputs);
  if (!expanded.ok()) {
    return located(std::move(expanded).error(), origin, config_);
  }
  return expanded;
}

Result<std::string> Effective::absolute(const Item& item, std::string_view what) const {
  if (item.literal) {
    return item.text;  // typed_path() made it absolute
  }
  CALABOOSE_TRY(const Expanded expanded, follow(item.text, Use::kPath, item.origin, what));
  std::string path = expanded.value;
  if (path == "~" || path.starts_with("~/")) {
    path = environment_.home + path.substr(1);
  }
  Complaint complaint = check_grant_path(path);
  if (complaint.none() && !path.starts_with('/')) {
    complaint = {"the path " + quote(path) + " is not absolute", ""};
  }
  if (!complaint.none()) {
    return located(Error(Errc::kInvalidConfig, std::string(what) + ": " + complaint.what)
                       .with_id("CB2013")
                       .with_hint(complaint.hint),
                   item.origin, config_);
  }
  return normalised(path);
}

Result<void> Effective::read_command() {
  const Field* command = merged_.find("command");
  if (command == nullptr) {
    return Error(Errc::kInvalidConfig, "the server has no command").with_id("CB2011");
  }
  policy_.command = {command->text, command->origin};
  if (command->origin.at) {
    CALABOOSE_TRY(Expanded expanded,
                  follow(command->text, Use::kArgument, command->origin, "command"));
    if (expanded.value.starts_with("~/")) {
      expanded.value = environment_.home + expanded.value.substr(1);
    }
    const Complaint complaint = check_command(expanded.value);
    if (!complaint.none()) {
      return located(
          Error(Errc::kInvalidConfig, complaint.what).with_id("CB2012").with_hint(complaint.hint),
          command->origin, config_);
    }
    policy_.command.value = std::move(expanded.value);
  }
  const Field* args = merged_.find("args");
  if (args == nullptr) {
    policy_.args_origin = command->origin;
    return {};
  }
  policy_.args_origin = args->origin;
  std::size_t total = 0;
  for (std::size_t i = 0; i < args->items.size(); ++i) {
    const Item& item = args->items[i];
    std::string value = item.text;
    if (!item.literal) {
      CALABOOSE_TRY(Expanded expanded,
                    follow(item.text, Use::kArgument, item.origin, "args." + std::to_string(i)));
      value = std::move(expanded.value);
    }
    total += value.size() + 1;
    if (value.size() > kMaxArgumentBytes || total > kMaxArgumentsBytes ||
        value.find('\0') != std::string::npos) {
      return located(
          Error(item.literal ? Errc::kUsage : Errc::kInvalidConfig,
                "the arguments are larger than a program can be given, or hold a NUL byte")
              .with_id("CB2012"),
          item.origin, config_);
    }
    policy_.args.push_back(std::move(value));
  }
  if (!args->origin.at && secret_in_arguments(policy_.args)) {
    policy_.notes.push_back(
        "an argument of the command looks like a secret, and every process of this machine can "
        "read arguments; set it "
        "as a variable and say --env NAME");
  }
  return {};
}

Result<void> Effective::read_directory() {
  const Field* field = merged_.find("cwd");
  if (field == nullptr) {
    return {};
  }
  std::string path = field->text;
  if (field->origin.at) {
    CALABOOSE_TRY(const Expanded expanded, follow(field->text, Use::kPath, field->origin, "cwd"));
    path = expanded.value;
    if (path == "~" || path.starts_with("~/")) {
      path = environment_.home + path.substr(1);
    } else if (!path.starts_with('/')) {
      path = environment_.cwd + "/" + path;
    }
    const Complaint complaint = check_grant_path(path);
    if (!complaint.none()) {
      return located(Error(Errc::kInvalidConfig, "cwd: " + complaint.what)
                         .with_id("CB2013")
                         .with_hint(complaint.hint),
                     field->origin, config_);
    }
  }
  policy_.cwd = {normalised(path), field->origin};
  return {};
}

Result<void> Effective::read_environment() {
  const Field* field = merged_.find("env");
  if (field == nullptr) {
    return {};
  }
  std::size_t total = 0;
  for (const Item& item : field->items) {
    EnvVar variable;
    variable.name = item.name;
    variable.origin = item.origin;
    if (item.literal) {
      variable.value = item.text;
    } else {
      CALABOOSE_TRY(Expanded expanded,
                    follow(item.text, Use::kEnvironment, item.origin, "env." + item.name));
      variable.value = std::move(expanded.value);
      variable.is_secret = expanded.is_secret;
      // A reference that is only part of the text may stand beside a literal secret.
      if (item.text != variable.value) {
        variable.reference = item.text;
      }
    }
    variable.is_secret = variable.is_secret || !item.origin.at ||
                         looks_like_secret(variable.value) ||
                         (names_a_secret(item.name) && variable.value.size() >= 8);
    total += item.name.size() + variable.value.size() + 2;
    if (variable.value.size() > kMaxArgumentBytes || total > kMaxEnvironmentBytes ||
        variable.value.find('\0') != std::string::npos) {
      return located(Error(Errc::kInvalidConfig,
                           "env." + item.name + ": more than a program can be given, or a NUL byte")
                         .with_id("CB2014"),
                     item.origin, config_);
    }
    policy_.env.push_back(std::move(variable));
  }
  return {};
}

Result<void> Effective::read_paths() {
  const auto grants = [&](std::string_view path, bool write) -> Result<void> {
    const Field* field = merged_.find(path);
    for (std::size_t i = 0; field != nullptr && i < field->items.size(); ++i) {
      CALABOOSE_TRY(std::string absolute_path, absolute(field->items[i], path));
      policy_.paths.push_back({std::move(absolute_path), write, field->items[i].origin});
    }
    return {};
  };
  const auto denials = [&](std::string_view path, std::vector<std::string>& out,
                           std::vector<Origin>& origins) -> Result<void> {
    const Field* field = merged_.find(path);
    for (std::size_t i = 0; field != nullptr && i < field->items.size(); ++i) {
      CALABOOSE_TRY(std::string absolute_path, absolute(field->items[i], path));
      out.push_back(std::move(absolute_path));
      origins.push_back(field->items[i].origin);
    }
    return {};
  };
  CALABOOSE_CHECK(grants("sandbox.filesystem.allowRead", false));
  CALABOOSE_CHECK(grants("sandbox.filesystem.allowWrite", true));
  CALABOOSE_CHECK(
      denials("sandbox.filesystem.denyRead", policy_.deny_read, policy_.deny_read_origins));
  CALABOOSE_CHECK(
      denials("sandbox.filesystem.denyWrite", policy_.deny_write, policy_.deny_write_origins));
  return {};
}

void Effective::read_sandbox() {
  take_text("sandbox.profile", policy_.profile);
  if (const Field* level = merged_.find("sandbox.minimumLevel")) {
    policy_.minimum_level = {level->text == "full" ? Level::kFull : Level::kReduced, level->origin};
  }
  const Field* sandbox = merged_.find("sandbox");
  if (sandbox != nullptr) {
    policy_.sandbox_origin = sandbox->origin;
    policy_.sandbox_off = sandbox->text == "off";
  }
  if (policy_.sandbox_off) {
    policy_.minimum_level = {Level::kOff, policy_.sandbox_origin};
  }
}

void Effective::read_limits() {
  ResourceLimits& limits = policy_.limits;
  take_number("sandbox.limits.memory", limits.memory_bytes);
  take_number("sandbox.limits.tasks", limits.tasks);
  take_number("sandbox.limits.openFiles", limits.open_files);
  take_number("sandbox.limits.fileSize", limits.file_bytes);
  take_number("sandbox.limits.tmpSize", limits.tmp_bytes);
  if (const Field* enforce = merged_.find("sandbox.limits.enforce")) {
    limits.enforce = {enforce->text == "hard" ? Enforce::kHard : Enforce::kBest, enforce->origin};
  }
}

void Effective::read_rest() {
  if (const Field* inherit = merged_.find("inheritDefaultEnv")) {
    policy_.inherit_default_env = {inherit->text == "true", inherit->origin};
  }
  if (const Field* timeout = merged_.find("timeout")) {
    policy_.timeout = {std::chrono::milliseconds(timeout->number), timeout->origin};
  }
  take_text("install", policy_.install);
  take_text("protocolVersion", policy_.protocol_version);
  take_text("clientInfo.name", policy_.client_name);
  take_text("clientInfo.version", policy_.client_version);
}

Result<ServerPolicy> Effective::build() {
  CALABOOSE_CHECK(read_command());
  CALABOOSE_CHECK(read_directory());
  CALABOOSE_CHECK(read_environment());
  CALABOOSE_CHECK(read_paths());
  read_sandbox();
  read_limits();
  read_rest();
  return std::move(policy_);
}

}  // namespace

Result<ServerPolicy> build_effective(const Config& config, const Merged& merged,
                                     const Environment& environment) {
  return Effective(config, merged, environment).build();
}

std::string default_name(std::string_view command, const std::vector<std::string>& args) {
  const std::string package = package_identity(command, args).package;
  const std::size_t colon = package.find(':');
  if (!package.starts_with('/') && colon != std::string::npos) {
    return package.substr(colon + 1);
  }
  return std::string(command.substr(command.rfind('/') + 1));
}

}  // namespace calaboose::policy
