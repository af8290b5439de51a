// SPDX-License-Identifier: Apache-2.0
#include "policy/config/explain.h"

#include <algorithm>

#include "base/json/write.h"
#include "base/text.h"
#include "policy/config/secrets.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

constexpr std::size_t kMaxShown = 400;
constexpr std::size_t kMaxColumn = 48;

std::string level_text(Level level) {
  switch (level) {
    case Level::kFull:
      return "full";
    case Level::kReduced:
      return "reduced";
    case Level::kOff:
      return "off";
  }
  return "full";
}

// Characters, not bytes; good enough to align a table.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Rows {
 public:
  void add(std::string_view key, std::string_view value, const Origin& origin) {
    rows_.push_back({printable(key, kMaxShown), printable(value, kMaxShown), origin.to_string()});
  }

  void flag(std::string_view key, const Setting<bool>& setting) {
    add(key, setting.value ? "true" : "false", setting.origin);
  }

  template <class T>
  void size(std::string_view key, const Setting<T>& setting) {
    add(key, setting.value == 0 ? "the profile's" : format_size(setting.value), setting.origin);
  }

  template <class T>
  void count(std::string_view key, const Setting<T>& setting) {
    add(key, setting.value == 0 ? "the profile's" : std::to_string(setting.value), setting.origin);
  }

  std::vector<ExplainRow> take() { return std::move(rows_); }

 private:
  std::vector<ExplainRow> rows_;
};

// A value that was read is never shown: the reference is, and where there is none, that it is
// hidden. A reference with a literal secret around it is cut down as well.
std::string variable_text(const EnvVar& variable) {
  if (!variable.is_secret) {
    return variable.reference.empty() ? variable.value
                                      : variable.reference + " = " + variable.value;
  }
  if (variable.reference.empty()) {
    return "(hidden)";
  }
  std::string shown;
  std::string_view rest = variable.reference;
  while (!rest.empty()) {
    const std::size_t open = rest.find("${");
    const std::string_view literal = rest.substr(0, open);
    // Short words such as "Bearer " help to understand; anything longer could be half of a secret.
    shown += literal.size() <= 8 ? std::string(literal) : "…";
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = rest.find('}', open);
    const std::size_t end = close == std::string_view::npos ? rest.size() : close + 1;
    const std::string_view reference = rest.substr(open, end - open);
    const std::size_t fallback = reference.find(":-");
    shown += fallback == std::string_view::npos
                 ? std::string(reference)
                 : std::string(reference.substr(0, fallback)) + ":-…}";
    rest.remove_prefix(end);
  }
  return shown;
}

void add_lists(const ServerPolicy& policy, Rows& rows) {
  for (const PathGrant& grant : policy.paths) {
    rows.add(grant.write ? "sandbox.filesystem.allowWrite" : "sandbox.filesystem.allowRead",
             grant.path, grant.origin);
  }
  const auto denied = [&](std::string_view key, const std::vector<std::string>& paths,
                          const std::vector<Origin>& origins) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      rows.add(key, paths[i], i < origins.size() ? origins[i] : Origin{});
    }
  };
  denied("sandbox.filesystem.denyRead", policy.deny_read, policy.deny_read_origins);
  denied("sandbox.filesystem.denyWrite", policy.deny_write, policy.deny_write_origins);
  for (const HostRule& host : policy.allowed_hosts) {
    rows.add("allowedHosts", host.text, host.origin);
  }
  if (policy.allowed_hosts.empty()) {
    rows.add("allowedHosts", "none: no network", Origin{});
  }
}

}  // namespace

std::vector<ExplainRow> explain(const ServerPolicy& policy) {
  Rows rows;
  rows.add("command", policy.command.value, policy.command.origin);
  for (std::size_t i = 0; i < policy.args.size(); ++i) {
    const bool hidden =
        secret_in_arguments({policy.args[i]}).has_value() ||
        (i > 0 && secret_in_arguments({policy.args[i - 1], policy.args[i]}).has_value());
    rows.add("args." + std::to_string(i), hidden ? "(hidden: looks like a secret)" : policy.args[i],
             policy.args_origin);
  }
  rows.add("cwd", policy.cwd.value.empty() ? "chosen by the plan" : policy.cwd.value,
           policy.cwd.origin);
  for (const EnvVar& variable : policy.env) {
    rows.add("env." + variable.name, variable_text(variable), variable.origin);
  }
  rows.flag("inheritDefaultEnv", policy.inherit_default_env);
  rows.add("timeout", std::to_string(policy.timeout.value.count()) + " ms", policy.timeout.origin);
  rows.add("install", policy.install.value, policy.install.origin);
  rows.add("protocolVersion", policy.protocol_version.value, policy.protocol_version.origin);
  rows.add("clientInfo.name", policy.client_name.value, policy.client_name.origin);
  rows.add("clientInfo.version", policy.client_version.value, policy.client_version.origin);
  rows.add("sandbox", policy.sandbox_off ? "off: THE SERVER RUNS WITHOUT A JAIL" : "on",
           policy.sandbox_origin);
  rows.add("sandbox.profile",
           policy.profile.value.empty() ? "chosen by the command" : policy.profile.value,
           policy.profile.origin);
  rows.add("sandbox.minimumLevel", level_text(policy.minimum_level.value),
           policy.minimum_level.origin);
  add_lists(policy, rows);
  rows.size("sandbox.limits.memory", policy.limits.memory_bytes);
  rows.count("sandbox.limits.tasks", policy.limits.tasks);
  rows.count("sandbox.limits.openFiles", policy.limits.open_files);
  rows.size("sandbox.limits.fileSize", policy.limits.file_bytes);
  rows.size("sandbox.limits.tmpSize", policy.limits.tmp_bytes);
  rows.add("sandbox.limits.enforce",
           policy.limits.enforce.value == Enforce::kHard ? "hard" : "best",
           policy.limits.enforce.origin);
  return rows.take();
}

std::string explain_text(const ServerPolicy& policy) {
  const std::vector<ExplainRow> rows = explain(policy);
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (const ExplainRow& row : rows) {
    key_width = std::max(key_width, width(row.key));
    value_width = std::max(value_width, std::min(width(row.value), kMaxColumn));
  }
  std::string out = "server " + printable(policy.name, kMaxShown) + " (" +
                    printable(policy.scope, kMaxShown) + ")\n";
  for (const ExplainRow& row : rows) {
    const std::size_t taken = width(row.value);
    out += "  " + row.key + std::string(key_width - width(row.key) + 2, ' ') + row.value;
    out += std::string(taken < value_width ? value_width - taken + 2 : 2, ' ') + row.origin + "\n";
  }
  for (const std::string& note : policy.notes) {
    out += "note: " + printable(note) + "\n";
  }
  return out;
}

std::string explain_json(const ServerPolicy& policy) {
  std::string values;
  for (const ExplainRow& row : explain(policy)) {
    values += values.empty() ? "[" : ",";
    json::ObjectWriter writer(values);
    writer.string("key", row.key).string("value", row.value).string("origin", row.origin);
    writer.close();
  }
  std::string notes;
  for (const std::string& note : policy.notes) {
    notes += (notes.empty() ? "[" : ",") + json::quoted(printable(note));
  }
  std::string out;
  json::ObjectWriter writer(out);
  writer.string("server", printable(policy.name, kMaxShown))
      .string("scope", printable(policy.scope, kMaxShown));
  writer.raw("values", values.empty() ? "[]" : values + "]")
      .raw("notes", notes.empty() ? "[]" : notes + "]");
  writer.close();
  return out;
}

}  // namespace calaboose::policy
