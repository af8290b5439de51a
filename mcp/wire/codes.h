// SPDX-License-Identifier: Apache-2.0
// The JSON-RPC error codes that appear on the wire.
// Place: mcp/wire. Pure. Spec: protocol.md section 2.7; design 7.4 for our own.
#pragma once

#include <cstdint>

namespace calaboose::mcp::code {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;

// 2026-07-28.
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

// 2025-11-25 and older; never sent to a modern host.
inline constexpr int kLegacyResourceNotFound = -32002;
inline constexpr int kLegacyUrlElicitation = -32042;

// Ours; a server may not use them (invariant I6).
inline constexpr int kDenied = -31001;
inline constexpr int kHeld = -31002;
inline constexpr int kLimited = -31003;

/// One of our own codes.
constexpr bool is_reserved_for_us(std::int64_t code) {
  return code <= kDenied && code >= kLimited;
}

/// In the range that belongs to the specification, but without a meaning there.
constexpr bool is_undefined_in_modern(std::int64_t code) {
  return code <= -32020 && code >= -32099 && code != kHeaderMismatch &&
         code != kMissingCapability && code != kUnsupportedVersion;
}

}  // namespace calaboose::mcp::code
