// SPDX-License-Identifier: Apache-2.0
#include "policy/config/references.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

using Kind = ReferencePart::Kind;

constexpr std::array<std::string_view, 6> kBuiltIns{
    "workspaceFolder", "workspaceFolderBasename", "userHome", "cwd", "pathSeparator", "/"};

// Variables that tell where things are, never what opens them.
constexpr std::array<std::string_view, 16> kPublicVariables{"HOME",
                                                            "USER",
                                                            "LOGNAME",
                                                            "SHELL",
                                                            "TERM",
                                                            "LANG",
                                                            "PATH",
                                                            "PWD",
                                                            "TMPDIR",
                                                            "TZ",
                                                            "XDG_CONFIG_HOME",
                                                            "XDG_DATA_HOME",
                                                            "XDG_STATE_HOME",
                                                            "XDG_CACHE_HOME",
                                                            "LC_ALL",
                                                            "LC_CTYPE"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string quote(std::string_view text) {
  return "\"" + printable(text, 200) + "\"";
}

Error syntax_error(std::string what, std::string hint) {
  return Error(Errc::kInvalidConfig, std::move(what)).with_id("CB2015").with_hint(std::move(hint));
}

Result<ReferencePart> parse_one(std::string_view inside) {
  ReferencePart part;
  part.written = "${" + std::string(inside) + "}";
  if (contains(kBuiltIns, inside)) {
    part.kind = Kind::kBuiltIn;
    part.text = inside;
    return part;
  }
  const auto named = [&](std::string_view prefix, Kind kind) {
    if (!inside.starts_with(prefix) || inside.size() == prefix.size()) {
      return false;
    }
    part.kind = kind;
    part.text = inside.substr(prefix.size());
    return true;
  };
  if (named("env:", Kind::kEnvironment)) {
    if (check_env_name(part.text).none()) {
      return part;
    }
  } else if (named("file:", Kind::kFile)) {
    if (part.text[0] == '/' || part.text.starts_with("~/")) {
      return part;
    }
    return syntax_error("the file of " + quote(part.written) + " is not absolute",
                        "start it with \"/\" or \"~/\"");
  } else if (named("input:", Kind::kInput)) {
    return part;
  } else {
    const std::size_t fallback = inside.find(":-");
    part.kind = Kind::kEnvironment;
    part.text = inside.substr(0, fallback);
    if (fallback != std::string_view::npos) {
      part.fallback = std::string(inside.substr(fallback + 2));
    }
    if (check_env_name(part.text).none()) {
      return part;
    }
  }
  return syntax_error(
      quote(part.written) + " is no reference that is known here",
      "known are ${env:NAME}, ${NAME}, ${NAME:-default}, ${file:/path}, ${input:id}, "
      "${workspaceFolder}, ${userHome}; write $${ for a literal ${");
}

std::string built_in(std::string_view name, const Environment& environment) {
  if (name == "userHome") {
    return environment.home;
  }
  if (name == "pathSeparator" || name == "/") {
    return "/";
  }
  if (name == "workspaceFolderBasename") {
    return environment.cwd.substr(environment.cwd.rfind('/') + 1);
  }
  return environment.cwd;  // workspaceFolder, cwd
}

Error in_argument(const ReferencePart& part, std::string_view what) {
  return Error(Errc::kInvalidConfig, std::string(what) + " would put the value of " +
                                         quote(part.written) +
                                         " where every process of this machine can read it")
      .with_id("CB2016")
      .with_hint("give it to the server as a variable: \"env\": { \"NAME\": " +
                 quote(part.written) + " }");
}

Result<std::string> read_variable(const ReferencePart& part, std::string_view what,
                                  const Environment& environment) {
  const auto found = environment.variables.find(part.text);
  // As in a shell, the default also stands in for an empty value.
  const bool use_fallback =
      part.fallback && (found == environment.variables.end() || found->second.empty());
  if (use_fallback) {
    return *part.fallback;
  }
  if (found == environment.variables.end()) {
    const std::string name = printable(part.text, 256);
    return Error(Errc::kInvalidConfig,
                 "the variable " + name + ", which " + std::string(what) + " needs, is not set")
        .with_id("CB2020")
        .with_hint("set " + name +
                   " in the environment that starts calaboose, or give a default: ${" + name +
                   ":-…}");
  }
  if (found->second.find('\0') != std::string::npos || found->second.size() > kMaxArgumentBytes) {
    return Error(Errc::kInvalidConfig, "the value of the variable " + printable(part.text, 256) +
                                           ", which " + std::string(what) +
                                           " needs, cannot be given to a program")
        .with_id("CB2020");
  }
  return found->second;
}

Result<std::string> read_secret_file(const ReferencePart& part, std::string_view what,
                                     const Environment& environment) {
  std::string path = part.text;
  if (path.starts_with("~/")) {
    path = environment.home + path.substr(1);
  }
  const auto fail = [&](const std::string& why, const std::string& hint) {
    return Error(Errc::kInvalidConfig,
                 "the file " + quote(path) + ", which " + std::string(what) + " needs, " + why)
        .with_id("CB2021")
        .with_hint(hint);
  };
  if (!environment.read_file) {
    return fail("cannot be read here", "");
  }
  Result<std::string> text = environment.read_file(path);
  if (!text.ok()) {
    return fail("cannot be read: " + printable(text.error().what()), text.error().hint());
  }
  std::string value = std::move(*text);
  if (value.size() > kMaxSecretFileBytes) {
    return fail("has more than " + std::to_string(kMaxSecretFileBytes) + " bytes", "");
  }
  if (value.find('\0') != std::string::npos) {
    return fail("holds a NUL byte", "a variable cannot hold one");
  }
  if (value.ends_with('\n')) {
    value.pop_back();
    if (value.ends_with('\r')) {
      value.pop_back();
    }
  }
  return value;
}

Error input_error(const ReferencePart& part, std::string_view what,
                  const std::vector<InputDeclaration>& inputs) {
  std::string about;
  for (const InputDeclaration& input : inputs) {
    if (input.id == part.text && !input.description.empty()) {
      about = " (" + quote(input.description) + ")";
    }
  }
  return Error(Errc::kInvalidConfig, std::string(what) + " asks the host for the input " +
                                         quote(part.text) + about + ", and there is no host to ask")
      .with_id("CB2022")
      .with_hint(
          "put the value into a variable and say --env NAME, or write ${env:NAME} or ${file:/path} "
          "instead");
}

}  // namespace

Result<std::vector<ReferencePart>> parse_references(std::string_view text) {
  std::vector<ReferencePart> parts;
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) {
      parts.push_back({Kind::kLiteral, std::exchange(literal, {}), std::nullopt, {}});
    }
  };
  std::size_t i = 0;
  while (i < text.size()) {
    if (text.substr(i, 3) == "$${") {
      literal += "${";
      i += 3;
    } else if (text.substr(i, 2) == "${") {
      const std::size_t close = text.find('}', i);
      if (close == std::string_view::npos) {
        return syntax_error("\"${\" without its \"}\"", "write $${ for a literal ${");
      }
      CALABOOSE_TRY(ReferencePart part, parse_one(text.substr(i + 2, close - i - 2)));
      flush();
      parts.push_back(std::move(part));
      i = close + 1;
    } else {
      literal += text[i++];
    }
  }
  flush();
  return parts;
}

bool reads_something(const ReferencePart& part) {
  return part.kind != Kind::kLiteral && part.kind != Kind::kBuiltIn;
}

const ReferencePart* first_reading(const std::vector<ReferencePart>& parts) {
  const auto found = std::find_if(parts.begin(), parts.end(), reads_something);
  return found == parts.end() ? nullptr : &*found;
}

Result<Expanded> expand(std::string_view text, Use use, std::string_view what,
                        const Environment& environment,
                        const std::vector<InputDeclaration>& inputs) {
  CALABOOSE_TRY(const std::vector<ReferencePart> parts, parse_references(text));
  Expanded out;
  for (const ReferencePart& part : parts) {
    const bool is_public =
        part.kind == Kind::kLiteral || part.kind == Kind::kBuiltIn ||
        (part.kind == Kind::kEnvironment && contains(kPublicVariables, part.text));
    if (!is_public &&
        (use == Use::kArgument || (use == Use::kPath && part.kind != Kind::kEnvironment))) {
      return in_argument(part, what);
    }
    out.is_secret = out.is_secret || !is_public;
    switch (part.kind) {
      case Kind::kLiteral:
        out.value += part.text;
        break;
      case Kind::kBuiltIn:
        out.value += built_in(part.text, environment);
        break;
      case Kind::kEnvironment: {
        CALABOOSE_TRY(const std::string value, read_variable(part, what, environment));
        out.value += value;
        break;
      }
      case Kind::kFile: {
        CALABOOSE_TRY(const std::string value, read_secret_file(part, what, environment));
        out.value += value;
        break;
      }
      case Kind::kInput:
        return input_error(part, what, inputs);
    }
  }
  return out;
}

}  // namespace calaboose::policy
