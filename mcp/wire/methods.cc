// SPDX-License-Identifier: Apache-2.0
// The method tables.
// Place: mcp/wire.
#include "mcp/wire/methods.h"

#include <array>

namespace calaboose::mcp {
namespace {

constexpr std::array<MethodInfo, 20> kMethods = {{
    // method, name, legacy, modern, capability, paged, cacheable, may_ask, subject
    {Method::kInitialize, "initialize", true, false, "", false, false, false, ""},
    {Method::kDiscover, "server/discover", false, true, "", false, true, false, ""},
    {Method::kPing, "ping", true, false, "", false, false, false, ""},
    {Method::kToolsList, "tools/list", true, true, "tools", true, true, false, ""},
    {Method::kToolsCall, "tools/call", true, true, "tools", false, false, true, "name"},
    {Method::kResourcesList, "resources/list", true, true, "resources", true, true, false, ""},
    {Method::kTemplatesList, "resources/templates/list", true, true, "resources", true, true, false,
     ""},
    {Method::kResourcesRead, "resources/read", true, true, "resources", false, true, true, "uri"},
    {Method::kResourcesSubscribe, "resources/subscribe", true, false, "resources", false, false,
     false, "uri"},
    {Method::kResourcesUnsubscribe, "resources/unsubscribe", true, false, "resources", false, false,
     false, "uri"},
    {Method::kPromptsList, "prompts/list", true, true, "prompts", true, true, false, ""},
    {Method::kPromptsGet, "prompts/get", true, true, "prompts", false, false, true, "name"},
    {Method::kComplete, "completion/complete", true, true, "completions", false, false, false, ""},
    {Method::kSetLevel, "logging/setLevel", true, false, "logging", false, false, false, ""},
    {Method::kListen, "subscriptions/listen", false, true, "", false, false, false, ""},
    {Method::kTasksGet, "tasks/get", true, true, "", false, false, false, ""},
    {Method::kTasksResult, "tasks/result", true, false, "tasks", false, false, false, ""},
    {Method::kTasksList, "tasks/list", true, false, "tasks", true, false, false, ""},
    {Method::kTasksCancel, "tasks/cancel", true, true, "", false, false, false, ""},
    {Method::kTasksUpdate, "tasks/update", false, true, "", false, false, false, ""},
}};

struct NoticeInfo {
  Notice notice;
  std::string_view name;
  bool client_legacy;
  bool client_modern;
  bool server_legacy;
  bool server_modern;
};

constexpr std::array<NoticeInfo, 13> kNotices = {{
    {Notice::kProgress, "notifications/progress", true, false, true, true},
    {Notice::kMessage, "notifications/message", false, false, true, true},
    {Notice::kCancelled, "notifications/cancelled", true, true, true, true},
    {Notice::kInitialized, "notifications/initialized", true, false, false, false},
    {Notice::kToolsChanged, "notifications/tools/list_changed", false, false, true, true},
    {Notice::kPromptsChanged, "notifications/prompts/list_changed", false, false, true, true},
    {Notice::kResourcesChanged, "notifications/resources/list_changed", false, false, true, true},
    {Notice::kResourceUpdated, "notifications/resources/updated", false, false, true, true},
    {Notice::kAcknowledged, "notifications/subscriptions/acknowledged", false, false, false, true},
    {Notice::kRootsChanged, "notifications/roots/list_changed", true, false, false, false},
    {Notice::kElicitationComplete, "notifications/elicitation/complete", false, false, true, false},
    {Notice::kTaskStatus, "notifications/tasks/status", true, false, true, false},
    {Notice::kTasks, "notifications/tasks", false, false, false, true},
}};

const NoticeInfo* notice_info(Notice notice) {
  for (const auto& info : kNotices) {
    if (info.notice == notice) {
      return &info;
    }
  }
  return nullptr;
}

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

}  // namespace

const MethodInfo* find_method(std::string_view name) {
  for (const auto& info : kMethods) {
    if (info.name == name) {
      return &info;
    }
  }
  return nullptr;
}

const MethodInfo& info_of(Method method) {
  static_assert(kMethods.size() == static_cast<std::size_t>(Method::kTasksUpdate) + 1);
  return kMethods[static_cast<std::size_t>(method)];
}

Notice find_notice(std::string_view method) {
  for (const auto& info : kNotices) {
    if (info.name == method) {
      return info.notice;
    }
  }
  return Notice::kUnknown;
}

bool client_may_notify(Notice notice, Era era) {
  const NoticeInfo* info = notice_info(notice);
  return info != nullptr && (era == Era::kLegacy ? info->client_legacy : info->client_modern);
}

bool server_may_notify(Notice notice, Era era) {
  const NoticeInfo* info = notice_info(notice);
  if (info == nullptr) {
    return era == Era::kLegacy;
  }
  return era == Era::kLegacy ? info->server_legacy : info->server_modern;
}

std::string_view client_capability_for(std::string_view method) {
  if (method == "sampling/createMessage") {
    return "sampling";
  }
  if (method == "elicitation/create") {
    return "elicitation";
  }
  if (method == "roots/list") {
    return "roots";
  }
  if (method == "tasks/get" || method == "tasks/result" || method == "tasks/list" ||
      method == "tasks/cancel") {
    return "tasks";
  }
  return {};
}

std::optional<int> log_level(json::Value level) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (level.string_equals(kLevels[i])) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

std::string_view log_level_name(int level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

}  // namespace calaboose::mcp
