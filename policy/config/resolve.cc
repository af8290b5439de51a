// SPDX-License-Identifier: Apache-2.0
#include "policy/config/resolve.h"

#include <algorithm>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/command_line.h"
#include "policy/config/effective.h"
#include "policy/config/located.h"
#include "policy/config/merge.h"
#include "policy/config/references.h"
#include "policy/config/restrict.h"
#include "policy/config/secrets.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

// What a person should see before accepting a file: what it would run, write, and read of theirs.
class Summary {
 public:
  std::string of(const Layer& layer) {
    if (const Field* command = layer.find("command")) {
      const Field* args = layer.find("args");
      std::string text = command->text;
      for (std::size_t i = 0; args != nullptr && i < args->items.size(); ++i) {
        text += " " + (looks_like_secret(args->items[i].text) ? "(hidden)" : args->items[i].text);
      }
      line("runs:   ", text);
    }
    if (const Field* url = layer.find("url")) {
      line("opens:  ", url->text);
    }
    items("host:   ", layer.find("allowedHosts"));
    items("host:   ", layer.find("sandbox.network.allowedDomains"));
    items("writes: ", layer.find("sandbox.filesystem.allowWrite"));
    for (const Field& field : layer.fields) {
      for (const Item& item : field.items) {
        reads(item.text);
      }
    }
    return std::move(out_);
  }

 private:
  void line(std::string_view label, std::string_view text) {
    out_ += (out_.empty() ? "  " : "\n  ") + std::string(label) + printable(text, 400);
  }

  void items(std::string_view label, const Field* field) {
    for (std::size_t i = 0; field != nullptr && i < field->items.size(); ++i) {
      line(label, field->items[i].text);
    }
  }

  void reads(std::string_view text) {
    const auto parts = parse_references(text);
    for (std::size_t i = 0; parts.ok() && i < parts->size(); ++i) {
      if (reads_something((*parts)[i])) {
        line("reads:  ", (*parts)[i].written);
      }
    }
  }

  std::string out_;
};

std::string accept_hint(const SourceText& source) {
  return "look at " + printable(source.path) +
         ", then accept it with --expect sha256:" + printable(source.digest, 64);
}

// One resolution: checks who may say what, merges, and hands over to build_effective.
class Resolver {
 public:
  Resolver(const Config& config, std::string_view name, const CommandLine& line,
           const Environment& environment)
      : config_(config), name_(name), line_(line), environment_(environment) {}

  Result<ServerPolicy> run();

 private:
  bool trusted(std::size_t source) const { return config_.sources[source].trusted; }

  Result<void> find_target();
  Result<void> check_definitions();
  Result<void> refuse_readings(const Layer& layer, std::size_t source);
  Result<void> merge();
  Result<void> refuse_later();

  const Config& config_;
  std::string_view name_;
  const CommandLine& line_;
  const Environment& environment_;
  const ServerEntry* entry_ = nullptr;
  std::string scope_ = "cli";
  Merged merged_;
  std::vector<std::string> notes_;
};

Result<void> Resolver::find_target() {
  if (name_.empty()) {
    if (line_.command.empty()) {
      return Error(Errc::kUsage, "no server is named")
          .with_id("CB2040")
          .with_hint(
              "name one of the configuration with --server NAME, or a command behind \"--\"");
    }
    const Complaint complaint =
        line_.name.empty() ? Complaint{} : check_server_name(line_.name, false);
    if (!complaint.none()) {
      return Error(Errc::kUsage, "--name: " + complaint.what)
          .with_id("CB2009")
          .with_hint(complaint.hint);
    }
    return {};
  }
  if (!line_.command.empty() || !line_.name.empty()) {
    return Error(Errc::kUsage,
                 std::string(line_.command.empty() ? "--name" : "a command behind \"--\"") +
                     " and --server " + quote(name_) + " exclude each other")
        .with_id("CB2040");
  }
  entry_ = config_.find(name_);
  if (entry_ == nullptr) {
    const auto names = config_.server_names();
    std::string hint = did_you_mean(name_, names);
    if (hint.empty()) {
      hint = names.empty() ? "no server is configured" : "configured:";
      for (std::size_t i = 0; i < names.size() && i < 20; ++i) {
        hint += (i == 0 ? " " : ", ") + printable(names[i], 64);
      }
    }
    return Error(Errc::kInvalidConfig, "no server " + quote(name_) + " in the configuration")
        .with_id("CB2030")
        .with_hint(printable(hint));
  }
  return check_definitions();
}

Result<void> Resolver::check_definitions() {
  const ServerDefinition* defining = nullptr;
  for (const ServerDefinition& definition : entry_->definitions) {
    if (definition.disabled) {
      return located(
          Error(Errc::kDenied, "the server " + quote(name_) + " is disabled in its host's file")
              .with_id("CB2034")
              .with_hint("enable it there first"),
          definition.origin, config_);
    }
    if (trusted(definition.source) && definition.defines()) {
      defining = &definition;
    }
  }
  if (defining != nullptr) {
    scope_ = config_.sources[defining->source].path;
    return {};
  }
  const ServerDefinition* shown = &entry_->definitions.front();
  for (const ServerDefinition& definition : entry_->definitions) {
    if (definition.defines()) {
      shown = &definition;
    }
  }
  const SourceText& source = config_.sources[shown->source];
  return Error(Errc::kDenied, "the server " + quote(name_) +
                                  " is defined only by a file that you have not accepted")
      .with_id("CB2031")
      .with_hint(accept_hint(source))
      .with_excerpt(Summary().of(shown->layer))
      .at(shown->origin.at.value_or(SourceRef{}));
}

Result<void> Resolver::refuse_readings(const Layer& layer, std::size_t source) {
  const auto check = [&](const std::string& text, const Origin& origin) -> Result<void> {
    const auto parts = parse_references(text);
    const ReferencePart* reading = parts.ok() ? first_reading(*parts) : nullptr;
    if (reading == nullptr) {
      return {};
    }
    return located(Error(Errc::kDenied, "a file that you have not accepted may not read " +
                                            quote(reading->written))
                       .with_id("CB2032")
                       .with_hint(accept_hint(config_.sources[source])),
                   origin, config_);
  };
  for (const Field& field : layer.fields) {
    CALABOOSE_CHECK(check(field.text, field.origin));
    for (const Item& item : field.items) {
      CALABOOSE_CHECK(check(item.text, item.origin));
    }
  }
  return {};
}

// Owners' layers first, whatever the order of the files: a file that nobody accepted tightens the
// result.
Result<void> Resolver::merge() {
  for (const PolicyLayer& policy : config_.policies) {
    if (trusted(policy.source)) {
      merged_.apply(policy.layer);
    }
  }
  const std::vector<ServerDefinition> none;
  const auto& definitions = entry_ != nullptr ? entry_->definitions : none;
  for (const ServerDefinition& definition : definitions) {
    if (trusted(definition.source)) {
      merged_.apply(definition.layer);
    }
  }
  for (const PolicyLayer& policy : config_.policies) {
    if (!trusted(policy.source)) {
      CALABOOSE_CHECK(refuse_readings(policy.layer, policy.source));
      merged_.tighten(policy.layer, notes_);
    }
  }
  for (const ServerDefinition& definition : definitions) {
    if (!trusted(definition.source)) {
      CALABOOSE_CHECK(refuse_readings(definition.layer, definition.source));
      merged_.tighten(definition.layer, notes_);
    }
  }
  CALABOOSE_TRY(const Layer typed, layer_of(line_, environment_));
  merged_.apply_command_line(typed);
  return {};
}

Result<void> Resolver::refuse_later() {
  if (config_.audit_level.value != "meta") {
    return located(
        Error(Errc::kCannotEnforce, "\"audit.level\": \"full\" is not available in this version")
            .with_id("CB2033")
            .with_hint("leave it out to record sizes and digests"),
        config_.audit_level.origin, config_);
  }
  for (const Field& field : merged_.fields()) {
    const Availability availability = field.key->availability;
    const bool later =
        availability == Availability::kLater || availability == Availability::kLaterProtection;
    if (!later || !field.asks) {
      continue;
    }
    const Errc code = availability == Availability::kLaterProtection ? Errc::kCannotEnforce
                                                                     : Errc::kInvalidConfig;
    const std::string who = name_.empty() ? "" : " (server " + quote(name_) + ")";
    return located(Error(code, "\"" + std::string(field.key->path) +
                                   "\" is not available in this version" + who)
                       .with_id("CB2033")
                       .with_hint(field.key->path == "url"
                                      ? "only local servers (\"command\") can be run so far"
                                      : "leave it out to run the server without it"),
                   field.origin, config_);
  }
  return {};
}

Result<ServerPolicy> Resolver::run() {
  CALABOOSE_CHECK(find_target());
  CALABOOSE_CHECK(merge());
  CALABOOSE_CHECK(refuse_later());
  for (const Note& note : config_.notes) {
    if (entry_ != nullptr && note.server == entry_->name) {
      notes_.push_back(note.render());
    }
  }
  CALABOOSE_TRY(ServerPolicy policy, build_effective(config_, merged_, environment_));
  policy.scope = scope_;
  if (entry_ != nullptr) {
    policy.name = entry_->name;
  } else {
    policy.name = line_.name.empty() ? default_name(policy.command.value, policy.args) : line_.name;
  }
  if (policy.client_name.value.empty()) {
    policy.client_name.value = policy.name;
  }
  policy.notes.insert(policy.notes.begin(), notes_.begin(), notes_.end());
  CALABOOSE_CHECK(restrict_by_managed(config_, policy));
  return policy;
}

}  // namespace

Result<ServerPolicy> resolve_server(const Config& config, std::string_view name,
                                    const CommandLine& command_line,
                                    const Environment& environment) {
  return Resolver(config, name, command_line, environment).run();
}

}  // namespace calaboose::policy
