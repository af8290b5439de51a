// SPDX-License-Identifier: Apache-2.0
#include "policy/config/host_file.h"

#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/load.h"

namespace calaboose::policy {
namespace {

constexpr std::int64_t kLeastMilliseconds = 1000;  // below, some hosts mean seconds
constexpr std::array<std::string_view, 8> kTypes{
    "stdio",           "http",  "sse",   "streamable-http", "streamableHttp",
    "streamable_http", "local", "remote"};

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

bool is_url_alias(std::string_view name) {
  return name == "httpUrl" || name == "serverUrl";
}

bool is_known_type(std::string_view type) {
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

bool nearly_ours(std::string_view name) {
  std::vector<std::string_view> ours;
  for (const KeySpec& key : config_keys()) {
    if ((key.scopes & kServer) != 0) {
      const std::size_t dot = key.path.rfind('.');
      ours.push_back(dot == std::string_view::npos ? key.path : key.path.substr(dot + 1));
    }
  }
  const auto nearest = closest(name, ours);
  return nearest && name.size() >= 4 && edit_distance(name, *nearest) <= 2;
}

}  // namespace

bool take_host_key(Document& doc, json::Value name_value, const Node& node,
                   const LayerContext& context, Layer& out) {
  const std::string name = name_value.string_or("");
  const SourceRef at = doc.name_ref(name_value, node);
  const auto note = [&](const std::string& text) {
    doc.note(context.server, at, text);
    return true;
  };
  if (node.value.is_null()) {
    return note(place_of(node.pointer) + " is null: ignored");
  }
  if (is_url_alias(name)) {
    read_field(doc, node, *find_key("url", kServer), context, out);
    return note(quote(name) + " is read as \"url\"");
  }
  if (name == "disabled" || name == "enabled") {
    return true;  // is_disabled_in_host
  }
  if (name == "type" || name == "transport" || name == "transportType") {
    return is_known_type(node.value.string_or("")) ||
           note(quote(name) + " ignored: \"command\" or \"url\" decides");
  }
  if (name == "timeout" && node.value.int64().value_or(0) < kLeastMilliseconds) {
    return note("\"timeout\" ignored: hosts differ in its unit; ours are milliseconds, from 1000");
  }
  if (find_key(name, kServer) != nullptr) {
    return false;
  }
  for (const ForeignKey& foreign : foreign_keys()) {
    if (foreign.name == name) {
      return note(quote(name) + " " + std::string(foreign.effect));
    }
  }
  return !nearly_ours(name) && note(quote(name) + " ignored: it is not known here");
}

bool is_disabled_in_host(json::Value server) {
  const json::Value disabled = server.find("disabled");
  const json::Value enabled = server.find("enabled");
  // Anything but a clear "no" counts: a host's odd spelling must not start a server that it would
  // not.
  const bool is_off = disabled && !disabled.is_null() && disabled.boolean().value_or(true);
  const bool is_on = !enabled || enabled.is_null() || enabled.boolean().value_or(false);
  return is_off || !is_on;
}

void read_inputs(Document& doc, const Node& node, std::vector<InputDeclaration>& out) {
  if (!node.value.is_array()) {
    doc.note({}, doc.ref(node), "\"inputs\" ignored: not a list");
    return;
  }
  node.value.each_element([&](json::Value value) {
    const std::string id = value.find("id").string_or("");
    if (!id.empty() && out.size() < kMaxListItems) {
      out.push_back({id, value.find("description").string_or("")});
    }
  });
}

}  // namespace calaboose::policy
