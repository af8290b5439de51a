// SPDX-License-Identifier: Apache-2.0
#include "policy/config/load.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "policy/config/document.h"
#include "policy/config/host_file.h"
#include "policy/config/layer.h"
#include "policy/config/managed.h"
#include "policy/config/secrets.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

// One load: reads source after source into one Config.
class Loader {
 public:
  explicit Loader(const std::vector<SourceText>& sources) { config_.sources = sources; }

  LoadResult run();

 private:
  void read_source(std::size_t index);
  void read_own(Document& doc, const Node& root);
  void read_host(Document& doc, const Node& root);
  void check_version(Document& doc, const Node& root);
  void read_servers(Document& doc, const Node& node);
  void read_server(Document& doc, json::Value name_value, const Node& node);
  void read_policy(Document& doc, const Node& node);
  void take_root_fields(const Layer& layer, std::size_t source);
  void warn_about_arguments(Document& doc, const std::string& name, const Layer& layer);
  void check_every_server_is_defined();

  Config config_;
  Problems problems_{kMaxProblems};
  std::set<std::string> defined_;  // servers whose command or url stands somewhere, right or wrong
};

LoadResult Loader::run() {
  for (std::size_t i = 0; i < config_.sources.size(); ++i) {
    read_source(i);
  }
  check_every_server_is_defined();
  LoadResult out;
  out.more_problems = problems_.more();
  out.problems = problems_.take();
  out.config = std::move(config_);
  return out;
}

void Loader::read_source(std::size_t index) {
  Document doc(config_.sources[index], index, problems_, config_.notes);
  if (!doc.parse()) {
    return;
  }
  const Node root = doc.root();
  if (!root.value.is_object()) {
    doc.problem(
        "CB2005", doc.ref(root),
        "the file must be an object, not " + std::string(json::kind_name(root.value.kind())));
    return;
  }
  switch (config_.sources[index].kind) {
    case SourceKind::kCalaboose:
      check_version(doc, root);
      read_own(doc, root);
      break;
    case SourceKind::kHostFile:
      read_host(doc, root);
      break;
    case SourceKind::kManaged:
      check_version(doc, root);
      read_managed(doc, root, config_.managed);
      break;
  }
}

void Loader::check_version(Document& doc, const Node& root) {
  const json::Value version = root.value.find("version");
  if (!version) {
    doc.problem("CB2003", doc.ref(root), "the file does not say its version",
                "start it with \"version\": 1,");
  } else if (version.int64() != 1) {
    doc.problem("CB2003", doc.ref(root.member("version", version)),
                "version " + printable(version.raw(), 40) + " is not known",
                "this program reads version 1");
  }
}

void Loader::read_own(Document& doc, const Node& root) {
  Layer layer;
  root.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = root.member(name, value);
    const KeySpec* key = find_key(name, kRoot);
    if (key == nullptr || name.find('.') != std::string::npos) {
      report_unknown(doc, name_value, child, "", kRoot);
    } else if (name == "mcpServers") {
      read_servers(doc, child);
    } else if (name == "policy") {
      read_policy(doc, child);
    } else if (name != "version") {
      read_field(doc, child, *key, {kRoot, {}}, layer);
    }
  });
  take_root_fields(layer, doc.source_index());
}

void Loader::take_root_fields(const Layer& layer, std::size_t source) {
  // More logging is no widening, less would be; so both directions are the owner's.
  const Field* level = layer.find("audit.level");
  if (level != nullptr && config_.sources[source].trusted) {
    config_.audit_level = {level->text, level->origin};
  }
}

void Loader::read_host(Document& doc, const Node& root) {
  std::size_t foreign = 0;
  root.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = root.member(name, value);
    if (name == "mcpServers" || name == "servers") {
      read_servers(doc, child);
    } else if (name == "inputs") {
      read_inputs(doc, child, config_.inputs);
    } else {
      ++foreign;
    }
  });
  if (foreign > 0) {
    doc.note({}, doc.ref(root),
             std::to_string(foreign) + (foreign == 1 ? " other key" : " other keys") +
                 " of the host ignored; only servers are read from its file");
  }
}

void Loader::read_servers(Document& doc, const Node& node) {
  if (!node.value.is_object()) {
    doc.problem("CB2005", doc.ref(node),
                place_of(node.pointer) + " must be an object, not " +
                    std::string(json::kind_name(node.value.kind())),
                "the keys are the servers' names");
    return;
  }
  if (node.value.size() > kMaxServers) {
    doc.problem(
        "CB2002", doc.ref(node),
        place_of(node.pointer) + " has more than " + std::to_string(kMaxServers) + " servers");
    return;
  }
  node.value.each_member([&](json::Value name_value, json::Value value) {
    read_server(doc, name_value, node.member(name_value.string_or(""), value));
  });
}

void Loader::read_server(Document& doc, json::Value name_value, const Node& node) {
  const std::string name = name_value.string_or("");
  const SourceRef at = doc.name_ref(name_value, node);
  const Complaint complaint = check_server_name(name, doc.is_host_file());
  if (!complaint.none()) {
    doc.problem("CB2009", at, complaint.what, complaint.hint);
    return;
  }
  if (!node.value.is_object()) {
    doc.problem("CB2005", doc.ref(node), place_of(node.pointer) + " must be an object");
    return;
  }
  ServerDefinition definition;
  definition.source = doc.source_index();
  definition.origin = {at.file, at};
  definition.disabled = doc.is_host_file() && is_disabled_in_host(node.value);
  read_layer(doc, node, {kServer, name}, definition.layer);
  const bool has_command = node.value.find("command").exists();
  const bool has_url = node.value.find("url").exists() || definition.layer.find("url") != nullptr;
  if (has_command && has_url) {
    doc.problem("CB2010", at, "the server " + quote(name) + " has both a command and a url",
                "keep \"command\" for a local server or \"url\" for a remote one");
  }
  if (has_command || has_url) {
    defined_.insert(name);
  }
  warn_about_arguments(doc, name, definition.layer);
  for (ServerEntry& server : config_.servers) {
    if (server.name == name) {
      server.definitions.push_back(std::move(definition));
      return;
    }
  }
  config_.servers.push_back({name, {std::move(definition)}});
}

void Loader::read_policy(Document& doc, const Node& node) {
  if (!node.value.is_object()) {
    doc.problem("CB2005", doc.ref(node), "policy must be an object");
    return;
  }
  PolicyLayer policy;
  policy.source = doc.source_index();
  read_layer(doc, node, {kPolicy, {}}, policy.layer);
  config_.policies.push_back(std::move(policy));
}

void Loader::warn_about_arguments(Document& doc, const std::string& name, const Layer& layer) {
  const Field* args = layer.find("args");
  if (args == nullptr) {
    return;
  }
  std::vector<std::string> texts;
  for (const Item& item : args->items) {
    texts.push_back(item.text);
  }
  const auto found = secret_in_arguments(texts);
  if (found && args->items[*found].origin.at) {
    const SourceRef& at = *args->items[*found].origin.at;
    doc.note(name, at,
             place_of(at.pointer) +
                 " looks like a secret, and every process of this machine can read arguments; give "
                 "it as a variable: "
                 "\"env\": { \"NAME\": \"${env:NAME}\" }");
  }
}

void Loader::check_every_server_is_defined() {
  for (const ServerEntry& server : config_.servers) {
    if (defined_.count(server.name) != 0) {
      continue;
    }
    const ServerDefinition& first = server.definitions.front();
    const SourceRef at = first.origin.at.value_or(SourceRef{});
    problems_.add(Error(Errc::kInvalidConfig,
                        "the server " + quote(server.name) + " has neither a command nor a url")
                      .with_id("CB2011")
                      .with_hint("add \"command\" for a local server or \"url\" for a remote one")
                      .with_excerpt(excerpt_of(config_.sources[first.source].text, at))
                      .at(at));
  }
}

}  // namespace

LoadResult load_config(const std::vector<SourceText>& sources) {
  return Loader(sources).run();
}

Error LoadResult::error() const {
  if (problems.size() == 1 && more_problems == 0) {
    return problems.front();
  }
  return Error(problems.front().code(), render());
}

std::string LoadResult::render() const {
  std::string out;
  for (const Error& problem : problems) {
    out += (out.empty() ? "" : "\n\n") + problem.render();
  }
  const std::size_t count = problems.size() + more_problems;
  if (count > 1) {
    out += "\n\n" + std::to_string(count) + " problems";
    if (more_problems > 0) {
      out += ", the first " + std::to_string(problems.size()) + " are shown";
    }
  }
  return out;
}

SourceKind kind_of(std::string_view text) {
  if (text.size() > kMaxConfigBytes) {
    return SourceKind::kCalaboose;
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  json::Limits limits;
  limits.max_depth = kMaxConfigDepth;
  limits.allow_comments = true;
  json::Tape tape;
  if (!tape.parse(text, limits)) {
    return SourceKind::kCalaboose;
  }
  const json::Value root = tape.root();
  const bool ours = root.find("policy") || root.find("audit") || root.find("version").is_number();
  const bool hosts = root.find("mcpServers") || root.find("servers");
  return hosts && !ours ? SourceKind::kHostFile : SourceKind::kCalaboose;
}

}  // namespace calaboose::policy
