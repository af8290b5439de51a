// SPDX-License-Identifier: Apache-2.0
#include "policy/config/layer.h"

#include <algorithm>
#include <vector>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/host_file.h"

namespace calaboose::policy {
namespace {

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

// The dotted path inside its scope: what follows the server's name, or "policy", in the pointer.
std::string prefix_of(std::string_view pointer, Scope scope) {
  std::size_t skip = 0;
  if (scope == kServer) {
    skip = 2;
  } else if (scope == kPolicy) {
    skip = 1;
  }
  for (; skip > 0 && !pointer.empty(); --skip) {
    const std::size_t next = pointer.find('/', 1);
    pointer.remove_prefix(next == std::string_view::npos ? pointer.size() : next);
  }
  std::string out(pointer.empty() ? pointer : pointer.substr(1));
  std::replace(out.begin(), out.end(), '/', '.');
  return out.empty() ? out : out + ".";
}

}  // namespace

std::string place_of(std::string_view pointer) {
  if (pointer.empty()) {
    return "the file";
  }
  std::string out(pointer.substr(1));
  std::replace(out.begin(), out.end(), '/', '.');
  for (std::size_t at = out.find("~1"); at != std::string::npos; at = out.find("~1", at + 1)) {
    out.replace(at, 2, "/");
  }
  for (std::size_t at = out.find("~0"); at != std::string::npos; at = out.find("~0", at + 1)) {
    out.replace(at, 2, "~");
  }
  return printable(out, 200);
}

void report_unknown(Document& doc, json::Value name_value, const Node& node,
                    std::string_view prefix, Scope scope) {
  if (doc.problem_is_one_too_many()) {
    return;
  }
  const std::string name = name_value.string_or("");
  std::vector<std::string_view> siblings;
  for (const KeySpec& key : config_keys()) {
    if ((key.scopes & scope) != 0 && key.path.starts_with(prefix) &&
        key.path.find('.', prefix.size()) == std::string_view::npos) {
      siblings.push_back(key.path.substr(prefix.size()));
    }
  }
  std::string hint = did_you_mean(name, siblings);
  if (hint.empty() && scope == kRoot && prefix.empty() && find_key(name, kPolicy) != nullptr) {
    hint = "defaults for all servers belong into \"policy\"";
  } else if (hint.empty() && scope == kRoot && name == "servers") {
    hint = "servers are listed in \"mcpServers\"";
  } else if (hint.empty()) {
    // A key that is known elsewhere was only put in the wrong place.
    for (const KeySpec& key : config_keys()) {
      const std::size_t dot = key.path.rfind('.');
      if ((key.scopes & scope) != 0 && dot != std::string_view::npos &&
          key.path.substr(dot + 1) == name) {
        hint = "it belongs into \"" + std::string(key.path.substr(0, dot)) + "\"";
      }
    }
  }
  const std::size_t slash = node.pointer.rfind('/');
  const std::string holder = node.pointer.substr(0, slash);
  doc.problem("CB2004", doc.name_ref(name_value, node),
              "unknown key " + quote(name) + (holder.empty() ? "" : " in " + place_of(holder)),
              hint);
}

void read_layer(Document& doc, const Node& object, const LayerContext& context, Layer& out) {
  const std::string prefix = prefix_of(object.pointer, context.scope);
  object.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = object.member(name, value);
    const KeySpec* key = find_key(prefix + name, context.scope);
    const bool is_server_of_host = doc.is_host_file() && context.scope == kServer && prefix.empty();
    if (is_server_of_host && take_host_key(doc, name_value, child, context, out)) {
      return;
    }
    if (key == nullptr || name.find('.') != std::string::npos) {
      report_unknown(doc, name_value, child, prefix, context.scope);
      return;
    }
    read_field(doc, child, *key, context, out);
  });
}

}  // namespace calaboose::policy
