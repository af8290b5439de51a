// SPDX-License-Identifier: Apache-2.0
// Filters and reads ClientCapabilities.
// Place: mcp/session.
#include "mcp/session/capabilities.h"

#include <array>

#include "base/json/write.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {

std::string filter_capabilities(json::Value caps, bool allow, bool& changed) {
  static constexpr std::array<std::string_view, 4> kAsking = {"sampling", "elicitation", "roots",
                                                              "tasks"};
  json::Patch patch;
  if (!allow) {
    for (const std::string_view name : kAsking) {
      if (const json::Value member = caps.find(name)) {
        patch.remove(member);
      }
    }
    if (const json::Value extension = caps.at("extensions", meta::kTasksExtension)) {
      patch.remove(extension);
    }
  }
  changed = !patch.empty();
  std::string out;
  patch.write(caps, out);
  return out;
}

Offered read_offered(json::Value caps) {
  Offered offered;
  offered.sampling = caps.find("sampling").is_object();
  offered.roots = caps.find("roots").is_object();
  const json::Value elicitation = caps.find("elicitation");
  offered.elicitation_url = elicitation.find("url").is_object();
  // An empty object means form only.
  offered.elicitation_form =
      elicitation.is_object() && (elicitation.find("form").is_object() || !offered.elicitation_url);
  offered.tasks = caps.at("extensions", meta::kTasksExtension).is_object();
  return offered;
}

}  // namespace calaboose::mcp
