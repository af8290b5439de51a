// SPDX-License-Identifier: Apache-2.0
// Which surface a place in a message belongs to.
// Place: policy/scan; internal. Pure.
#pragma once

#include "base/json/json.h"
#include "policy/scan/rewrite.h"
#include "policy/scan/scan.h"

namespace calaboose::policy {

/// The surface of one string (a value or a member name) inside `message`. Cost O(depth).
Surface surface_of(const MessageContext& context, json::Value message, json::Value string);

/// How strict the character rules are there.
Profile profile_of(Surface surface);

}  // namespace calaboose::policy
