// SPDX-License-Identifier: Apache-2.0
#include "runner/cli/args.h"

#include <algorithm>

#include "base/suggest.h"
#include "base/text.h"

namespace calaboose::cli {
namespace {

Error usage(std::string what, std::string hint) {
  return Error(Errc::kUsage, std::move(what)).with_id("CB1001").with_hint(std::move(hint));
}

const OptionSpec* find_option(const CommandSpec& command, std::string_view name) {
  const auto in = [&](std::span<const OptionSpec> list) -> const OptionSpec* {
    const auto it =
        std::find_if(list.begin(), list.end(), [&](const OptionSpec& o) { return o.name == name; });
    return it == list.end() ? nullptr : &*it;
  };
  if (const OptionSpec* found = in(command.options)) {
    return found;
  }
  if (command.target == Target::kServer) {
    if (const OptionSpec* found = in(target_options())) {
      return found;
    }
  }
  return in(common_options());
}

std::vector<std::string_view> option_names(const CommandSpec& command) {
  std::vector<std::string_view> names;
  const auto add = [&](std::span<const OptionSpec> list) {
    for (const OptionSpec& option : list) {
      names.push_back(option.name);
    }
  };
  add(command.options);
  if (command.target == Target::kServer) {
    add(target_options());
  }
  add(common_options());
  return names;
}

std::string see_help(std::string_view command) {
  return "see: calaboose " + std::string(command) + (command.empty() ? "--help" : " --help");
}

// Longest match first: "audit verify" before "audit".
const CommandSpec* find_command(const std::vector<std::string>& words, std::size_t& used) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
    if (words.size() < count) {
      continue;
    }
    std::string name = words[0];
    if (count == 2) {
      name += " " + words[1];
    }
    for (const CommandSpec& command : commands()) {
      if (command.name == name) {
        used = count;
        return &command;
      }
    }
  }
  return nullptr;
}

Error unknown_command(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  std::string subcommands;
  for (const CommandSpec& command : commands()) {
    names.push_back(command.name);
    if (command.name.starts_with(words[0] + " ")) {
      subcommands += (subcommands.empty() ? "" : ", ") + std::string(command.name);
    }
  }
  if (!subcommands.empty()) {
    return usage("\"" + printable(words[0], 60) + "\" needs one more word",
                 "one of: " + subcommands);
  }
  const std::string suggestion = did_you_mean(words[0], names);
  return usage("unknown command \"" + printable(words[0], 60) + "\"",
               suggestion.empty()
                   ? "see: calaboose --help (a server's command goes after: calaboose run --)"
                   : suggestion);
}

Result<void> take_option(Args& args, const std::vector<std::string>& words, std::size_t& i) {
  const std::string& word = words[i];
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const OptionSpec* option = find_option(*args.command, name);
  if (option == nullptr) {
    const std::string suggestion = did_you_mean(name, option_names(*args.command));
    return usage("unknown option \"" + printable(name, 60) + "\" for \"" +
                     std::string(args.command->name) + "\"",
                 suggestion.empty() ? see_help(args.command->name) : suggestion);
  }
  std::string value;
  if (option->value.empty()) {
    if (equals != std::string::npos) {
      return usage(name + " takes no value", see_help(args.command->name));
    }
  } else if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else {
    if (i + 1 >= words.size() || words[i + 1] == "--") {
      return usage(name + " needs a value: " + name + " " + std::string(option->value),
                   see_help(args.command->name));
    }
    value = words[++i];
  }
  if (!option->choices.empty()) {
    const std::string list = "|" + std::string(option->choices) + "|";
    if (value.empty() || list.find("|" + value + "|") == std::string::npos) {
      return usage(name + " does not take \"" + printable(value, 60) + "\"",
                   "one of: " + std::string(option->choices));
    }
  }
  auto& values = args.options[name];
  if (!values.empty() && !option->repeatable) {
    return usage(name + " is given twice", see_help(args.command->name));
  }
  values.push_back(value);
  return {};
}

Result<void> check_counts(const Args& args) {
  const CommandSpec& command = *args.command;
  const std::string form =
      "form: calaboose " + std::string(command.name) + " " + std::string(command.arguments) +
      (command.target == Target::kServer ? " [OPTIONS] -- COMMAND [ARG…]" : "");
  if (args.positionals.size() < command.min_arguments) {
    return usage("\"" + std::string(command.name) + "\" needs more arguments", form);
  }
  if (args.positionals.size() > command.max_arguments) {
    const std::string& extra = args.positionals[command.max_arguments];
    return usage("\"" + printable(extra, 60) + "\" is one argument too many",
                 command.target == Target::kServer
                     ? "put -- before the server's command: calaboose " +
                           std::string(command.name) + " … -- COMMAND [ARG…]"
                     : form);
  }
  if (args.has_separator && command.target != Target::kServer) {
    return usage("\"" + std::string(command.name) + "\" takes no server command",
                 see_help(command.name));
  }
  if (args.has_separator && args.server_command.empty()) {
    return usage("there is no command after --",
                 "for example: calaboose " + std::string(command.name) + " -- node server.js");
  }
  return {};
}

void append_options(std::string& out, std::span<const OptionSpec> options) {
  for (const OptionSpec& option : options) {
    std::string left = "  " + std::string(option.name) +
                       (option.value.empty() ? "" : " " + std::string(option.value));
    if (left.size() < 28) {
      left.append(28 - left.size(), ' ');
    } else {
      left += "  ";
    }
    out += left + std::string(option.help) + "\n";
  }
}

}  // namespace

std::optional<std::string> Args::one(std::string_view name) const {
  const auto it = options.find(name);
  return it == options.end() ? std::nullopt : std::optional(it->second.front());
}

std::vector<std::string> Args::all(std::string_view name) const {
  const auto it = options.find(name);
  return it == options.end() ? std::vector<std::string>() : it->second;
}

Result<Args> parse_args(const std::vector<std::string>& words) {
  Args args;
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    args.help = true;
    if (words.size() > 1) {
      std::size_t used = 0;
      const std::vector<std::string> rest(words.begin() + 1, words.end());
      args.command = find_command(rest, used);
      if (args.command == nullptr) {
        return unknown_command(rest);
      }
    }
    return args;
  }
  if (words[0] == "--version") {
    return parse_args({"version"});
  }
  std::size_t used = 0;
  args.command = find_command(words, used);
  if (args.command == nullptr) {
    return unknown_command(words);
  }
  for (std::size_t i = used; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      args.has_separator = true;
      args.server_command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "--help" || word == "-h") {
      args.help = true;
      return args;
    }
    if (word.size() > 1 && word.starts_with('-')) {
      CALABOOSE_CHECK(take_option(args, words, i));
    } else {
      args.positionals.push_back(word);
    }
  }
  CALABOOSE_CHECK(check_counts(args));
  return args;
}

std::string help_text() {
  std::string out =
      "Calaboose runs an MCP server that you do not trust in a jail: no files, keys, network or "
      "processes of\n"
      "yours unless you grant them, everything it says searched, everything recorded.\n\n"
      "  calaboose run -- node server.js            serve a jailed server on stdin/stdout (for "
      "your agent's configuration)\n"
      "  calaboose tools -- node server.js          what does it offer?\n"
      "  calaboose call echo '{\"message\":\"hi\"}' -- node server.js\n"
      "  calaboose demo                             see what a jail stops\n";
  std::string_view group;
  for (const CommandSpec& command : commands()) {
    if (command.group != group) {
      group = command.group;
      out += "\n" + std::string(group) + ":\n";
    }
    std::string left = "  " + std::string(command.name);
    if (!command.arguments.empty()) {
      left += " " + std::string(command.arguments);
    }
    left.append(left.size() < 34 ? 34 - left.size() : 1, ' ');
    out += left + std::string(command.summary) + "\n";
  }
  out +=
      "\ncalaboose COMMAND --help tells more. Exit codes: 0 done, 1 internal, 2 usage, 3 no, 4 "
      "cannot enforce,\n"
      "5 server failed, 6 timeout, 7 authorization, 127 command not found.\n";
  return out;
}

std::string help_text(const CommandSpec& command) {
  std::string out = "calaboose " + std::string(command.name);
  if (!command.arguments.empty()) {
    out += " " + std::string(command.arguments);
  }
  out += command.target == Target::kServer ? " [OPTIONS] -- COMMAND [ARG…]\n" : " [OPTIONS]\n";
  out += "\n" + std::string(command.summary) + ".\n";
  if (!command.details.empty()) {
    out += "\n" + std::string(command.details) + "\n";
  }
  if (!command.options.empty()) {
    out += "\nOptions:\n";
    append_options(out, command.options);
  }
  if (command.target == Target::kServer) {
    out += "\nThe server and its jail:\n";
    append_options(out, target_options());
  }
  out += "\nCommon:\n";
  append_options(out, common_options());
  return out;
}

}  // namespace calaboose::cli
