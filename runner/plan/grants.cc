// SPDX-License-Identifier: Apache-2.0
// Checks and adds the owner's path grants; denials always win over them.
// Place: runner/plan. Pure.
#include "runner/plan/grants.h"

#include "base/text.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

Error refused(const policy::PathGrant& grant, const std::string& what, const char* id) {
  const std::string option = grant.write ? "--write " : "--read ";
  Error error = Error(Errc::kInvalidConfig,
                      "cannot grant " + option + printable(grant.path, 512) + ": " + what)
                    .with_id(id);
  if (grant.origin.at) {
    return std::move(error).at(*grant.origin.at);
  }
  return error;
}

Result<Resolved> check_grant(const policy::PathGrant& grant, const host::HostFacts& facts,
                             const Forbidden& forbidden) {
  if (grant.path.find('\0') != std::string::npos || !is_absolute(grant.path)) {
    return refused(grant, "it is not an absolute path", "CB2103");
  }
  const std::string path = normalise(grant.path);
  const auto resolved = resolve(*facts.files, grant.path);
  if (!resolved) {
    return refused(grant, "it does not exist", "CB2104")
        .with_hint("create it first, or check the spelling");
  }
  if (!resolved->links.empty() || resolved->real != path) {
    return refused(grant, "it is a symbolic link or lies behind one", "CB2105")
        .with_hint(std::string("its real path is ") + printable(resolved->real, 512) +
                   "; grant that: " + (grant.write ? "--write " : "--read ") +
                   printable(resolved->real, 512));
  }
  if (const auto reason = forbidden.reason_against(path, grant.write)) {
    return refused(grant, *reason, "CB2103").with_hint("grant a narrower directory");
  }
  if (!resolved->info.is_directory() && !resolved->info.is_regular()) {
    return refused(grant,
                   "only files and directories can be granted, not sockets, pipes or devices",
                   "CB2103");
  }
  return *resolved;
}

bool is_sensitive(const std::string& home, const std::string& path) {
  for (const char* name :
       {"/.ssh", "/.gnupg", "/.aws", "/.kube", "/.docker", "/.netrc", "/.config/gcloud"}) {
    if (is_inside(path, home + name)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Result<void> apply_grants(const policy::ServerPolicy& policy, const host::HostFacts& facts,
                          const Forbidden& forbidden, Tree& tree, GrantNotes& out) {
  for (const policy::PathGrant& grant : policy.paths) {
    CALABOOSE_TRY(const Resolved resolved, check_grant(grant, facts, forbidden));
    if (is_sensitive(facts.home, resolved.real)) {
      out.notes.push_back("the server can read credentials: " + printable(resolved.real, 512) +
                          " is granted");
    }
    Access access{grant.write, true, facts.uid == 0};
    tree.bind(resolved, access,
              {grant.write ? "granted for reading and writing" : "granted for reading",
               grant.origin.to_string()});
  }
  return {};
}

}  // namespace calaboose::plan
