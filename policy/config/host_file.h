// SPDX-License-Identifier: Apache-2.0
// What is different in hosts' files (`mcpServers`, VS Code's `servers` + `inputs`): foreign keys.
// Place: policy/config, inside load. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "policy/config/document.h"
#include "policy/config/layer.h"

namespace calaboose::policy {

/// Maps or ignores (with a note) a key of a server that our own format does not have. False: treat
/// it like one of ours; so does a name that is nearly one of ours, because a mistyped protection
/// must not be ignored.
bool take_host_key(Document& doc, json::Value name, const Node& node, const LayerContext& context,
                   Layer& out);

/// True if the host would not start this server ("disabled": true, "enabled": false).
bool is_disabled_in_host(json::Value server);

/// VS Code's `inputs`; malformed entries become notes.
void read_inputs(Document& doc, const Node& node, std::vector<InputDeclaration>& out);

}  // namespace calaboose::policy
