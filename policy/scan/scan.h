// SPDX-License-Identifier: Apache-2.0
// Looks at every text that a server (or a host) says, by surface, and rewrites what policy forbids.
// Place: policy/scan; a fixed stage in runner/gateway, optional for library users. Pure: (rules,
// message) -> outcome.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace calaboose::policy {

/// Where a text stands. The closed, documented list (docs/rules.md); names as in `--surface` and in
/// findings.
enum class Surface : std::uint8_t {
  kResultText,
  kResultStructured,
  kResultResource,
  kResultMeta,
  kToolName,
  kToolTitle,
  kToolDescription,
  kToolParamDescription,
  kToolSchema,
  kToolAnnotations,
  kToolMeta,
  kPromptName,
  kPromptDescription,
  kPromptText,
  kResourceName,
  kResourceDescription,
  kResourceUri,
  kResourceText,
  kInstructions,
  kServerInfo,
  kErrorMessage,
  kErrorData,
  kLogData,
  kProgressMessage,
  kElicitationMessage,
  kCompletion,
  kArgument,  // what the host sends: tool arguments, prompt arguments
  kOpaque,    // cursors, ids, requestState, base64: never rewritten
  kOther,     // unknown fields
  kToolParamName,
  kToolParamDefault,
  kToolParamEnum,
  kToolIcon,
  kResultLink,
  kPromptArgumentDescription,
  kServerName,
  kStderr,
};

std::string_view surface_name(Surface surface);  // "result.text", "tool.description", …
/// The surface with this name; an unknown name is kOther and `known` false. Takes the aliases of
/// docs/rules.md too.
Surface surface_by_name(std::string_view name, bool& known);

/// Strongest last.
enum class Action : std::uint8_t { kAllow, kFlag, kStrip, kRedact, kBlock };
std::string_view action_name(Action action);  // "allow", "flag", "strip", "redact", "block"

/// One rewrite or report; never holds the payload (design 7.4).
struct Finding {
  std::string rule;  // "characters/tags", …
  Surface surface = Surface::kOther;
  std::string pointer;  // JSON pointer from the message's root
  Action action = Action::kAllow;
  std::uint32_t count = 1;  // characters or matches
};

/// Which message a text belongs to: decides the surfaces.
struct MessageContext {
  enum class Role : std::uint8_t { kRequest, kResult, kError, kNotification };
  Role role = Role::kResult;
  std::string_view
      method;  // of the request that a result or error answers, or of the message itself
  bool from_server = true;
};

struct ScanResult {
  Action strongest = Action::kAllow;
  std::vector<Finding> findings;  // at most kMaxFindings, the rest is counted in the last one
  bool changed = false;
  std::string text;  // changed: the whole message anew, minified; else empty
};

inline constexpr std::size_t kMaxFindings = 64;

/// Immutable; const methods may be called from several threads.
class Scanner {
 public:
  struct Options {
    bool characters = true;  // control and escape sequences, invisible and bidirectional characters
    bool strip = true;       // false: observe only (findings, no rewrite)
  };

  Scanner() = default;

  explicit Scanner(Options options) : options_(options) {}

  /// Walks every string leaf (values and member names) of one JSON-RPC message. What the host says
  /// (kArgument) and kOpaque leaves are never rewritten; the former is reported as kFlag. Cost
  /// linear in the message; a message without findings allocates nothing (but for text with
  /// bidirectional embeddings or isolates, and names or texts that the sender spelled with \\u
  /// escapes of invisible characters).
  ScanResult scan(const MessageContext& context, json::Value message) const;

  /// One decoded text of one surface: `check text`. For kResultStructured and kErrorData a text
  /// that is JSON is walked as JSON and stays JSON. Invalid UTF-8 becomes U+FFFD.
  struct TextResult {
    Action strongest = Action::kAllow;
    std::string output;
    std::vector<Finding> findings;
  };

  TextResult scan_text(Surface surface, std::string_view text) const;

 private:
  Options options_;
};

/// The findings as a JSON array of {"rule","surface","pointer","action","count"} for
/// `_meta["calaboose/findings"]` (design 7.4).
std::string findings_json(const std::vector<Finding>& findings);

}  // namespace calaboose::policy
