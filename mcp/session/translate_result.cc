// SPDX-License-Identifier: Apache-2.0
// Results and errors across eras.
// Place: mcp/session.
#include "base/json/write.h"
#include "mcp/session/translate.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/meta.h"

namespace calaboose::mcp {
namespace {

constexpr std::int64_t kMaxTtlMs = 24LL * 60 * 60 * 1000;

void set_member(json::Patch& patch, json::Value object, std::string_view name, std::string text) {
  if (const json::Value present = object.find(name)) {
    patch.replace(present, std::move(text));
  } else {
    patch.append_member(object, name, std::move(text));
  }
}

}  // namespace

void to_modern_result(json::Patch& patch, json::Value result, const MethodInfo& method) {
  set_member(patch, result, "resultType", "\"complete\"");
  if (method.cacheable) {
    set_member(patch, result, "ttlMs", "0");
    set_member(patch, result, "cacheScope", "\"private\"");
  }
  if (method.method == Method::kToolsList) {
    result.find("tools").each_element(
        [&](json::Value tool) { patch.remove(tool.find("execution")); });
  }
}

void to_legacy_result(json::Patch& patch, json::Value result, const MethodInfo& method) {
  patch.remove(result.find("resultType"));
  if (method.cacheable) {
    patch.remove(result.find("ttlMs"));
    patch.remove(result.find("cacheScope"));
  }
  const json::Value meta = result.find("_meta");
  if (const json::Value info = meta.find(meta::kServerInfo)) {
    patch.remove(meta.size() == 1 ? meta : info);
  }
}

void to_modern_error(json::Patch& patch, json::Value error, std::string_view uri) {
  const json::Value error_code = error.find("code");
  const std::int64_t number = error_code.int64().value_or(0);
  if (number == code::kLegacyResourceNotFound) {
    patch.replace(error_code, std::to_string(code::kInvalidParams));
    const json::Value data = error.find("data");
    if (uri.empty() || data.find("uri")) {
      return;
    }
    const std::string quoted_uri = json::quoted(uri);
    if (data.is_object()) {
      patch.append_member(data, "uri", quoted_uri);
    } else {
      set_member(patch, error, "data", "{\"uri\":" + quoted_uri + "}");
    }
    return;
  }
  if (number == code::kLegacyUrlElicitation || code::is_undefined_in_modern(number)) {
    patch.replace(error_code, std::to_string(code::kInternalError));
  }
}

bool cap_cache_hints(json::Patch& patch, json::Value result) {
  bool changed = false;
  const auto ttl = result.find("ttlMs").int64();
  if (!ttl || *ttl < 0 || *ttl > kMaxTtlMs) {
    set_member(patch, result, "ttlMs", ttl && *ttl > kMaxTtlMs ? std::to_string(kMaxTtlMs) : "0");
    changed = true;
  }
  const json::Value scope = result.find("cacheScope");
  if (!scope.string_equals("private") && !scope.string_equals("public")) {
    set_member(patch, result, "cacheScope", "\"private\"");
    changed = true;
  }
  return changed;
}

}  // namespace calaboose::mcp
