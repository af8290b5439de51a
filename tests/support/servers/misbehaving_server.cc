// SPDX-License-Identifier: Apache-2.0
// One program, many ways to misbehave: `misbehaving_server MODE`; `--list` names them. Unless its
// mode says otherwise it opens sessions in both eras, has a tool `echo`, and ends when stdin does.
// Place: tests/support/servers.
#include <algorithm>
#include <array>
#include <cstdio>

#include "server.h"

namespace {

using calaboose::misbehaving::Mode;
namespace modes = calaboose::misbehaving;

constexpr std::array kGroups = {modes::answer_modes, modes::content_modes,   modes::era_modes,
                                modes::flood_modes,  modes::lifecycle_modes, modes::request_modes};

const Mode* find_mode(std::string_view name) {
  for (const auto group : kGroups) {
    const auto modes = group();
    const auto found = std::find_if(modes.begin(), modes.end(),
                                    [name](const Mode& mode) { return mode.name == name; });
    if (found != modes.end()) {
      return &*found;
    }
  }
  return nullptr;
}

void list_modes(std::FILE* to) {
  for (const auto group : kGroups) {
    for (const Mode& mode : group()) {
      std::fprintf(to, "%-26.*s %.*s\n", static_cast<int>(mode.name.size()), mode.name.data(),
                   static_cast<int>(mode.what.size()), mode.what.data());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--list") {
    list_modes(stdout);
    return 0;
  }
  const Mode* mode = find_mode(name);
  if (mode == nullptr) {
    std::fputs("usage: misbehaving_server MODE\n", stderr);
    list_modes(stderr);
    return 2;
  }
  return mode->make()->run();
}
