// SPDX-License-Identifier: Apache-2.0
// The differences between the eras, message by message.
// Place: mcp/session, internal; under Bridge. Pure: each function only adds edits to a patch. Spec:
// protocol.md section 13.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/json/write.h"
#include "mcp/session/capabilities.h"
#include "mcp/wire/message.h"
#include "mcp/wire/methods.h"

namespace calaboose::mcp {

/// Modern request for a legacy server: the metadata of the revision goes, foreign keys stay;
/// `progress_token` (JSON text, may be empty) takes the place of the host's. Returns why the
/// request cannot be sent (a reason for -32602), or nothing.
std::string_view to_legacy_request(json::Patch& patch, const Message& request,
                                   std::string_view progress_token);

/// Legacy request for a modern server, besides the envelope: task augmentation goes.
void drop_task_augmentation(json::Patch& patch, const Message& request);

/// Legacy result for a modern host: resultType and cache hints come, `execution` goes from tools.
void to_modern_result(json::Patch& patch, json::Value result, const MethodInfo& method);

/// Modern result for a legacy host: resultType, cache hints and server metadata go.
void to_legacy_result(json::Patch& patch, json::Value result, const MethodInfo& method);

/// An error for a modern host: -32002 becomes -32602 with data.uri, codes without a meaning there
/// become -32603.
void to_modern_error(json::Patch& patch, json::Value error, std::string_view uri);

/// Cache hints of a modern server for a modern host: missing, negative or absurd ones become
/// harmless (threat M41). True if something was changed.
bool cap_cache_hints(json::Patch& patch, json::Value result);

/// Output schemas that are no objects, and what was answered under them, for legacy hosts: both are
/// wrapped as
/// {"result": …} alike.
class OutputWrapper {
 public:
  /// Edits the tools of a tools/list result and remembers which were wrapped (at most kMaxTools).
  void wrap_schemas(json::Patch& patch, json::Value result);
  /// Edits a tools/call result of this tool.
  void wrap_content(json::Patch& patch, json::Value result, std::string_view tool) const;

 private:
  static constexpr std::size_t kMaxTools = 4096;

  std::set<std::string, std::less<>> wrapped_;
};

/// What is wrong with a modern server's result, for the host to read; empty if nothing is.
struct ResultFault {
  std::string what;
  bool is_ask = false;        // input was asked for that this host cannot give
  bool type_missing = false;  // no fault: resultType is absent and means complete
  bool is_complete = true;
};

ResultFault check_modern_result(json::Value result, const MethodInfo& method,
                                const Offered& offered, bool host_can_retry);

}  // namespace calaboose::mcp
