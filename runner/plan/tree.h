// SPDX-License-Identifier: Apache-2.0
// Collects what the jail's tree shall hold, in any order, and lays it out as an ordered list of
// mounts with the Landlock rules that match it. Place: runner/plan, private to it. Pure: asks
// Files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runner/host/facts.h"
#include "runner/plan/plan.h"
#include "runner/plan/resolve.h"

namespace calaboose::plan {

/// How one host path appears.
struct Access {
  bool writable = false;
  bool executable = true;
  bool identity_mapped = false;
};

/// Why: for `policy explain`.
struct Why {
  std::string reason;
  std::string origin;
};

/// Path names are those of the host: everything keeps its own place.
class Tree {
 public:
  /// `as_root`: what only root can read is shown to the jail's user under its own id, since the
  /// jail is not root's.
  Tree(const host::Files& files, bool as_root) : files_(files), as_root_(as_root) {}

  /// Grants a path under its real name and recreates the links of this spelling. False: it does not
  /// exist.
  bool grant(const std::string& path, Access access, const Why& why);

  /// The same for a path that is already resolved. A second grant of the same path can only add
  /// rights.
  void bind(const Resolved& resolved, Access access, const Why& why);

  /// Lets the links of a spelling work; what they lead to must be granted separately.
  void recreate(const std::vector<Link>& links, const Why& why);

  /// Inside a writable bind: this existing path stays read-only, and every directory from `root`
  /// down to it becomes a mount of its own, so that none of them can be renamed away (J38).
  void protect(const std::string& path, const std::string& root, const Why& why);

  /// An existing path inside a bind shows nothing.
  void mask(const std::string& path, const Why& why);

  /// The same for a place in the jail whose path on the host is another (the private home); it must
  /// exist there.
  void mask_elsewhere(const std::string& target, const Why& why);

  /// True if the real path is visible in the tree (bound, or below something bound, and not
  /// masked).
  bool covers(std::string_view real) const;
  /// The same, and writable.
  bool covers_writable(std::string_view real) const;

  /// Everything read-only that this real path covers or that lies above it: the deepest bind around
  /// it, or nullptr.
  const Mount* bind_around(std::string_view real) const;
  Mount* bind_at(const std::string& real);

  /// Drops a bind (a deny rule covers it).
  void drop(const std::string& real) { binds_.erase(real); }

  std::vector<std::string> bind_paths() const;

  /// A bind whose place in the jail is not its place on the host (the private home).
  void bind_elsewhere(Mount mount);

  /// Appends links, binds and masks to `mounts`, parents first, and their Landlock rules to
  /// `rules`.
  void lay_out(std::vector<Mount>& mounts, std::vector<LandlockRule>& rules) const;

 private:
  struct Less {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const;
  };

  bool redundant(const Mount& mount) const;

  const host::Files& files_;
  const bool as_root_;
  std::map<std::string, Mount, Less> binds_;  // by target
  std::map<std::string, Mount, Less>
      overlays_;  // protections and masks, by target, after the binds around them
  std::map<std::string, Mount, Less> links_;  // by target
};

}  // namespace calaboose::plan
