// SPDX-License-Identifier: Apache-2.0
// Reads the administrator's file into Managed.
// Place: policy/config, inside load. Pure.
#pragma once

#include "policy/config/document.h"

namespace calaboose::policy {

/// Several managed files tighten each other: allowedServers by intersection, the stricter level,
/// any "true".
void read_managed(Document& doc, const Node& root, Managed& out);

}  // namespace calaboose::policy
