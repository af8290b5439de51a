// SPDX-License-Identifier: Apache-2.0
// `version`.
#include "runner/cli/version.h"

#include "base/json/write.h"
#include "runner/cli/command.h"

namespace calaboose::cli {

int version_command(const Context& context, const Args& args) {
  constexpr std::string_view kRevisions =
      "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28";
  if (context.json(args)) {
    std::string out;
    json::ObjectWriter writer(out);
    writer.string("version", kVersion).string("protocolRevisions", kRevisions);
    writer.integer("landlockAbi", context.facts.landlock_abi);
    writer.close();
    print(out + "\n");
    return 0;
  }
  print("calaboose " + std::string(kVersion) + "\nMCP revisions: " + std::string(kRevisions) +
        "\nLandlock ABI of this kernel: " + std::to_string(context.facts.landlock_abi) + "\n");
  return 0;
}

}  // namespace calaboose::cli
