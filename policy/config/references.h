// SPDX-License-Identifier: Apache-2.0
// ${…} in configuration texts: what it refers to, and following it.
// Place: policy/config; syntax at load, values in resolve_server. Pure.
//
//   ${workspaceFolder} ${workspaceFolderBasename} ${userHome} ${cwd} ${pathSeparator} ${/} built in
//   ${env:NAME}  ${NAME}  ${NAME:-default}                                                     the
//   caller's environment
//   ${file:/path}                                                                              a
//   small file
//   ${input:id}                                                                                a
//   host's question
//   $${text}                                                                                   the
//   text ${text} itself
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/config/config.h"
#include "policy/config/resolve.h"

namespace calaboose::policy {

struct ReferencePart {
  enum class Kind : std::uint8_t { kLiteral, kBuiltIn, kEnvironment, kFile, kInput };
  Kind kind = Kind::kLiteral;
  std::string text;                     // the literal, or the name, path or id
  std::optional<std::string> fallback;  // ${NAME:-default}
  std::string written;                  // as in the text, with ${ and }
};

/// Errors  kInvalidConfig, CB2015: no closing brace, an unknown form.
Result<std::vector<ReferencePart>> parse_references(std::string_view text);

/// True if it reads something of the user's: environment, file, input.
bool reads_something(const ReferencePart& part);

/// The first reference that reads something of the user's (environment, file, input), or null.
const ReferencePart* first_reading(const std::vector<ReferencePart>& parts);

/// Where the value goes decides what may be read.
enum class Use : std::uint8_t {
  kEnvironment,  // of the server: everything
  kArgument,     // argv is visible to every process: nothing that may be secret (J56)
  kPath,         // variables, but no file or input
};

struct Expanded {
  std::string value;
  bool is_secret = false;  // holds something that was read and may be secret
};

/// `what` names the place for messages: `env.TOKEN of server "tickets"`.
/// Errors  CB2016 a secret where none may stand; CB2020 a variable that is not set; CB2021 a file
/// that cannot be read;
///         CB2022 an input. None carries a value.
Result<Expanded> expand(std::string_view text, Use use, std::string_view what,
                        const Environment& environment,
                        const std::vector<InputDeclaration>& inputs);

}  // namespace calaboose::policy
