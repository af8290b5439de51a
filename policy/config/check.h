// SPDX-License-Identifier: Apache-2.0
// `check config`: problems and notes of a load, as text and as JSON.
// Place: policy/config; used by the CLI. Pure.
#pragma once

#include <string>

#include "policy/config/load.h"

namespace calaboose::policy {

/// Notes first, then problems, then one closing line ("ok: 3 servers" or "2 problems").
std::string check_text(const LoadResult& loaded);

/// {"ok":…,"servers":[…],"problems":[{"id","message","at","line","column","pointer","hint"}…],"notes":[…]}
std::string check_json(const LoadResult& loaded);

}  // namespace calaboose::policy
