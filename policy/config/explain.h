// SPDX-License-Identifier: Apache-2.0
// The effective policy for people: every value with its origin (`policy explain`).
// Place: policy/config; used by the CLI. Pure.
#pragma once

#include <string>
#include <vector>

#include "policy/config/server_policy.h"

namespace calaboose::policy {

struct ExplainRow {
  std::string key;     // as in the configuration, printable
  std::string value;   // printable; a secret is shown as its reference only
  std::string origin;  // "config.jsonc:12:7", "built-in", "command line"
};

/// Every effective value, in a fixed order. Rows hold printable text only.
std::vector<ExplainRow> explain(const ServerPolicy& policy);

/// A table with aligned columns and a newline at the end.
std::string explain_text(const ServerPolicy& policy);

/// {"server":…,"scope":…,"values":[{"key","value","origin"}…],"notes":[…]}
std::string explain_json(const ServerPolicy& policy);

}  // namespace calaboose::policy
