// SPDX-License-Identifier: Apache-2.0
#include "policy/config/restrict.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "policy/config/located.h"

namespace calaboose::policy {
namespace {

constexpr std::array<std::string_view, 26> kStartsOthers{
    "npx",  "npm",  "pnpm", "pnpx",   "yarn",   "bun",  "bunx",  "uvx",    "uv",
    "pipx", "pip",  "deno", "docker", "podman", "go",   "cargo", "nix",    "sh",
    "bash", "dash", "zsh",  "fish",   "env",    "sudo", "xargs", "busybox"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_package_name(std::string_view name) {
  return !name.empty() && name.size() <= 214 && name[0] != '.' && name[0] != '-' &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string_view::npos;
}

// "1.4.2", "1.4.2-beta.1", "2025.1": a range, a tag or a wildcard is no exact version.
bool is_exact_version(std::string_view version) {
  return version.find('.') != std::string_view::npos && version[0] >= '0' && version[0] <= '9' &&
         version.find_first_not_of(
             "0123456789abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWYZ.+-_") ==
             std::string_view::npos;
}

void split_npm(std::string_view spec, PackageIdentity& out) {
  const bool scoped = spec.starts_with('@');
  const std::size_t slash = scoped ? spec.find('/') : std::string_view::npos;
  if (scoped && (slash == std::string_view::npos || !is_package_name(spec.substr(1, slash - 1)))) {
    return;
  }
  const std::size_t begin = scoped ? slash + 1 : 0;
  const std::size_t at = spec.find('@', begin);
  if (!is_package_name(spec.substr(begin, at == std::string_view::npos ? at : at - begin))) {
    return;
  }
  out.package = "npm:" + std::string(spec.substr(0, at));
  if (at != std::string_view::npos && is_exact_version(spec.substr(at + 1))) {
    out.version = spec.substr(at + 1);
  }
}

void split_pypi(std::string_view spec, PackageIdentity& out) {
  const std::size_t mark = spec.find_first_of("@=");
  const std::string_view name = spec.substr(0, mark);
  if (!is_package_name(name)) {
    return;
  }
  out.package = "pypi:" + std::string(name);
  if (mark != std::string_view::npos) {
    const std::string_view version =
        spec.substr(spec.find_first_not_of("@=", mark) == std::string_view::npos
                        ? spec.size()
                        : spec.find_first_not_of("@=", mark));
    if (!version.empty() && is_exact_version(version)) {
      out.version = version;
    }
  }
}

Result<void> check_allowed(const Config& config, const ServerPolicy& policy,
                           const PackageIdentity& identity) {
  const Managed& managed = config.managed;
  if (!managed.allowed_servers) {
    return {};
  }
  const AllowedServer* found = nullptr;
  for (const AllowedServer& server : *managed.allowed_servers) {
    if (!identity.package.empty() && server.package == identity.package) {
      found = &server;
    }
  }
  const std::string name = "the server \"" + printable(policy.name, 120) + "\"";
  if (found == nullptr) {
    const std::string what = identity.package.empty()
                                 ? "what it runs cannot be told from its command line"
                                 : printable(identity.package, 200) + " is not on it";
    return located(Error(Errc::kDenied, name + " is not on the administrator's list: " + what)
                       .with_id("CB2035")
                       .with_hint("ask the administrator to add it to allowedServers"),
                   managed.allowed_servers_origin, config);
  }
  if (!found->digest.empty()) {
    return located(
        Error(
            Errc::kCannotEnforce,
            name +
                " may run with one digest only, and this version cannot check digests of packages")
            .with_id("CB2037")
            .with_hint("ask the administrator for an entry without \"digest\""),
        found->origin, config);
  }
  return {};
}

}  // namespace

PackageIdentity package_identity(std::string_view command, const std::vector<std::string>& args) {
  PackageIdentity out;
  const std::string_view base = command.substr(command.rfind('/') + 1);
  out.starts_others = contains(kStartsOthers, base);
  if (!out.starts_others) {
    if (command.starts_with('/')) {
      out.package = command;
    }
    return out;
  }
  // A runner named by its path could be anybody's program of that name.
  if (command != "npx" && command != "uvx") {
    return out;
  }
  for (const std::string& arg : args) {
    const bool harmless =
        command == "npx" && (arg == "-y" || arg == "--yes" || arg == "-q" || arg == "--quiet");
    if (harmless) {
      continue;
    }
    if (command == "npx") {
      split_npm(arg, out);
    } else {
      split_pypi(arg, out);
    }
    break;
  }
  return out;
}

Result<void> restrict_by_managed(const Config& config, ServerPolicy& policy) {
  const Managed& managed = config.managed;
  const PackageIdentity identity = package_identity(policy.command.value, policy.args);
  const std::string name = "the server \"" + printable(policy.name, 120) + "\"";
  if (!managed.later.empty()) {
    const Field& field = managed.later.front();
    return located(
        Error(Errc::kCannotEnforce, "the administrator asks for \"" + std::string(field.key->path) +
                                        "\", which is not available in this version")
            .with_id("CB2037")
            .with_hint("no server starts until the administrator removes it"),
        field.origin, config);
  }
  CALABOOSE_CHECK(check_allowed(config, policy, identity));
  const bool want_pin = managed.require_pinned_version && managed.require_pinned_version->value;
  if (want_pin && identity.starts_others && identity.version.empty()) {
    return located(Error(Errc::kDenied,
                         name + " does not name an exact version, which the administrator requires")
                       .with_id("CB2036")
                       .with_hint("write it behind the package: \"@scope/name@1.4.2\""),
                   managed.require_pinned_version->origin, config);
  }
  if (managed.minimum_level && policy.minimum_level.value > managed.minimum_level->value) {
    policy.notes.push_back(
        "minimumLevel raised to \"" +
        std::string(managed.minimum_level->value == Level::kFull ? "full" : "reduced") + "\" by " +
        managed.minimum_level->origin.to_string());
    policy.minimum_level = *managed.minimum_level;
    policy.sandbox_off = false;
    policy.sandbox_origin = managed.minimum_level->origin;
  }
  return {};
}

}  // namespace calaboose::policy
