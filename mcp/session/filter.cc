// SPDX-License-Identifier: Apache-2.0
// Filters of subscriptions.
// Place: mcp/session.
#include <algorithm>

#include "base/json/write.h"
#include "mcp/session/listen.h"

namespace calaboose::mcp {
namespace {

/// `uri` is `base` or lies below it.
bool covers(std::string_view base, std::string_view uri) {
  if (!uri.starts_with(base)) {
    return false;
  }
  if (uri.size() == base.size() || base.ends_with('/')) {
    return true;
  }
  const char next = uri[base.size()];
  return next == '/' || next == '?' || next == '#';
}

bool narrow(bool& mine, bool other) {
  const bool lost = mine && !other;
  mine = mine && other;
  return lost;
}

/// False if the member is there and not a boolean.
bool read_flag(json::Value filter, std::string_view name, bool& flag) {
  const json::Value member = filter.find(name);
  flag = member.boolean().value_or(false);
  return !member || member.is_bool();
}

}  // namespace

bool Filter::has_uri(std::string_view uri) const {
  return std::find(uris.begin(), uris.end(), uri) != uris.end();
}

bool Filter::wants(Notice notice, std::string_view uri) const {
  switch (notice) {
    case Notice::kToolsChanged:
      return tools;
    case Notice::kPromptsChanged:
      return prompts;
    case Notice::kResourcesChanged:
      return resources;
    case Notice::kTasks:
      return tasks;
    case Notice::kResourceUpdated:
      return std::any_of(uris.begin(), uris.end(),
                         [&](const std::string& base) { return covers(base, uri); });
    case Notice::kInitialized:
    case Notice::kCancelled:
    case Notice::kProgress:
    case Notice::kMessage:
    case Notice::kAcknowledged:
    case Notice::kRootsChanged:
    case Notice::kElicitationComplete:
    case Notice::kTaskStatus:
    case Notice::kUnknown:
      return false;
  }
  return false;
}

bool Filter::intersect(const Filter& other) {
  bool lost = narrow(tools, other.tools);
  lost = narrow(prompts, other.prompts) || lost;
  lost = narrow(resources, other.resources) || lost;
  lost = narrow(tasks, other.tasks) || lost;
  const std::size_t before = uris.size();
  std::erase_if(uris, [&](const std::string& uri) { return !other.has_uri(uri); });
  return lost || uris.size() != before;
}

std::string Filter::text() const {
  std::string out;
  json::ObjectWriter writer(out);
  if (tools) {
    writer.boolean("toolsListChanged", true);
  }
  if (prompts) {
    writer.boolean("promptsListChanged", true);
  }
  if (resources) {
    writer.boolean("resourcesListChanged", true);
  }
  if (!uris.empty()) {
    std::string list = "[";
    for (const std::string& uri : uris) {
      list += list.size() > 1 ? "," : "";
      json::append_quoted(list, uri);
    }
    writer.raw("resourceSubscriptions", list + "]");
  }
  writer.close();
  return out;
}

std::optional<Filter> parse_filter(json::Value filter) {
  Filter parsed;
  if (!filter.is_object() || !read_flag(filter, "toolsListChanged", parsed.tools) ||
      !read_flag(filter, "promptsListChanged", parsed.prompts) ||
      !read_flag(filter, "resourcesListChanged", parsed.resources)) {
    return std::nullopt;
  }
  parsed.tasks = filter.find("taskIds").is_array();
  const json::Value uris = filter.find("resourceSubscriptions");
  if ((uris && !uris.is_array()) || uris.size() > kMaxFilterUris) {
    return std::nullopt;
  }
  bool only_strings = true;
  uris.each_element([&](json::Value uri) {
    only_strings = only_strings && uri.is_string();
    std::string text = uri.string_or("");
    if (!parsed.has_uri(text)) {
      parsed.uris.push_back(std::move(text));
    }
  });
  return only_strings ? std::optional(std::move(parsed)) : std::nullopt;
}

}  // namespace calaboose::mcp
