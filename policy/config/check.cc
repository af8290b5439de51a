// SPDX-License-Identifier: Apache-2.0
#include "policy/config/check.h"

#include "base/json/write.h"
#include "base/text.h"

namespace calaboose::policy {
namespace {

std::string counted(std::size_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

void write_position(json::ObjectWriter& writer, const std::optional<SourceRef>& at) {
  if (at) {
    writer.string("at", at->to_string());
    writer.integer("line", at->line)
        .integer("column", at->column)
        .string("pointer", printable(at->pointer));
  }
}

}  // namespace

std::string check_text(const LoadResult& loaded) {
  std::string out;
  for (const Note& note : loaded.config.notes) {
    out += "note: " + note.render() + "\n";
  }
  // What only this version lacks: the file is right, the server is not startable.
  for (const ServerEntry& server : loaded.config.servers) {
    for (const ServerDefinition& definition : server.definitions) {
      for (const Field& field : definition.layer.fields) {
        const bool later = field.key->availability == Availability::kLater ||
                           field.key->availability == Availability::kLaterProtection;
        if (later && field.asks) {
          out += "note: " + field.origin.to_string() + ": \"" + std::string(field.key->path) +
                 "\" is not available in this version, so the server \"" +
                 printable(server.name, 120) + "\" cannot be started\n";
        }
      }
    }
  }
  if (!loaded.ok()) {
    return out + loaded.render() + "\n" + (loaded.problems.size() == 1 ? "1 problem\n" : "");
  }
  return out + "ok: " + counted(loaded.config.servers.size(), "server") + "\n";
}

std::string check_json(const LoadResult& loaded) {
  std::string problems;
  for (const Error& problem : loaded.problems) {
    problems += problems.empty() ? "[" : ",";
    json::ObjectWriter writer(problems);
    writer.string("id", problem.id()).string("message", problem.what());
    write_position(writer, problem.at());
    if (!problem.hint().empty()) {
      writer.string("hint", problem.hint());
    }
    writer.close();
  }
  std::string notes;
  for (const Note& note : loaded.config.notes) {
    notes += notes.empty() ? "[" : ",";
    json::ObjectWriter writer(notes);
    writer.string("message", printable(note.text));
    if (!note.server.empty()) {
      writer.string("server", printable(note.server));
    }
    write_position(writer, note.at);
    writer.close();
  }
  std::string servers;
  for (const ServerEntry& server : loaded.config.servers) {
    servers += (servers.empty() ? "[" : ",") + json::quoted(printable(server.name));
  }
  const auto list = [](const std::string& items) {
    return items.empty() ? std::string("[]") : items + "]";
  };
  std::string out;
  json::ObjectWriter writer(out);
  writer.boolean("ok", loaded.ok()).raw("servers", list(servers)).raw("problems", list(problems));
  if (loaded.more_problems > 0) {
    writer.integer("moreProblems", static_cast<std::int64_t>(loaded.more_problems));
  }
  writer.raw("notes", list(notes));
  writer.close();
  return out;
}

}  // namespace calaboose::policy
