// SPDX-License-Identifier: Apache-2.0
// `doctor`: what this machine can enforce.
#include "runner/host/doctor.h"

#include <sys/prctl.h>

#include "runner/cli/command.h"
#include "runner/cli/version.h"

namespace calaboose::cli {

int doctor_command(const Context& context, const Args& args) {
  // The probes' children write their own id maps, which a process that hides its memory may not do.
  // There is no secret in this command to hide.
  ::prctl(PR_SET_DUMPABLE, 1);
  host::ProbeOptions options;
  options.helper_path = context.program_dir + "/calaboose-jail";
  const auto probes = host::probe_all(options, *context.facts.files);
  print(context.json(args) ? host::render_json(probes, std::string(kVersion)) + "\n"
                           : host::render_text(probes));
  return host::full_possible(probes) ? 0 : exit_code_of(Errc::kCannotEnforce);
}

}  // namespace calaboose::cli
