// SPDX-License-Identifier: Apache-2.0
// Reads one JSON object into a Layer by the table of keys.
// Place: policy/config, inside load. Pure.
#pragma once

#include <string>
#include <string_view>

#include "policy/config/document.h"
#include "policy/config/keys.h"

namespace calaboose::policy {

/// Where an object stands: which keys it may hold, and what messages call it.
struct LayerContext {
  Scope scope = kServer;
  std::string server;  // for notes; empty outside a server
};

/// Reads all members of `object` (not an object: a problem). What a problem was reported for is
/// left out.
void read_layer(Document& doc, const Node& object, const LayerContext& context, Layer& out);

/// Reads one value of one key into `out`.
void read_field(Document& doc, const Node& node, const KeySpec& key, const LayerContext& context,
                Layer& out);

/// "unknown key …" with a suggestion among the keys that may stand beside it.
void report_unknown(Document& doc, json::Value name, const Node& node, std::string_view prefix,
                    Scope scope);

/// `"mcpServers.git"` and the like: where a pointer leads, for messages.
std::string place_of(std::string_view pointer);

}  // namespace calaboose::policy
