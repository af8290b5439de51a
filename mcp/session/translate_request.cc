// SPDX-License-Identifier: Apache-2.0
// Requests across eras.
// Place: mcp/session.
#include <array>

#include "mcp/session/translate.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {
namespace {

constexpr std::array<std::string_view, 4> kModernKeys = {
    meta::kProtocolVersion, meta::kClientCapabilities, meta::kClientInfo, meta::kLogLevel};

void strip_modern_meta(json::Patch& patch, json::Value params, std::string_view progress_token) {
  const json::Value meta = params.find("_meta");
  if (!meta.is_object()) {
    return;
  }
  std::uint32_t modern = 0;
  for (const std::string_view key : kModernKeys) {
    modern += meta.find(key) ? 1U : 0U;
  }
  if (modern == meta.size()) {
    patch.remove(meta);
    return;
  }
  for (const std::string_view key : kModernKeys) {
    patch.remove(meta.find(key));
  }
  if (!progress_token.empty()) {
    patch.replace(meta.find(meta::kProgressToken), std::string(progress_token));
  }
}

}  // namespace

std::string_view to_legacy_request(json::Patch& patch, const Message& request,
                                   std::string_view progress_token) {
  const json::Value params = request.params;
  if (params.find("inputResponses") || params.find("requestState")) {
    return "this server never asked for input";
  }
  strip_modern_meta(patch, params, progress_token);
  drop_task_augmentation(patch, request);
  return {};
}

void drop_task_augmentation(json::Patch& patch, const Message& request) {
  if (request.method == "tools/call") {
    patch.remove(request.params.find("task"));
  }
}

}  // namespace calaboose::mcp
