// SPDX-License-Identifier: Apache-2.0
#include "policy/config/config.h"

#include "base/text.h"

namespace calaboose::policy {

std::string Origin::to_string() const {
  return at ? at->to_string() : printable(source);
}

std::string Note::render() const {
  return (at ? at->to_string() + ": " : "") + printable(text);
}

// The last one counts: a mapped foreign key may give the same key again.
const Field* Layer::find(std::string_view path) const {
  for (auto it = fields.rbegin(); it != fields.rend(); ++it) {
    if (it->key->path == path) {
      return &*it;
    }
  }
  return nullptr;
}

const ServerEntry* Config::find(std::string_view name) const {
  for (const ServerEntry& server : servers) {
    if (server.name == name) {
      return &server;
    }
  }
  return nullptr;
}

std::vector<std::string_view> Config::server_names() const {
  std::vector<std::string_view> names;
  names.reserve(servers.size());
  for (const ServerEntry& server : servers) {
    names.push_back(server.name);
  }
  return names;
}

}  // namespace calaboose::policy
