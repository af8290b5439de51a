// SPDX-License-Identifier: Apache-2.0
// Runs the probe in real jails and bare, as this user and, from root, as an unprivileged one.
// Place: tests/runner/jail.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/fd.h"
#include "runner/plan/plan.h"
#include "tests/support/jail_fixture.h"

namespace calaboose::testing {

enum class User { kSelf, kUnprivileged };

/// kSelf, and kUnprivileged where the tests run as root.
std::vector<User> users();
std::string user_name(User user);

/// Copies of helper and probe in a folder that every user can reach.
std::string helper_path();
std::string probe_path();

/// A working directory for `user`, mode 0700, gone with the object.
class WorkDir {
 public:
  explicit WorkDir(User user);

  const std::string& path() const { return dir_.path(); }

 private:
  TempDir dir_;
};

/// Runs `body` in a child process as `user` and returns what it wrote to the given descriptor. The
/// child is a child subreaper; a crash of it comes back as "crashed".
std::string in_process(User user, const std::function<void(int)>& body);

struct Row {
  std::string outcome;
  std::string detail;
};

struct Session {
  std::map<std::string, Row> rows;  // of "probe rows"
  std::string out;
  std::string err;
  std::vector<std::string> denials;
  std::string exit;   // Exit::to_string(), or empty
  std::string error;  // render() of a failed start; then nothing was executed
  std::string error_id;
};

/// A plan with the probe as program; made in the child that becomes its supervisor, so ids are
/// those of `user`.
using Edit = std::function<void(plan::Plan&)>;

/// Starts a jail as `user`, waits for its end, and returns everything. `before` runs first, in the
/// supervisor.
Session run_jailed(User user, const std::vector<std::string>& arguments, const Edit& edit = {},
                   const std::function<void()>& before = {});

/// The same program without a jail, in its own session, with `signals` set to how many SIGUSR1 its
/// parent got.
Session run_bare(User user, const std::vector<std::string>& arguments, int& signals,
                 const std::function<void()>& before = {});

}  // namespace calaboose::testing
