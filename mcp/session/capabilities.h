// SPDX-License-Identifier: Apache-2.0
// What the host may declare to the server, and what that lets the server ask for.
// Place: mcp/session, internal. Pure. Spec: protocol.md sections 2.6 and 13 (5).
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace calaboose::mcp {

/// What a server may ask of the client in one request (modern) or session (legacy).
struct Offered {
  bool sampling = false;
  bool roots = false;
  bool elicitation_form = false;
  bool elicitation_url = false;
  bool tasks = false;
};

/// The host's ClientCapabilities as the server gets to see them, minified. Without `allow`: no
/// sampling, elicitation, roots, tasks, nor the tasks extension. Sets `changed` if something was
/// taken out. `caps` is an object.
std::string filter_capabilities(json::Value caps, bool allow, bool& changed);

/// Reads what (already filtered) capabilities offer.
Offered read_offered(json::Value caps);

}  // namespace calaboose::mcp
