// SPDX-License-Identifier: Apache-2.0
// The option grammars of node and python, as far as they decide which word is the script.
// Place: runner/plan. Pure.
#include "runner/plan/arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace calaboose::plan {
namespace {

/// node options whose value may be the next word. (V8's own options take theirs only after "=".)
constexpr std::array<std::string_view, 47> kNodeValueOptions = {"-r",
                                                                "--require",
                                                                "--import",
                                                                "--loader",
                                                                "--experimental-loader",
                                                                "-C",
                                                                "--conditions",
                                                                "--env-file",
                                                                "--env-file-if-exists",
                                                                "--input-type",
                                                                "--title",
                                                                "--icu-data-dir",
                                                                "--dns-result-order",
                                                                "--redirect-warnings",
                                                                "--diagnostic-dir",
                                                                "--disable-warning",
                                                                "--unhandled-rejections",
                                                                "--watch-path",
                                                                "--heapsnapshot-signal",
                                                                "--heapsnapshot-near-heap-limit",
                                                                "--max-http-header-size",
                                                                "--openssl-config",
                                                                "--report-dir",
                                                                "--report-directory",
                                                                "--report-filename",
                                                                "--report-signal",
                                                                "--secure-heap",
                                                                "--secure-heap-min",
                                                                "--security-revert",
                                                                "--tls-cipher-list",
                                                                "--tls-keylog",
                                                                "--trace-event-categories",
                                                                "--trace-event-file-pattern",
                                                                "--trace-require-module",
                                                                "--inspect-port",
                                                                "--debug-port",
                                                                "--inspect-publish-uid",
                                                                "--experimental-default-type",
                                                                "--es-module-specifier-resolution",
                                                                "--cpu-prof-dir",
                                                                "--cpu-prof-name",
                                                                "--cpu-prof-interval",
                                                                "--heap-prof-dir",
                                                                "--heap-prof-name",
                                                                "--heap-prof-interval",
                                                                "--localstorage-file",
                                                                "--experimental-config-file"};

bool takes_value(std::string_view option) {
  return std::find(kNodeValueOptions.begin(), kNodeValueOptions.end(), option) !=
         kNodeValueOptions.end();
}

/// Options after which no word is a script: code, or the question for a version.
bool ends_node_options(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kEnds = {
      "-e",        "--eval", "-p",     "--print",      "-pe",   "-v",
      "--version", "-h",     "--help", "--v8-options", "--run", "--completion-bash"};
  return std::find(kEnds.begin(), kEnds.end(), word) != kEnds.end() ||
         word.substr(0, 7) == "--eval=" || word.substr(0, 8) == "--print=" ||
         word.substr(0, 6) == "--run=";
}

ScriptArgument node_script(const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (word == "--") {
      return {i + 1 < argv.size() ? std::optional<std::size_t>(i + 1) : std::nullopt, ""};
    }
    if (word == "-" || ends_node_options(word)) {
      return {};
    }
    if (word.empty() || word.front() != '-') {
      const bool subcommand = i == 1 && (word == "inspect" || word == "run");
      if (!subcommand) {
        return {i, ""};
      }
      continue;
    }
    if (takes_value(word)) {
      ++i;
    }
  }
  return {};
}

/// One word of short options ("-IsE", "-Wignore", "-mfoo"). Sets `value_follows` if its last option
/// takes the next word; returns the letter c or m if that ends the options, else 0.
char python_short(const std::string& word, std::string& rest, bool& value_follows) {
  for (std::size_t k = 1; k < word.size(); ++k) {
    const char letter = word[k];
    rest = word.substr(k + 1);
    if (letter == 'c' || letter == 'm') {
      return letter;
    }
    if (letter == 'W' || letter == 'X' || letter == 'Q') {
      value_follows = rest.empty();
      return 0;
    }
  }
  return 0;
}

ScriptArgument python_script(const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    if (word == "-" || word.empty()) {
      return {};
    }
    if (word.front() != '-') {
      return {i, ""};
    }
    if (word == "--") {
      return {i + 1 < argv.size() ? std::optional<std::size_t>(i + 1) : std::nullopt, ""};
    }
    if (word.substr(0, 2) == "--") {
      if (word == "--check-hash-based-pycs") {
        ++i;
      }
      continue;
    }
    std::string rest;
    bool value_follows = false;
    const char end = python_short(word, rest, value_follows);
    if (end == 'm') {
      const std::string module = !rest.empty() ? rest : i + 1 < argv.size() ? argv[i + 1] : "";
      return {std::nullopt, module};
    }
    if (end == 'c') {
      return {};
    }
    if (value_follows) {
      ++i;
    }
  }
  return {};
}

}  // namespace

ScriptArgument find_script(Runtime runtime, const std::vector<std::string>& argv) {
  switch (runtime) {
    case Runtime::kNode:
      return node_script(argv);
    case Runtime::kPython:
      return python_script(argv);
    case Runtime::kNone:
      break;
  }
  return {};
}

}  // namespace calaboose::plan
