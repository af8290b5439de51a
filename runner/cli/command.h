// SPDX-License-Identifier: Apache-2.0
// The commands: each takes the checked arguments and returns the process's exit code.
// Place: runner/cli/commands.
#pragma once

#include "runner/cli/args.h"
#include "runner/cli/context.h"

namespace calaboose::cli {

int run_command(const Context& context, const Args& args);
int list_command(const Context& context, const Args& args);  // tools, resources, prompts
int call_command(const Context& context, const Args& args);
int read_command(const Context& context, const Args& args);
int prompt_command(const Context& context, const Args& args);
int status_command(const Context& context, const Args& args);
int doctor_command(const Context& context, const Args& args);
int demo_command(const Context& context, const Args& args);
int version_command(const Context& context, const Args& args);
int explain_command(const Context& context, const Args& args);
int check_config_command(const Context& context, const Args& args);
int audit_verify_command(const Context& context, const Args& args);
int audit_tail_command(const Context& context, const Args& args);
int audit_show_command(const Context& context, const Args& args);

}  // namespace calaboose::cli
