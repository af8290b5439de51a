// SPDX-License-Identifier: Apache-2.0
// What stays read-only or hidden inside the granted paths (J38).
// Place: runner/plan. Pure. The root of each write grant and its direct children are looked at, no
// deeper, so that a start costs the same in a large tree; what is not there yet is reported for a
// look afterwards.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "runner/plan/grants.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxChildren = 128;  // direct children that are searched
constexpr std::size_t kMaxRootEntries = 2048;
constexpr std::size_t kMaxChildEntries = 512;
constexpr std::size_t kMaxProtected = 192;  // each costs a mount of about 22 us

class Protector {
 public:
  Protector(const host::Files& files, Tree& tree, GrantNotes& out)
      : files_(files), tree_(tree), out_(out) {
    for (const std::string& name : auto_executed_names()) {
      first_names_.insert(components(name).front());
    }
  }

  void grant(const std::string& root, const host::FileInfo& info) {
    if (!info.is_directory()) {
      return;
    }
    for (const std::string& name : auto_executed_names()) {
      one(root, join(root, name), true);
    }
    std::size_t searched = 0;
    const std::vector<std::string> entries = files_.list(root, kMaxRootEntries);
    for (const std::string& entry : entries) {
      const std::string child = join(root, entry);
      const auto child_info = files_.lstat(child);
      if (!child_info || !child_info->is_directory() || entry == ".git") {
        continue;
      }
      if (++searched > kMaxChildren) {
        break;
      }
      children(root, child);
    }
    if (searched > kMaxChildren || entries.size() >= kMaxRootEntries) {
      out_.notes.push_back(printable(root, 512) +
                           " has more directories than are searched for names that are run on "
                           "their own (.git/hooks, .envrc, …); the rest stay writable");
    }
  }

 private:
  void children(const std::string& root, const std::string& child) {
    for (const std::string& entry : files_.list(child, kMaxChildEntries)) {
      if (first_names_.count(entry) == 0) {
        continue;
      }
      for (const std::string& name : auto_executed_names()) {
        if (components(name).front() == entry) {
          one(root, join(child, name), false);
        }
      }
    }
  }

  /// `report`: say so when it does not exist yet.
  void one(const std::string& root, const std::string& path, bool report) {
    const auto info = files_.lstat(path);
    if (!info) {
      if (report) {
        out_.unprotected.push_back(path);
      }
      return;
    }
    const auto real = resolve(files_, path);
    if (!real || real->real != path) {
      out_.unprotected.push_back(path);
      out_.notes.push_back(printable(path, 512) +
                           " is a symbolic link and cannot be kept read-only");
      return;
    }
    if (++protected_ > kMaxProtected) {
      out_.unprotected.push_back(path);
      return;
    }
    tree_.protect(path, root,
                  {"programs outside the jail run or obey it by themselves", "built-in"});
  }

  const host::Files& files_;
  Tree& tree_;
  GrantNotes& out_;
  std::set<std::string> first_names_;
  std::size_t protected_ = 0;
};

/// PATH directories and our own configuration next to a project lie inside somebody's write grant.
void protect_path_dirs(const host::HostFacts& facts, const std::string& root, Tree& tree) {
  std::size_t at = 0;
  for (int entries = 0; at < facts.path.size() && entries < 64; ++entries) {
    const std::size_t colon = std::min(facts.path.find(':', at), facts.path.size());
    const std::string dir = facts.path.substr(at, colon - at);
    at = colon + 1;
    const auto real = is_absolute(dir) ? resolve(*facts.files, dir) : std::nullopt;
    if (real && is_inside(real->real, root)) {
      tree.protect(real->real, root,
                   {"programs that you run by name are looked up there", "built-in"});
    }
  }
}

void deny_write(const std::string& path, const host::HostFacts& facts, Tree& tree,
                GrantNotes& out) {
  const auto real = resolve(*facts.files, path);
  if (!real) {
    out.unprotected.push_back(normalise(path));
    return;
  }
  for (const std::string& bound : tree.bind_paths()) {
    Mount* const mount = tree.bind_at(bound);
    if (mount != nullptr && is_inside(bound, real->real)) {
      mount->writable = false;
    }
  }
  if (const Mount* around = tree.bind_around(real->real); around != nullptr && around->writable) {
    tree.protect(real->real, around->target, {"denyWrite", "policy"});
  }
}

void deny_read(const std::string& path, const host::HostFacts& facts, Tree& tree, GrantNotes& out) {
  const auto real = resolve(*facts.files, path);
  if (!real) {
    return;  // nothing there to read
  }
  for (const std::string& bound : tree.bind_paths()) {
    if (is_inside(bound, real->real)) {
      tree.drop(bound);
      out.notes.push_back(printable(bound, 512) + " is not granted: denyRead covers it");
    }
  }
  tree.mask(real->real, {"denyRead", "policy"});
}

}  // namespace

const std::vector<std::string>& auto_executed_names() {
  static const std::vector<std::string> kNames = {".git/hooks",
                                                  ".git/config",
                                                  ".git/config.worktree",
                                                  ".git/modules",
                                                  ".gitmodules",
                                                  ".gitconfig",
                                                  ".githooks",
                                                  ".husky",
                                                  ".pre-commit-config.yaml",
                                                  "lefthook.yml",
                                                  ".envrc",
                                                  ".tool-versions",
                                                  "mise.toml",
                                                  ".mise.toml",
                                                  ".bashrc",
                                                  ".bash_profile",
                                                  ".bash_login",
                                                  ".bash_logout",
                                                  ".bash_aliases",
                                                  ".profile",
                                                  ".zshrc",
                                                  ".zprofile",
                                                  ".zshenv",
                                                  ".zlogin",
                                                  ".zlogout",
                                                  ".kshrc",
                                                  ".cshrc",
                                                  ".tcshrc",
                                                  ".inputrc",
                                                  ".vimrc",
                                                  ".exrc",
                                                  ".nvim.lua",
                                                  ".nvimrc",
                                                  ".dir-locals.el",
                                                  ".emacs",
                                                  ".vscode",
                                                  ".idea",
                                                  ".devcontainer",
                                                  ".devcontainer.json",
                                                  ".zed",
                                                  ".fleet",
                                                  ".mcp.json",
                                                  ".claude",
                                                  ".cursor",
                                                  ".gemini",
                                                  ".codex",
                                                  ".npmrc",
                                                  ".yarnrc",
                                                  ".yarnrc.yml",
                                                  ".yarn",
                                                  ".pnpmfile.cjs",
                                                  "package.json",
                                                  ".cargo",
                                                  ".ssh",
                                                  ".github/workflows",
                                                  ".gitlab-ci.yml",
                                                  "calaboose.lock.json",
                                                  "calaboose.jsonc"};
  return kNames;
}

void apply_protections(const policy::ServerPolicy& policy, const host::HostFacts& facts, Tree& tree,
                       GrantNotes& out) {
  for (const std::string& path : policy.deny_write) {
    deny_write(path, facts, tree, out);
  }
  Protector protector(*facts.files, tree, out);
  for (const std::string& path : tree.bind_paths()) {
    const Mount* const mount = tree.bind_at(path);
    if (mount == nullptr || !mount->writable) {
      continue;
    }
    if (const auto info = facts.files->lstat(path)) {
      protector.grant(path, *info);
    }
    protect_path_dirs(facts, path, tree);
    if (policy.scope != "cli") {
      tree.protect(policy.scope, path,
                   {"the configuration that this server is defined in", "built-in"});
    }
  }
  for (const std::string& path : policy.deny_read) {
    deny_read(path, facts, tree, out);
  }
}

}  // namespace calaboose::plan
