// SPDX-License-Identifier: Apache-2.0
// Gives an error the position and the source line of a value.
// Place: policy/config, inside resolve_server. Pure.
#pragma once

#include "base/error.h"
#include "policy/config/config.h"
#include "policy/config/document.h"

namespace calaboose::policy {

/// `error` with the origin's position and excerpt; unchanged if the value does not come from a
/// file.
inline Error located(Error error, const Origin& origin, const Config& config) {
  if (!origin.at) {
    return error;
  }
  std::string excerpt;
  for (const SourceText& source : config.sources) {
    if (source.path == origin.at->file) {
      excerpt = excerpt_of(source.text, *origin.at);
    }
  }
  return std::move(error).with_excerpt(std::move(excerpt)).at(*origin.at);
}

}  // namespace calaboose::policy
