// SPDX-License-Identifier: Apache-2.0
// Names of `_meta` keys that the protocol or we give a meaning.
// Place: mcp/wire. Pure. Spec: protocol.md section 2.2.
#pragma once

#include <string_view>

namespace calaboose::mcp::meta {

inline constexpr std::string_view kProtocolVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientCapabilities =
    "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionId = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kProgressToken = "progressToken";

/// Identifier of the tasks extension inside `extensions`.
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

/// Keys that begin so are ours alone (invariant I6).
inline constexpr std::string_view kOurPrefix = "calaboose/";

}  // namespace calaboose::mcp::meta
