// SPDX-License-Identifier: Apache-2.0
// The metadata that every modern request carries.
// Place: mcp/session, internal. Pure. Spec: protocol.md section 2.2.
#pragma once

#include <string>
#include <string_view>

#include "base/json/write.h"
#include "mcp/wire/message.h"

namespace calaboose::mcp {

struct Envelope {
  std::string revision;      // "2026-07-28"
  std::string client_info;   // JSON object
  std::string capabilities;  // JSON object
  int log_level = -1;        // none
};

/// Edits `request` so that params._meta holds the envelope, and `progress_token` (JSON text) if it
/// is not empty. Other keys of `_meta` stay; keys of the envelope that the sender wrote itself are
/// replaced. params is missing or an object.
void add_envelope(json::Patch& patch, const Message& request, const Envelope& envelope,
                  std::string_view progress_token);

/// Edits `request` so that it carries this progress token (JSON text).
void add_progress_token(json::Patch& patch, const Message& request,
                        std::string_view progress_token);

}  // namespace calaboose::mcp
