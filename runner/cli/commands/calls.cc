// SPDX-License-Identifier: Apache-2.0
// `call`, `read`, `prompt`: one request, its answer printed.
#include <unistd.h>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/cli/one_shot.h"

namespace calaboose::cli {
namespace {

constexpr std::size_t kMaxStdin = 16U << 20U;

using Answer = gateway::LocalHost::Answer;

// A terminal gets what a terminal may get; a pipe gets the text as policy let it through.
std::string for_stdout(const std::string& text) {
  return ::isatty(STDOUT_FILENO) != 0 ? printable_block(text, text.size() * 2 + 16) : text;
}

std::string with_newline(std::string text) {
  if (!text.empty() && text.back() != '\n') {
    text += '\n';
  }
  return text;
}

// What stands for a content block in plain text.
std::string block_text(json::Value block) {
  if (block.find("type").string_equals("text")) {
    return block.find("text").string_or("");
  }
  if (const json::Value text = block.at("resource", "text"); text.is_string()) {
    return text.string_or("");
  }
  if (const json::Value uri = block.find("uri"); uri.is_string()) {
    return "[" + block.find("type").string_or("link") + " " + uri.string_or("") + "]";
  }
  return "[" + block.find("type").string_or("content") + ", " +
         block.find("mimeType").string_or(block.at("resource", "mimeType").string_or("binary")) +
         ": use --json]";
}

std::string contents_text(json::Value list) {
  std::string out;
  list.each_element([&](json::Value block) { out += with_newline(block_text(block)); });
  return out;
}

Result<std::string> arguments_of(const Args& args) {
  if (args.positionals.size() > 1 && args.has("--arg")) {
    return Error(Errc::kUsage, "arguments are given both as JSON and with --arg")
        .with_hint("use one of them");
  }
  std::string text = args.positionals.size() > 1 ? args.positionals[1] : "";
  if (text == "-") {
    CALABOOSE_TRY(text, read_file("/dev/stdin", kMaxStdin));
  }
  if (!text.empty()) {
    json::Tape tape;
    if (!tape.parse(text) || !tape.root().is_object()) {
      return Error(Errc::kUsage,
                   "the tool's arguments are not a JSON object: " +
                       (tape.empty() ? tape.error().what : std::string("some other value")))
          .with_hint("for example: calaboose call TOOL '{\"message\":\"hi\"}' -- COMMAND");
    }
    return json::minified(tape.root());
  }
  std::string out;
  json::ObjectWriter writer(out);
  std::string seen = "\n";
  for (const std::string& pair : args.all("--arg")) {
    const std::size_t equals = pair.find('=');
    const std::string name = pair.substr(0, equals);
    if (equals == std::string::npos || equals == 0 || !is_valid_utf8(pair)) {
      return Error(Errc::kUsage, "--arg takes NAME=VALUE, not \"" + printable(pair, 80) + "\"");
    }
    if (seen.find("\n" + name + "\n") != std::string::npos) {
      return Error(Errc::kUsage, "--arg " + printable(name, 80) + " is given twice");
    }
    seen += name + "\n";
    const std::string value = pair.substr(equals + 1);
    json::Tape tape;
    writer.raw(name, tape.parse(value) ? json::minified(tape.root()) : json::quoted(value));
  }
  writer.close();
  return out;
}

// Prints a result: the whole document with --json, else the text that `text_of` makes of it. False
// when the command has ended with a failure instead.
template <class TextOf>
bool show(OneShot& shot, const Result<Answer>& answer, std::string_view method, json::Tape& tape,
          TextOf text_of) {
  if (shot.failed(answer, method)) {
    return false;
  }
  if (!tape.parse(answer->json)) {
    shot.finish(fail(Error(Errc::kInternal, "the result cannot be read again")));
    return false;
  }
  print(shot.json() ? answer->json + "\n" : for_stdout(text_of(tape.root())));
  return true;
}

std::string call_text(json::Value result) {
  std::string text = contents_text(result.find("content"));
  if (text.empty() && result.find("structuredContent").exists()) {
    text = std::string(result.find("structuredContent").raw()) + "\n";
  }
  return text;
}

std::string read_text(json::Value result) {
  std::string out;
  result.find("contents").each_element([&](json::Value content) {
    out +=
        content.find("text").is_string()
            ? content.find("text").string_or("")
            : "[binary, " + content.find("mimeType").string_or("unknown type") + ": use --json]\n";
  });
  return with_newline(out);
}

std::string prompt_text(json::Value result) {
  std::string out;
  result.find("messages").each_element([&](json::Value message) {
    out += message.find("role").string_or("?") + ": " +
           with_newline(block_text(message.find("content")));
  });
  return out;
}

void show_call(OneShot& shot, const Result<Answer>& answer) {
  json::Tape tape;
  if (!show(shot, answer, "tools/call", tape, call_text)) {
    return;
  }
  if (tape.root().find("isError").boolean().value_or(false)) {
    const bool denied = tape.root().at("_meta", "calaboose/decision").exists();
    complain(denied ? "calaboose: the call was refused\n"
                    : "calaboose: the tool reported an error\n");
    shot.finish(denied ? 3 : 5);
    return;
  }
  shot.finish(0);
}

void show_read(OneShot& shot, const Result<Answer>& answer) {
  json::Tape tape;
  if (show(shot, answer, "resources/read", tape, read_text)) {
    shot.finish(0);
  }
}

void show_prompt(OneShot& shot, const Result<Answer>& answer) {
  json::Tape tape;
  if (show(shot, answer, "prompts/get", tape, prompt_text)) {
    shot.finish(0);
  }
}

}  // namespace

int call_command(const Context& context, const Args& args) {
  const auto arguments = arguments_of(args);
  if (!arguments.ok()) {
    return fail(arguments.error());
  }
  if (!is_valid_utf8(args.positionals[0])) {
    return fail(Error(Errc::kUsage, "the tool's name is not UTF-8"));
  }
  OneShot shot(context, args);
  const std::string params =
      "{\"name\":" + json::quoted(args.positionals[0]) + ",\"arguments\":" + *arguments + "}";
  return shot.execute([&](OneShot&) {
    shot.request("tools/call", params,
                 [&](const Result<Answer>& answer) { show_call(shot, answer); });
  });
}

int read_command(const Context& context, const Args& args) {
  if (!is_valid_utf8(args.positionals[0])) {
    return fail(Error(Errc::kUsage, "the URI is not UTF-8"));
  }
  OneShot shot(context, args);
  const std::string params = "{\"uri\":" + json::quoted(args.positionals[0]) + "}";
  return shot.execute([&](OneShot&) {
    shot.request("resources/read", params,
                 [&](const Result<Answer>& answer) { show_read(shot, answer); });
  });
}

int prompt_command(const Context& context, const Args& args) {
  std::string arguments;
  json::ObjectWriter writer(arguments);
  for (std::size_t i = 0; i < args.positionals.size(); ++i) {
    const std::string& pair = args.positionals[i];
    const std::size_t equals = pair.find('=');
    if (!is_valid_utf8(pair) || (i > 0 && (equals == std::string::npos || equals == 0))) {
      return fail(Error(Errc::kUsage,
                        "a prompt's arguments are KEY=VALUE, not \"" + printable(pair, 80) + "\""));
    }
    if (i > 0) {
      writer.string(pair.substr(0, equals), pair.substr(equals + 1));
    }
  }
  writer.close();
  OneShot shot(context, args);
  const std::string params =
      "{\"name\":" + json::quoted(args.positionals[0]) + ",\"arguments\":" + arguments + "}";
  return shot.execute([&](OneShot&) {
    shot.request("prompts/get", params,
                 [&](const Result<Answer>& answer) { show_prompt(shot, answer); });
  });
}

}  // namespace calaboose::cli
