// SPDX-License-Identifier: Apache-2.0
// Which methods exist, in which era and direction, and what each needs.
// Place: mcp/wire. Pure. Spec: protocol.md sections 2.3 to 2.5.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json/json.h"
#include "mcp/wire/revision.h"

namespace calaboose::mcp {

enum class Method : std::uint8_t {
  kInitialize,
  kDiscover,
  kPing,
  kToolsList,
  kToolsCall,
  kResourcesList,
  kTemplatesList,
  kResourcesRead,
  kResourcesSubscribe,
  kResourcesUnsubscribe,
  kPromptsList,
  kPromptsGet,
  kComplete,
  kSetLevel,
  kListen,
  kTasksGet,
  kTasksResult,
  kTasksList,
  kTasksCancel,
  kTasksUpdate,
};

/// A request that a client may send.
struct MethodInfo {
  Method method;
  std::string_view name;
  bool legacy;
  bool modern;
  std::string_view capability;  // of the server; empty: none. Extensions are checked by the caller.
  bool paged;                   // cursor in, nextCursor out
  bool cacheable;               // modern: ttlMs and cacheScope are required
  bool may_ask;                 // modern: may answer input_required
  std::string_view subject;     // string member of params that names what is meant; empty: none

  bool in(Era era) const { return era == Era::kLegacy ? legacy : modern; }
};

/// The client request of that name, or null.
const MethodInfo* find_method(std::string_view name);
/// The entry of a method that is in the table (all are).
const MethodInfo& info_of(Method method);

enum class Notice : std::uint8_t {
  kInitialized,
  kCancelled,
  kProgress,
  kMessage,
  kToolsChanged,
  kPromptsChanged,
  kResourcesChanged,
  kResourceUpdated,
  kAcknowledged,
  kRootsChanged,
  kElicitationComplete,
  kTaskStatus,
  kTasks,
  kUnknown,
};

/// Which notification this is.
Notice find_notice(std::string_view method);
/// May a client send it in that era?
bool client_may_notify(Notice notice, Era era);
/// May a server send it in that era? (kUnknown: only legacy, where notifications are not a closed
/// set.)
bool server_may_notify(Notice notice, Era era);

/// Requests that a legacy server may send to a client that declared the capability; empty: not such
/// a method.
std::string_view client_capability_for(std::string_view method);

/// 0 (debug) … 7 (emergency), or nothing for an unknown level.
std::optional<int> log_level(json::Value level);
std::string_view log_level_name(int level);

}  // namespace calaboose::mcp
