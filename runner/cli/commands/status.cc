// SPDX-License-Identifier: Apache-2.0
// `status`: every server that has run here, from the audit logs: when, at which level, what was
// refused last.
#include <dirent.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/audit/reader.h"
#include "runner/cli/command.h"

namespace calaboose::cli {
namespace {

constexpr std::size_t kMaxLogs = 200;  // the newest ones

struct ServerStatus {
  std::string server;
  std::string last_start;
  std::string level = "never started";
  std::string profile;
  std::string last_exit;
  std::string last_denial;
  std::uint64_t runs = 0;
  std::uint64_t calls = 0;
  std::uint64_t denials = 0;
  std::uint64_t findings = 0;
};

std::vector<std::string> newest_logs(const std::string& dir) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> handle(::opendir(dir.c_str()), ::closedir);
  if (!handle) {
    return names;
  }
  while (const dirent* entry =
             ::readdir(handle.get())) {  // NOLINT(concurrency-mt-unsafe): own handle
    const std::string name = entry->d_name;
    if (name.ends_with(".jsonl")) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  if (names.size() > kMaxLogs) {
    names.erase(names.begin(), names.end() - static_cast<std::ptrdiff_t>(kMaxLogs));
  }
  return names;
}

void take(const audit::Entry& entry, ServerStatus& status) {
  const json::Value fields = entry.fields;
  const std::string kind = fields.find("kind").string_or("");
  status.server = fields.find("server").string_or(status.server);
  if (kind == "jail.start") {
    ++status.runs;
    status.last_start = fields.find("t").string_or("");
    status.level = fields.find("verdict").string_equals("allow")
                       ? fields.at("detail", "level").string_or("?")
                       : "refused: " + fields.find("reason").string_or("");
    status.profile = fields.at("detail", "profile").string_or("");
  } else if (kind == "jail.exit") {
    status.last_exit = fields.find("reason").string_or("");
  } else if (kind == "jail.denied") {
    ++status.denials;
    status.last_denial = fields.find("reason").string_or("");
  } else if (kind == "decision") {
    ++status.findings;
  } else if (kind == "msg" && fields.find("mcp.method.name").string_equals("tools/call") &&
             fields.find("dir").string_equals("host>server")) {
    ++status.calls;
  }
}

std::string to_text(const ServerStatus& status, const std::string& sid) {
  std::string out = printable(status.server, 80) + "\n";
  out += "    level " + printable(status.level, 300);
  if (!status.profile.empty()) {
    out += ", profile " + printable(status.profile, 40);
  }
  out += ", network none\n    " + std::to_string(status.runs) + " run(s), last " +
         printable(status.last_start, 40) + ", " + std::to_string(status.calls) +
         " tool call(s), " + std::to_string(status.findings) + " decision(s)\n";
  if (!status.last_exit.empty()) {
    out += "    last end: " + printable(status.last_exit, 200) + "\n";
  }
  if (status.denials > 0) {
    out += "    " + std::to_string(status.denials) +
           " refused, last: " + printable(status.last_denial, 200) + "\n";
  }
  return out + "    identity " + sid.substr(0, 16) + "\n";
}

std::string to_json(const std::map<std::string, ServerStatus>& servers) {
  std::string list = "[";
  for (const auto& [sid, status] : servers) {
    list += list.size() > 1 ? "," : "";
    json::ObjectWriter writer(list);
    writer.string("server", status.server).string("sid", sid).string("level", status.level);
    writer.string("profile", status.profile)
        .string("network", "none")
        .string("lastStart", status.last_start);
    writer.string("lastExit", status.last_exit).string("lastDenial", status.last_denial);
    writer.integer("runs", static_cast<std::int64_t>(status.runs));
    writer.integer("toolCalls", static_cast<std::int64_t>(status.calls));
    writer.integer("denials", static_cast<std::int64_t>(status.denials));
    writer.integer("decisions", static_cast<std::int64_t>(status.findings));
    writer.close();
  }
  return "{\"servers\":" + list + "]}\n";
}

}  // namespace

int status_command(const Context& context, const Args& args) {
  std::map<std::string, ServerStatus> servers;
  for (const std::string& name : newest_logs(context.audit_dir())) {
    auto reader = audit::Reader::open(context.audit_dir() + "/" + name);
    if (!reader.ok()) {
      continue;  // removed meanwhile
    }
    std::string sid;
    for (;;) {
      const auto entry = reader->next();
      if (!entry.ok() || !entry->has_value()) {
        break;
      }
      sid = (*entry)->fields.find("sid").string_or(sid);
      take(**entry, servers[sid]);
    }
  }
  if (context.json(args)) {
    print(to_json(servers));
    return 0;
  }
  std::string out;
  for (const auto& [sid, status] : servers) {
    out += to_text(status, sid);
  }
  print(out.empty() ? "no server has run yet; try: calaboose tools -- node server.js\n" : out);
  return 0;
}

}  // namespace calaboose::cli
