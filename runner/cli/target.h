// SPDX-License-Identifier: Apache-2.0
// From the command line to a server that can be started: configuration, policy, plan, audit.
// Place: runner/cli; used by every command with a server target.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "policy/config/load.h"
#include "policy/config/resolve.h"
#include "runner/audit/audit.h"
#include "runner/cli/context.h"
#include "runner/gateway/run.h"
#include "runner/plan/build_plan.h"

namespace calaboose::cli {

/// Reads the files of the search order (or --config / CALABOOSE_CONFIG) and checks consent
/// (--expect). Errors  a file that is named and cannot be read; problems of the load as one error.
Result<policy::LoadResult> load_configuration(const Context& context, const Args& args);

/// SHA-256 of a text, 64 hex digits.
std::string sha256_hex(std::string_view text);

struct Prepared {
  policy::ServerPolicy policy;
  plan::Built built;
};

/// Everything up to the plan; starts nothing, writes nothing.
Result<Prepared> prepare(const Context& context, const Args& args);

/// The audit log of this run, or null for --audit off.
Result<std::unique_ptr<audit::Log>> open_audit(const Context& context, const Args& args,
                                               const Prepared& prepared);

/// Creates the server's private home and fills the run's configuration. `client_info` is what the
/// server is told when the host gives none.
Result<gateway::RunConfig> make_run(const Context& context, const Prepared& prepared);

/// At the end: names inside write grants that programs on the host obey by themselves, and that
/// have appeared while the server ran (J38).
void report_new_startup_files(const Context& context, const Prepared& prepared,
                              gateway::Reporter& reporter);

/// The client information of our own commands: {"name":"calaboose","version":…}.
std::string own_client_info();

/// The era verdict of earlier runs, at most 24 hours old (protocol.md 1.2).
std::optional<mcp::EraChoice> remembered_era(const Context& context, const std::string& sid);
void remember_era(const Context& context, const std::string& sid, mcp::Era era);

}  // namespace calaboose::cli
