// SPDX-License-Identifier: Apache-2.0
// Subscriptions: what was asked for, what is honoured, and the two ways to serve one across eras.
// Place: mcp/session, internal; under Bridge. Pure. Spec: protocol.md section 6.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "mcp/session/table.h"
#include "mcp/wire/methods.h"

namespace calaboose::mcp {

inline constexpr std::uint32_t kMaxListens = 64;
inline constexpr std::uint32_t kMaxFilterUris = 256;

/// The filter of subscriptions/listen.
struct Filter {
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  bool tasks = false;
  std::vector<std::string> uris;

  /// Asks for notifications of this type (kResourceUpdated: for this URI or one that contains it).
  bool wants(Notice notice, std::string_view uri) const;
  bool has_uri(std::string_view uri) const;

  bool empty() const { return !tools && !prompts && !resources && !tasks && uris.empty(); }

  /// Keeps only what `other` has too; true if something went.
  bool intersect(const Filter& other);
  /// As a JSON object.
  std::string text() const;
};

/// Nothing if the value is not a filter (or names more than kMaxFilterUris).
std::optional<Filter> parse_filter(json::Value filter);

/// A subscriptions/listen of a modern host.
struct Listen {
  Filter asked;
  Filter honoured;  // once acknowledged
  bool acknowledged = false;
  bool here = false;  // served from a legacy server's notifications
};

/// A resources/subscribe of ours at a legacy server, shared by the listens that name the URI.
struct Watch {
  std::uint32_t serial = 0;
  std::uint32_t users = 0;
  bool settled = false;  // the server has answered
  bool active = false;   // and accepted
};

/// A subscriptions/listen of ours at a modern server, for a legacy host.
struct Feed {
  Filter asked;
  Filter honoured;
  std::uint64_t handle = 0;
  std::uint32_t waiting_call = kNoSlot;  // the host's resources/subscribe that this answers
  bool live = false;
  bool acknowledged = false;
};

}  // namespace calaboose::mcp
