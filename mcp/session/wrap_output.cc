// SPDX-License-Identifier: Apache-2.0
// Legacy revisions know only objects as structured content; everything else is put into one.
// Place: mcp/session. Spec: protocol.md section 13 (2).
#include "base/json/write.h"
#include "mcp/session/translate.h"

namespace calaboose::mcp {
namespace {

/// Has the schema a reference to its own root, which would mean something else one level deeper?
bool refers_to_own_root(json::Value schema) {
  const json::Tape& tape = *schema.tape();
  const std::uint32_t stop = tape.tokens()[schema.index()].next;
  for (std::uint32_t i = schema.index(); i < stop; ++i) {
    if (!tape.tokens()[i].is_name) {
      continue;
    }
    const json::Value name(&tape, i);
    if ((name.string_equals("$ref") || name.string_equals("$dynamicRef") ||
         name.string_equals("$recursiveRef")) &&
        json::Value(&tape, i + 1).string_or("").starts_with('#')) {
      return true;
    }
  }
  return false;
}

std::string wrapped_schema(json::Value schema) {
  std::string inner;
  if (schema.is_object() && !schema.find("$id") && refers_to_own_root(schema)) {
    // With an id of its own the schema stays the root of its references.
    json::Patch patch;
    patch.append_member(schema, "$id", "\"urn:calaboose:output\"");
    patch.write(schema, inner);
  } else {
    inner = json::minified(schema);
  }
  return R"({"type":"object","properties":{"result":)" + inner + R"(},"required":["result"]})";
}

}  // namespace

void OutputWrapper::wrap_schemas(json::Patch& patch, json::Value result) {
  result.find("tools").each_element([&](json::Value tool) {
    const json::Value schema = tool.find("outputSchema");
    const auto name = tool.find("name").string();
    if (!name) {
      return;
    }
    if (!schema || schema.find("type").string_equals("object")) {
      wrapped_.erase(*name);
      return;
    }
    if (wrapped_.size() < kMaxTools || wrapped_.contains(*name)) {
      wrapped_.insert(*name);
      patch.replace(schema, wrapped_schema(schema));
    } else {
      patch.remove(schema);
    }
  });
}

void OutputWrapper::wrap_content(json::Patch& patch, json::Value result,
                                 std::string_view tool) const {
  const json::Value content = result.find("structuredContent");
  if (content && (!content.is_object() || wrapped_.contains(tool))) {
    patch.replace(content, "{\"result\":" + json::minified(content) + "}");
  }
}

}  // namespace calaboose::mcp
