// SPDX-License-Identifier: Apache-2.0
#include "policy/config/managed.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/layer.h"
#include "policy/config/load.h"

namespace calaboose::policy {
namespace {

constexpr std::array<std::string_view, 2> kServerKeys{"package", "digest"};
constexpr std::string_view kDigestPrefix = "sha256:";

bool is_digest(std::string_view text) {
  return text.starts_with(kDigestPrefix) && text.size() == kDigestPrefix.size() + 64 &&
         text.find_first_not_of("0123456789abcdef", kDigestPrefix.size()) == std::string_view::npos;
}

bool is_package(std::string_view text) {
  return text.starts_with("/") || (text.starts_with("npm:") && text.size() > 4) ||
         (text.starts_with("pypi:") && text.size() > 5);
}

void read_allowed_server(Document& doc, const Node& node, std::vector<AllowedServer>& out) {
  if (!node.value.is_object()) {
    doc.problem("CB2005", doc.ref(node), place_of(node.pointer) + " must be an object");
    return;
  }
  AllowedServer server;
  server.origin = doc.origin(node);
  bool fine = true;
  node.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = node.member(name, value);
    const std::string text = value.string_or("");
    const SourceRef at = doc.ref(child);
    fine = false;
    if (std::find(kServerKeys.begin(), kServerKeys.end(), name) == kServerKeys.end()) {
      doc.problem("CB2004", doc.name_ref(name_value, child),
                  "unknown key \"" + printable(name, 120) + "\" in " + place_of(node.pointer),
                  did_you_mean(name, kServerKeys));
    } else if (!value.is_string()) {
      doc.problem("CB2005", at, place_of(child.pointer) + " must be a string");
    } else if (name == "package" && !is_package(text)) {
      doc.problem(
          "CB2006", at,
          place_of(child.pointer) + ": \"" + printable(text, 120) + "\" is no package identity",
          "\"npm:@scope/name\", \"pypi:name\" or the absolute path of a program");
    } else if (name == "digest" && !is_digest(text)) {
      doc.problem("CB2006", at,
                  place_of(child.pointer) + ": \"" + printable(text, 120) + "\" is no digest",
                  "\"sha256:\" and 64 hexadecimal digits in lower case");
    } else {
      (name == "package" ? server.package : server.digest) = text;
      fine = true;
    }
  });
  if (fine && server.package.empty()) {
    doc.problem("CB2006", doc.ref(node), place_of(node.pointer) + " names no package",
                "\"package\": \"npm:@scope/name\"");
  } else if (fine) {
    out.push_back(std::move(server));
  }
}

void read_allowed_servers(Document& doc, const Node& node, Managed& out) {
  if (!node.value.is_array() || node.value.size() > kMaxListItems) {
    doc.problem("CB2005", doc.ref(node),
                place_of(node.pointer) + " must be a list of at most " +
                    std::to_string(kMaxListItems) + " objects");
    return;
  }
  std::vector<AllowedServer> list;
  std::size_t i = 0;
  node.value.each_element(
      [&](json::Value value) { read_allowed_server(doc, node.element(i++, value), list); });
  if (!out.allowed_servers) {
    out.allowed_servers = std::move(list);
    out.allowed_servers_origin = doc.origin(node);
    return;
  }
  const auto missing_there = [&](const AllowedServer& server) {
    return std::none_of(list.begin(), list.end(), [&](const AllowedServer& other) {
      return other.package == server.package && other.digest == server.digest;
    });
  };
  auto& kept = *out.allowed_servers;
  kept.erase(std::remove_if(kept.begin(), kept.end(), missing_there), kept.end());
}

void keep_stricter(Managed& out, const Field& field) {
  if (field.key->path == "minimumLevel") {
    const Level level = field.text == "full" ? Level::kFull : Level::kReduced;
    if (!out.minimum_level || level < out.minimum_level->value) {
      out.minimum_level = Setting<Level>{level, field.origin};
    }
  } else if (field.key->path == "requirePinnedVersion") {
    if (!out.require_pinned_version || field.text == "true") {
      out.require_pinned_version = Setting<bool>{field.text == "true", field.origin};
    }
  } else if (field.key->availability != Availability::kNow && field.asks) {
    out.later.push_back(field);
  }
}

}  // namespace

void read_managed(Document& doc, const Node& root, Managed& out) {
  const LayerContext context{kManagedFile, {}};
  Layer layer;
  root.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = root.member(name, value);
    const KeySpec* key = find_key(name, kManagedFile);
    if (key == nullptr || name.find('.') != std::string::npos) {
      report_unknown(doc, name_value, child, "", kManagedFile);
    } else if (name == "allowedServers") {
      read_allowed_servers(doc, child, out);
    } else if (name != "version") {
      read_field(doc, child, *key, context, layer);
    }
  });
  for (const Field& field : layer.fields) {
    keep_stricter(out, field);
  }
}

}  // namespace calaboose::policy
