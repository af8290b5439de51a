// SPDX-License-Identifier: Apache-2.0
// Adds metadata to a request.
// Place: mcp/session.
#include "mcp/session/envelope.h"

#include <utility>
#include <vector>

#include "mcp/wire/meta.h"
#include "mcp/wire/methods.h"

namespace calaboose::mcp {
namespace {

using Members = std::vector<std::pair<std::string_view, std::string>>;

std::string object_of(const Members& members) {
  std::string out;
  json::ObjectWriter writer(out);
  for (const auto& [name, text] : members) {
    writer.raw(name, text);
  }
  writer.close();
  return out;
}

/// Puts the members into params._meta, making what is missing on the way.
void merge_meta(json::Patch& patch, const Message& request, const Members& members) {
  if (!request.params) {
    patch.append_member(request.root, "params", R"({"_meta":)" + object_of(members) + "}");
    return;
  }
  const json::Value meta = request.params.find("_meta");
  if (!meta.is_object()) {
    if (meta) {
      patch.replace(meta, object_of(members));
    } else {
      patch.append_member(request.params, "_meta", object_of(members));
    }
    return;
  }
  for (const auto& [name, text] : members) {
    if (const json::Value present = meta.find(name)) {
      patch.replace(present, text);
    } else {
      patch.append_member(meta, name, text);
    }
  }
}

}  // namespace

void add_envelope(json::Patch& patch, const Message& request, const Envelope& envelope,
                  std::string_view progress_token) {
  Members members = {{meta::kProtocolVersion, json::quoted(envelope.revision)},
                     {meta::kClientCapabilities, envelope.capabilities},
                     {meta::kClientInfo, envelope.client_info}};
  if (envelope.log_level >= 0) {
    members.emplace_back(meta::kLogLevel, json::quoted(log_level_name(envelope.log_level)));
  } else {
    patch.remove(request.params.at("_meta", meta::kLogLevel));
  }
  if (!progress_token.empty()) {
    members.emplace_back(meta::kProgressToken, progress_token);
  }
  merge_meta(patch, request, members);
}

void add_progress_token(json::Patch& patch, const Message& request,
                        std::string_view progress_token) {
  merge_meta(patch, request, {{meta::kProgressToken, std::string(progress_token)}});
}

}  // namespace calaboose::mcp
