// SPDX-License-Identifier: Apache-2.0
// Any text and any message through the character rules: idempotent, never longer, still JSON,
// nothing odd left. The first byte chooses what the rest is: a text of one surface, or a message of
// one kind.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/text.h"
#include "policy/scan/scan.h"

namespace {

using calaboose::json::Tape;
using calaboose::policy::Action;
using calaboose::policy::MessageContext;
using calaboose::policy::Scanner;
using calaboose::policy::ScanResult;
using calaboose::policy::Surface;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void check_text(Surface surface, std::string_view text) {
  const Scanner scanner;
  const Scanner::TextResult once = scanner.scan_text(surface, text);
  const bool fixed = surface == Surface::kOpaque || surface == Surface::kArgument;
  if (fixed || once.findings.empty()) {
    require(once.output == text);
  }
  require(once.findings.empty() == (once.strongest == Action::kAllow));
  require(once.findings.size() <= calaboose::policy::kMaxFindings);
  if (fixed) {
    return;
  }
  const bool json_shaped = surface == Surface::kResultStructured || surface == Surface::kErrorData;
  if (calaboose::is_valid_utf8(text) && !json_shaped) {
    require(once.output.size() <= text.size());
  }
  require(calaboose::is_valid_utf8(once.output));
  const Scanner::TextResult twice = scanner.scan_text(surface, once.output);
  // A text that becomes JSON by losing a control is looked at as JSON the second time.
  require(json_shaped || (twice.output == once.output && twice.findings.empty()));
  if (!json_shaped) {
    require(once.output.find('\x1b') == std::string::npos);
  }
}

void check_message(const MessageContext& context, std::string_view text) {
  Tape tape;
  if (!tape.parse(text)) {
    return;
  }
  const Scanner scanner;
  const ScanResult once = scanner.scan(context, tape.root());
  require(once.findings.empty() == (once.strongest == Action::kAllow));
  require(once.findings.size() <= calaboose::policy::kMaxFindings);
  Tape findings;
  require(findings.parse(calaboose::policy::findings_json(once.findings)));
  if (!once.changed) {
    require(once.text.empty() && once.strongest <= Action::kFlag);
    return;
  }
  require(context.from_server && once.strongest == Action::kStrip);
  Tape again;
  require(again.parse(once.text));  // no duplicate names either
  require(again.tokens().size() == tape.tokens().size());
  for (std::size_t i = 0; i < tape.tokens().size(); ++i) {
    require(again.tokens()[i].kind == tape.tokens()[i].kind);
  }
  const ScanResult twice = scanner.scan(context, again.root());
  require(!twice.changed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const unsigned choice = data[0];
  constexpr unsigned kSurfaces = static_cast<unsigned>(Surface::kStderr) + 1;
  if (choice < 128) {
    check_text(static_cast<Surface>(choice % kSurfaces), text);
    return 0;
  }
  constexpr std::string_view kMethods[] = {"tools/call", "tools/list", "notifications/progress",
                                           "sampling/createMessage"};
  const MessageContext context{static_cast<MessageContext::Role>(choice % 4),
                               kMethods[choice / 4 % 4], choice / 16 % 4 != 0};
  check_message(context, text);
  return 0;
}
