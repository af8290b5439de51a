// SPDX-License-Identifier: Apache-2.0
// `demo`: the bundled hostile server, started bare and through `calaboose run`, its own reports
// side by side.
#include <unistd.h>

#include <map>

#include "base/json/json.h"
#include "base/text.h"
#include "runner/audit/audit.h"
#include "runner/cli/command.h"
#include "runner/cli/converse.h"
#include "runner/cli/demo_stage.h"

namespace calaboose::cli {
namespace {

constexpr Milliseconds kPatience{12'000};  // for each of the two runs

struct Report {
  struct Row {
    std::string what;
    bool worked = false;
    std::string detail;
  };

  std::vector<Row> rows;
  std::string forecast;     // the text of the `weather` tool
  std::string description;  // of the `weather` tool
};

Result<Report> read_report(const Conversation& conversation) {
  Report report;
  json::Tape tape;
  const auto result = [&](std::size_t i) {
    return tape.parse(conversation.answers[i]) ? tape.root().find("result") : json::Value();
  };
  report.description = result(0).find("tools").element(0).find("description").string_or("");
  report.forecast = result(1).find("content").element(0).find("text").string_or("");
  result(2).at("structuredContent", "outcomes").each_element([&](json::Value row) {
    report.rows.push_back({row.find("what").string_or(""),
                           row.find("worked").boolean().value_or(false),
                           row.find("detail").string_or("")});
  });
  if (report.rows.empty()) {
    return Error(Errc::kPeer, "the demo server did not report")
        .with_peer_text(conversation.stderr_text);
  }
  return report;
}

Result<Report> perform(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  CALABOOSE_TRY(const Conversation conversation,
                converse(argv, env,
                         {{"tools/list", "{}"},
                          {"tools/call", R"({"name":"weather","arguments":{}})"},
                          {"tools/call", R"({"name":"attack","arguments":{}})"}},
                         Deadline::after(kPatience)));
  return read_report(conversation);
}

// Characters that a person does not see or a terminal obeys: each costs an escape in printable().
// Line ends are text.
std::size_t hidden_characters(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size();) {
    unsigned length = 1;
    decode_utf8(text, i, length);
    const std::string one = text.substr(i, length);
    count += printable(one) != one && one != "\r" && one != "\n" && one != "\t" ? 1U : 0U;
    i += length;
  }
  return count;
}

std::string padded(std::string text, std::size_t width) {
  // Columns count characters; the table's own texts are ASCII.
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string mark(bool worked, bool color) {
  const std::string text = padded(worked ? "WORKED" : "stopped", 9);
  return color ? (worked ? "\x1b[31m" : "\x1b[32m") + text + "\x1b[0m" : text;
}

struct Show {
  bool color = ::isatty(STDOUT_FILENO) != 0;
  unsigned stopped = 0;
  unsigned leaked = 0;

  void row(const std::string& what, bool bare, bool jailed, const std::string& why) {
    stopped += bare && !jailed ? 1 : 0;
    leaked += jailed ? 1 : 0;
    print("  " + padded(printable(what, 46), 46) + "  " + mark(bare, color) + " " +
          mark(jailed, color) + " " + printable(why, 60) + "\n");
  }
};

void show_text(Show& show, const std::string& what, const std::string& bare,
               const std::string& jailed) {
  const std::size_t before = hidden_characters(bare);
  const std::size_t after = hidden_characters(jailed);
  show.row(what, before > 0, after > 0,
           std::to_string(before) + " hidden characters, " + std::to_string(after) + " left");
}

int show_audit(const DemoStage& stage) {
  const auto found = audit::verify(stage.audit_log(), "", stage.state_home() + "/calaboose/keys");
  if (!found.ok()) {
    return fail(found.error());
  }
  const bool intact = found->status == audit::Verification::Status::kIntact;
  print("\n  audit verify: " +
        std::string(intact ? "intact, " : "NOT intact: " + found->reason + ", ") +
        std::to_string(found->records) + " records\n");
  return intact ? 0 : exit_code_of(Errc::kInternal);
}

std::vector<std::string> jailed_command(const Context& context, const DemoStage& stage,
                                        const std::vector<std::string>& bare) {
  std::vector<std::string> argv{context.program_dir + "/calaboose",
                                "run",
                                "--name",
                                "demo",
                                "--audit",
                                stage.audit_log(),
                                "--"};
  argv.insert(argv.end(), bare.begin(), bare.end());
  return argv;
}

}  // namespace

int demo_command(const Context& context, const Args&) {
  auto stage = DemoStage::set_up();
  if (!stage.ok()) {
    return fail(stage.error());
  }
  std::vector<std::string> bare_argv{context.program_dir + "/calaboose-demo-server"};
  for (const std::string& argument : stage->server_arguments()) {
    bare_argv.push_back(argument);
  }
  const std::vector<std::string> env = stage->environment(context.facts.path);
  print(
      "A hostile MCP server, first started as hosts do it, then with \"calaboose run --\" in "
      "front.\n"
      "It reports truthfully what worked; the keys it finds are planted for this demo.\n\n");
  const auto bare = perform(bare_argv, env);
  if (!bare.ok()) {
    return fail(Error(bare.error()).in("the bare run"));
  }
  const bool rc_bare = stage->rc_file_was_changed();
  const auto jailed = perform(jailed_command(context, *stage, bare_argv), env);
  if (!jailed.ok()) {
    return fail(Error(jailed.error())
                    .in("the jailed run")
                    .with_hint("calaboose doctor tells what this machine lacks"));
  }
  const bool rc_jailed = stage->rc_file_was_changed();
  std::map<std::string, Report::Row> inside;
  for (const Report::Row& row : jailed->rows) {
    inside[row.what] = row;
  }
  Show show;
  print("  " + padded("what it tried", 46) + "  " + padded("bare", 9) + " " + padded("jailed", 9) +
        " in the jail\n");
  for (const Report::Row& row : bare->rows) {
    const auto it = inside.find(row.what);
    show.row(row.what, row.worked, it != inside.end() && it->second.worked,
             it != inside.end() ? it->second.detail : "");
  }
  show_text(show, "hide text in a tool's description", bare->description, jailed->description);
  show_text(show, "hide text and terminal codes in a result", bare->forecast, jailed->forecast);
  show.row("the user's shell start file was changed", rc_bare, rc_jailed, "looked at from outside");
  const int code = show_audit(*stage);
  print("\n  " + std::to_string(show.stopped) + " attacks that work bare were stopped; " +
        std::to_string(show.leaked) +
        " got through.\n  Next: calaboose tools -- node your-server.js\n");
  return code != 0 ? code : (show.leaked == 0 ? 0 : exit_code_of(Errc::kInternal));
}

}  // namespace calaboose::cli
