// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/target.h"

#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/cli/version.h"
#include "runner/host/files.h"

namespace calaboose::cli {
namespace {

struct NamedFile {
  std::string path;
  policy::SourceKind kind;
  bool must_exist = false;
  bool own_place = false;  // of the search order: accepted unless others may write it
};

std::vector<NamedFile> search_order(const Context& context, const Args& args) {
  std::vector<NamedFile> files;
  std::string named = args.one("--config").value_or("");
  if (named.empty()) {
    const auto it = context.environment.find("CALABOOSE_CONFIG");
    named = it == context.environment.end() ? "" : it->second;
  }
  files.push_back({"/etc/calaboose/config.jsonc", policy::SourceKind::kCalaboose, false, true});
  if (!named.empty()) {
    files.push_back({named, policy::SourceKind::kCalaboose, true, false});
  } else {
    files.push_back(
        {context.facts.config_home + "/config.jsonc", policy::SourceKind::kCalaboose, false, true});
  }
  files.push_back({"/etc/calaboose/managed.jsonc", policy::SourceKind::kManaged, false, true});
  return files;
}

// Nobody but the owner or root may have written it.
bool only_owner_writes(const std::string& path, std::uint32_t uid) {
  struct stat info {};

  if (::stat(path.c_str(), &info) != 0) {
    return false;
  }
  return (info.st_uid == uid || info.st_uid == 0) && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string real_or_same(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  return ::realpath(path.c_str(), buffer.data()) != nullptr ? std::string(buffer.data()) : path;
}

bool accepted_by_digest(const Args& args, const std::string& digest) {
  return args.one("--expect").value_or("") == "sha256:" + digest;
}

Result<void> check_expectation(const Args& args, const std::vector<policy::SourceText>& sources) {
  const auto expected = args.one("--expect");
  if (!expected) {
    return {};
  }
  for (const auto& source : sources) {
    if (*expected == "sha256:" + source.digest) {
      return {};
    }
  }
  std::string have;
  for (const auto& source : sources) {
    have += (have.empty() ? "" : ", ") + printable(source.path) + " is sha256:" + source.digest;
  }
  return Error(Errc::kDenied, "no configuration file has the digest " + printable(*expected, 100))
      .with_id("CB2090")
      .with_hint(have.empty() ? "name the file with --config FILE" : have);
}

std::string era_file(const Context& context, const std::string& sid) {
  return context.facts.state_home + "/era/" + sid;
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return to_hex(digest);
}

Result<policy::LoadResult> load_configuration(const Context& context, const Args& args) {
  std::vector<policy::SourceText> sources;
  for (const NamedFile& file : search_order(context, args)) {
    if (!file.must_exist && ::access(file.path.c_str(), F_OK) != 0 && errno == ENOENT) {
      continue;
    }
    auto text = read_file(file.path, policy::kMaxConfigBytes);
    if (!text.ok()) {
      return Error(Errc::kInvalidConfig, text.error().what())
          .with_id("CB2091")
          .with_hint("check the path and its permissions");
    }
    policy::SourceText source;
    source.path = real_or_same(file.path);
    source.text = std::move(*text);
    source.kind = file.kind;
    if (file.kind == policy::SourceKind::kCalaboose && file.must_exist) {
      source.kind = policy::kind_of(source.text);
    }
    source.digest = sha256_hex(source.text);
    source.trusted = (file.own_place && only_owner_writes(source.path, context.facts.uid)) ||
                     accepted_by_digest(args, source.digest);
    sources.push_back(std::move(source));
  }
  CALABOOSE_CHECK(check_expectation(args, sources));
  return policy::load_config(sources);
}

Result<Prepared> prepare(const Context& context, const Args& args) {
  if (!args.has_separator && !args.has("--server")) {
    return Error(Errc::kUsage, "no server is named")
        .with_id("CB1002")
        .with_hint(
            "put its command after --, or name an entry of the configuration with --server NAME");
  }
  if (args.has_separator && args.has("--server")) {
    return Error(Errc::kUsage, "both --server and a command after -- are given")
        .with_id("CB1003")
        .with_hint("use one of them");
  }
  CALABOOSE_TRY(policy::LoadResult loaded, load_configuration(context, args));
  if (!loaded.ok()) {
    return loaded.error();
  }
  policy::CommandLine line;
  if (args.has_separator) {
    line.command = args.server_command.front();
    line.args.assign(args.server_command.begin() + 1, args.server_command.end());
  }
  line.name = args.one("--name").value_or("");
  line.profile = args.one("--profile").value_or("");
  line.minimum_level = args.one("--minimum-level").value_or("");
  line.project = args.one("--project").value_or("");
  line.allow_hosts = args.all("--allow-host");
  line.read = args.all("--read");
  line.write = args.all("--write");
  line.env = args.all("--env");
  if (const auto timeout = args.one("--timeout")) {
    char* end = nullptr;
    errno = 0;
    const long value = std::strtol(timeout->c_str(), &end, 10);
    if (errno != 0 || end == timeout->c_str() || *end != '\0' || value < 1 || value > 86'400'000) {
      return Error(Errc::kUsage, "--timeout takes milliseconds from 1 to 86400000, not \"" +
                                     printable(*timeout, 40) + "\"")
          .with_id("CB1004");
    }
    line.timeout = std::chrono::milliseconds(value);
  }
  policy::Environment environment;
  environment.variables = context.environment;
  environment.home = context.facts.home;
  environment.cwd = context.facts.cwd;
  environment.read_file = [](const std::string& path) {
    return read_file(path, policy::kMaxSecretFileBytes + 1);
  };
  Prepared prepared;
  CALABOOSE_TRY(
      prepared.policy,
      policy::resolve_server(loaded.config, args.one("--server").value_or(""), line, environment));
  if (prepared.policy.sandbox_off) {
    Error error =
        Error(Errc::kInvalidConfig,
              "running a server without a jail is not available in this version")
            .with_id("CB1005")
            .with_hint("remove \"sandbox\": \"off\", or start the server without Calaboose");
    return prepared.policy.sandbox_origin.at
               ? std::move(error).at(*prepared.policy.sandbox_origin.at)
               : std::move(error);
  }
  // Without a name of the owner's the server is called as its package, not as the interpreter that
  // runs it.
  if (args.has_separator && !args.has("--name") && !args.server_command.front().empty() &&
      args.server_command.front().ends_with(prepared.policy.name)) {
    prepared.policy.name.clear();
  }
  CALABOOSE_TRY(prepared.built, plan::build_plan(prepared.policy, context.facts));
  if (prepared.policy.name.empty()) {
    const std::string& package = prepared.built.identity.package;
    prepared.policy.name =
        package.starts_with('/') ? package.substr(package.rfind('/') + 1) : package;
  }
  return prepared;
}

Result<std::unique_ptr<audit::Log>> open_audit(const Context& context, const Args& args,
                                               const Prepared& prepared) {
  const std::string where = args.one("--audit").value_or("");
  if (where == "off") {
    return std::unique_ptr<audit::Log>();
  }
  audit::Options options;
  options.run = audit::new_run_id();
  options.server = prepared.policy.name;
  options.sid = prepared.built.identity.sid;
  options.keys_dir = context.keys_dir();
  CALABOOSE_CHECK(host::make_private_directory(context.facts.state_home));
  if (where.empty()) {
    CALABOOSE_CHECK(host::make_private_directory(context.audit_dir()));
    options.path = context.audit_dir() + "/" + audit::new_log_name(options.run);
  } else {
    options.path = where;
  }
  return audit::Log::open(std::move(options));
}

Result<gateway::RunConfig> make_run(const Context& context, const Prepared& prepared) {
  CALABOOSE_CHECK(host::make_private_directory(prepared.built.home));
  gateway::RunConfig config;
  config.server_name = prepared.policy.name;
  config.built = prepared.built;
  // The home may be new: its identity is known only now.
  CALABOOSE_CHECK(plan::pin_home(config.built, context.facts));
  config.bridge.fallback_client_info = own_client_info();
  config.bridge.request_timeout = prepared.policy.timeout.value;
  config.bridge.open_timeout = prepared.policy.timeout.value;
  config.bridge.probe_timeout =
      std::min(config.bridge.probe_timeout, prepared.policy.timeout.value);
  if (prepared.policy.protocol_version.value == "legacy") {
    config.era_hint = mcp::EraChoice::kOnlyLegacy;
  } else if (prepared.policy.protocol_version.value != "auto") {
    config.era_hint = mcp::EraChoice::kOnlyModern;
  } else {
    config.era_hint = remembered_era(context, prepared.built.identity.sid);
  }
  return config;
}

void report_new_startup_files(const Context& context, const Prepared& prepared,
                              gateway::Reporter& reporter) {
  for (const std::string& path : prepared.built.unprotected) {
    if (context.facts.files->lstat(path)) {
      reporter.notice(
          "look at " + printable(path) +
          ": it appeared in a folder that the server may write, and programs of yours may run it");
    }
  }
}

std::string own_client_info() {
  return "{\"name\":\"calaboose\",\"version\":" + json::quoted(kVersion) + "}";
}

std::optional<mcp::EraChoice> remembered_era(const Context& context, const std::string& sid) {
  const std::string path = era_file(context, sid);

  struct stat info {};

  constexpr long kDay = 24L * 3600;
  if (::stat(path.c_str(), &info) != 0 || ::time(nullptr) - info.st_mtime > kDay) {
    return std::nullopt;
  }
  const auto text = read_file(path, 16);
  if (!text.ok()) {
    return std::nullopt;
  }
  if (*text == "legacy") {
    return mcp::EraChoice::kPreferLegacy;
  }
  return *text == "modern" ? std::optional(mcp::EraChoice::kPreferModern) : std::nullopt;
}

void remember_era(const Context& context, const std::string& sid, mcp::Era era) {
  // A lost verdict costs one probe: nothing here is an error.
  if (!host::make_private_directory(context.facts.state_home + "/era").ok()) {
    return;
  }
  const std::string path = era_file(context, sid);
  const std::string fresh = path + ".new";
  std::FILE* file = std::fopen(fresh.c_str(), "we");
  if (file == nullptr) {
    return;
  }
  const std::string_view name = mcp::era_name(era);
  const bool written = std::fwrite(name.data(), 1, name.size(), file) == name.size();
  if (std::fclose(file) == 0 && written) {
    ::rename(fresh.c_str(), path.c_str());
  }
}

}  // namespace calaboose::cli
