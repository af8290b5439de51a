// SPDX-License-Identifier: Apache-2.0
// Puts the parts of a plan together; each part has its own file beside this one.
// Place: runner/plan. Pure.
#include "runner/plan/build_plan.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "runner/plan/command.h"
#include "runner/plan/environment.h"
#include "runner/plan/forbidden.h"
#include "runner/plan/grants.h"
#include "runner/plan/identity.h"
#include "runner/plan/paths.h"
#include "runner/plan/profile.h"
#include "runner/plan/seccomp/program.h"
#include "runner/plan/skeleton.h"
#include "runner/plan/toolchain.h"
#include "runner/plan/tree.h"

namespace calaboose::plan {
namespace {

using policy::ServerPolicy;

constexpr std::size_t kMaxMounts = 1000;  // the wire form holds 1024

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What this version cannot do is refused, never left out silently (invariant I2).
Result<void> check_supported(const ServerPolicy& policy) {
  if (!policy.allowed_hosts.empty()) {
    const policy::HostRule& first = policy.allowed_hosts.front();
    Error error = Error(Errc::kUsage, "network grants are not available in this version (" +
                                          printable(first.text, 256) + ")")
                      .with_hint("remove the host; the server then runs without network")
                      .with_id("CB2108");
    return first.origin.at ? std::move(error).at(*first.origin.at) : std::move(error);
  }
  return {};
}

/// The directory that relative words start at.
Result<std::string> working_directory(const ServerPolicy& policy, const host::HostFacts& facts) {
  const std::string asked = policy.cwd.value.empty() ? facts.cwd : policy.cwd.value;
  const auto real = resolve(*facts.files, asked);
  const auto kernel = [](const std::string& path) {
    return is_inside(path, "/proc") || is_inside(path, "/dev") || is_inside(path, "/sys");
  };
  if (real && real->info.is_directory() && !kernel(asked) && !kernel(real->real)) {
    return real->real;
  }
  if (policy.cwd.value.empty()) {
    return std::string("/");  // ours was deleted: nothing relative can be meant
  }
  return Error(Errc::kInvalidConfig,
               "the working directory " + printable(asked, 512) + " is not a directory that exists")
      .with_hint("check \"cwd\"")
      .with_id("CB2112");
}

std::string env_value(const ServerPolicy& policy, const char* name) {
  for (const policy::EnvVar& variable : policy.env) {
    if (variable.name == name) {
      return variable.value;
    }
  }
  return {};
}

CommandRequest command_request(const ServerPolicy& policy, const host::HostFacts& facts,
                               const std::string& cwd) {
  CommandRequest request;
  request.command = policy.command.value;
  request.args = policy.args;
  request.cwd = cwd;
  // As hosts do it: the entry's own PATH first. Ours second, since that PATH is meant for inside
  // the jail.
  const std::string own_path = env_value(policy, "PATH");
  request.search_path = facts.path.empty() ? "/usr/local/bin:/usr/bin:/bin" : facts.path;
  if (!own_path.empty()) {
    request.search_path = own_path + ":" + request.search_path;
  }
  request.python_version = env_value(policy, "PYENV_VERSION");
  return request;
}

Result<Profile> choose_profile(const ServerPolicy& policy, const Command& command) {
  const policy::Setting<std::string>& asked = policy.profile;
  const bool is_explicit =
      !asked.value.empty() && (asked.origin.at || asked.origin.source != "built-in");
  if (is_explicit) {
    auto loaded = load_profile(asked.value);
    if (!loaded && asked.origin.at) {
      return std::move(loaded).error().at(*asked.origin.at);
    }
    return loaded;
  }
  std::string name = profile_for_command(name_of(command.program));
  if (name == "strict") {
    name = profile_for_command(name_of(command.resolved.real));
  }
  return load_profile(name);
}

/// The jail's home must not lie where a grant of the owner's own home would be.
std::string jail_home_for(const ServerPolicy& policy, const host::HostFacts& facts) {
  constexpr const char* kHome = "/home/mcp";
  bool taken = is_inside(facts.home, kHome);
  for (const policy::PathGrant& grant : policy.paths) {
    taken = taken || is_inside(normalise(grant.path), kHome);
  }
  return taken ? "/home/calaboose" : kHome;
}

void set_limits(const ServerPolicy& policy, const Profile& profile, Plan& plan) {
  const auto pick = [](auto asked, auto fallback) { return asked != 0 ? asked : fallback; };
  plan.rlimits.data_bytes = pick(policy.limits.memory_bytes.value, profile.memory_bytes);
  plan.rlimits.tasks = pick(policy.limits.tasks.value, profile.tasks);
  plan.rlimits.open_files = pick(policy.limits.open_files.value, profile.open_files);
  plan.rlimits.file_bytes = pick(policy.limits.file_bytes.value, profile.file_bytes);
}

void set_identity(const host::HostFacts& facts, const std::string& sid, Plan& plan) {
  plan.as_root = facts.uid == 0;
  plan.outer_uid = plan.as_root ? outer_id_for(sid, *facts.files) : facts.uid;
  plan.outer_gid = plan.as_root ? plan.outer_uid : facts.gid;
}

/// Arguments that name something on the host which the server will not see.
void propose(const Command& command, const std::string& cwd, const Forbidden& forbidden,
             const host::Files& files, const Tree& tree, std::vector<std::string>& out) {
  for (std::size_t i = 1; i < command.argv.size() && out.size() < 32; ++i) {
    if (i == command.script) {
      continue;
    }
    std::string word = command.argv[i];
    if (const std::size_t equals = word.find('=');
        word.starts_with('-') && equals != std::string::npos) {
      word = word.substr(equals + 1);
    }
    const bool looks_like_path = word.find('/') != std::string::npos || word == "." || word == "..";
    const auto real = looks_like_path && !word.starts_with('-')
                          ? resolve(files, is_absolute(word) ? word : join(cwd, word))
                          : std::nullopt;
    if (real && !tree.covers(real->real) && !forbidden.reason_against(real->real, false)) {
      const std::string shown = printable(real->real, 512);
      std::string text = "--read " + shown;
      if (!forbidden.reason_against(real->real, true)) {
        text += " or --write " + shown;
      }
      out.push_back(std::move(text));
    }
  }
}

void grant_profile(const Profile& profile, Tree& tree) {
  for (const ProfileGrant& grant : profile.grants) {
    tree.grant(grant.path, Access{false, true, false}, {grant.reason, "profile " + profile.name});
  }
}

std::string home_on_host(const host::HostFacts& facts, const std::string& sid) {
  return resolve_existing(*facts.files, facts.data_home) + "/servers/" + sid + "/home";
}

/// Everything that goes into the tree, widest first. Returns the package's name or an empty string.
Result<std::string> fill_tree(const ServerPolicy& policy, const host::HostFacts& facts,
                              const Profile& profile, const Command& command,
                              const Forbidden& forbidden, Tree& tree, Built& built,
                              std::string& bin_dir) {
  grant_profile(profile, tree);
  const bool interpreter = profile.toolchain && command.runtime != Runtime::kNone;
  ToolchainResult tools;
  if (interpreter) {
    tools = grant_toolchain(command, *facts.files, forbidden, tree);
    bin_dir = tools.bin_dir;
  }
  const ToolchainResult program = grant_program(command, *facts.files, forbidden, tree);
  const PackageResult package = grant_package(command, *facts.files, forbidden, tree);
  GrantNotes notes;
  CALABOOSE_CHECK(apply_grants(policy, facts, forbidden, tree, notes));
  apply_protections(policy, facts, tree, notes);
  append(built.plan.notes, tools.notes);
  append(built.plan.notes, program.notes);
  append(built.plan.notes, package.notes);
  append(built.plan.notes, notes.notes);
  built.unprotected = std::move(notes.unprotected);
  return package.name;
}

void choose_cwd(const ServerPolicy& policy, const std::string& cwd, const std::string& jail_home,
                const Tree& tree, Plan& plan) {
  plan.cwd = tree.covers(cwd) ? cwd : jail_home;
  if (plan.cwd != cwd && !policy.cwd.value.empty()) {
    plan.notes.push_back("the working directory " + printable(cwd, 512) +
                         " is not granted, so the server starts in its home; to grant it: --read " +
                         printable(cwd, 512));
  }
}

}  // namespace

Result<Built> build_plan(const ServerPolicy& policy, const host::HostFacts& facts) {
  if (facts.files == nullptr) {
    return Error(Errc::kInternal, "no file system to ask");
  }
  CALABOOSE_CHECK(check_supported(policy));
  CALABOOSE_TRY(const std::string cwd, working_directory(policy, facts));
  CALABOOSE_TRY(const Command command,
                resolve_command(command_request(policy, facts, cwd), *facts.files));
  CALABOOSE_TRY(const Profile profile, choose_profile(policy, command));

  Built built;
  Plan& plan = built.plan;
  plan.notes = command.notes;
  if (policy.minimum_level.value != policy::Level::kFull) {
    plan.notes.emplace_back(
        "the policy accepts a weaker level, but this version runs at full or not at all");
  }
  const Forbidden forbidden(facts);
  const std::string jail_home = jail_home_for(policy, facts);
  Tree tree(*facts.files, facts.uid == 0);
  std::string bin_dir;
  CALABOOSE_TRY(const std::string package,
                fill_tree(policy, facts, profile, command, forbidden, tree, built, bin_dir));
  built.identity = identify(policy, package.empty() ? command.resolved.real : package);
  built.profile = profile.name;
  built.home = home_on_host(facts, built.identity.sid);
  set_identity(facts, built.identity.sid, plan);
  CALABOOSE_CHECK(add_home(profile, built.home, jail_home, plan.as_root, *facts.files, tree));

  CALABOOSE_TRY(Environment environment,
                build_environment(policy, facts, profile, {jail_home, bin_dir}));
  plan.env = std::move(environment.entries);
  append(plan.notes, environment.notes);

  plan.server = printable(policy.name.empty() ? name_of(command.program) : policy.name, 128);
  plan.argv = command.argv;
  choose_cwd(policy, cwd, jail_home, tree, plan);
  propose(command, cwd, forbidden, *facts.files, tree, built.proposals);
  set_limits(policy, profile, plan);
  const std::uint64_t tmp = policy.limits.tmp_bytes.value;
  add_skeleton(profile, jail_home, tmp != 0 ? tmp : profile.tmp.size_bytes, *facts.files,
               plan.mounts, plan.landlock);
  tree.lay_out(plan.mounts, plan.landlock);
  if (plan.mounts.size() > kMaxMounts) {
    return Error(Errc::kInvalidConfig,
                 "more than 1000 entries in the jail's tree: too many paths are granted")
        .with_hint("grant a directory above them")
        .with_id("CB2103");
  }
  plan.seccomp = std::string(seccomp_program(SeccompVariant::kNotify));
  plan.seccomp_notify = true;
  return built;
}

Result<void> pin_home(Built& built, const host::HostFacts& facts) {
  const auto resolved = resolve(*facts.files, built.home);
  if (!resolved || !resolved->links.empty() || !resolved->info.is_directory() ||
      resolved->info.uid != facts.uid || (resolved->info.mode & 0077U) != 0) {
    return Error(Errc::kIo, "the server's home " + printable(built.home, 512) +
                                " is not a private directory of this user")
        .with_hint("remove it; the next start makes it anew");
  }
  for (Mount& mount : built.plan.mounts) {
    if (mount.kind == Mount::Kind::kBind && mount.source == built.home) {
      mount.device = resolved->info.device;
      mount.inode = resolved->info.inode;
    }
  }
  return {};
}

}  // namespace calaboose::plan
