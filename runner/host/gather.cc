// SPDX-License-Identifier: Apache-2.0
// Reads what the planner needs to know about this process and machine.
// Place: runner/host.
#include "runner/host/gather.h"

#include <linux/landlock.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace calaboose::host {
namespace {

std::string value(const EnvironmentMap& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

bool is_absolute(const std::string& path) {
  return !path.empty() && path.front() == '/';
}

std::string account_home() {
  std::vector<char> buffer(16384);
  struct passwd entry = {};
  struct passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr || found->pw_dir == nullptr) {
    return {};
  }
  return found->pw_dir;
}

std::string folder(const EnvironmentMap& environment, const char* name, const std::string& home,
                   const char* fallback) {
  const std::string asked = value(environment, name);
  return (is_absolute(asked) ? asked : home + fallback) + "/calaboose";
}

}  // namespace

EnvironmentMap environment_map(const char* const* environ_block) {
  EnvironmentMap out;
  for (; environ_block != nullptr && *environ_block != nullptr; ++environ_block) {
    const std::string entry = *environ_block;
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos && equals > 0) {
      out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return out;
}

OwnFolders own_folders(const EnvironmentMap& environment, const std::string& home) {
  return {folder(environment, "XDG_CONFIG_HOME", home, "/.config"),
          folder(environment, "XDG_DATA_HOME", home, "/.local/share"),
          folder(environment, "XDG_STATE_HOME", home, "/.local/state")};
}

Result<HostFacts> gather(const EnvironmentMap& environment, const Files& files) {
  HostFacts facts;
  facts.uid = ::geteuid();
  facts.gid = ::getegid();
  std::string home = value(environment, "HOME");
  if (!is_absolute(home)) {
    home = account_home();
  }
  if (!is_absolute(home)) {
    return Error(Errc::kIo,
                 "there is no home directory: HOME is not set, and this user has no account")
        .with_hint("set HOME to an absolute path");
  }
  facts.home = files.real_path(home).value_or(home);
  std::vector<char> buffer(4096);
  if (::getcwd(buffer.data(), buffer.size()) != nullptr && buffer[0] == '/') {
    facts.cwd = files.real_path(buffer.data()).value_or("/");
  } else {
    facts.cwd = "/";
  }
  facts.path = value(environment, "PATH");
  facts.term = value(environment, "TERM");
  facts.lang = value(environment, "LANG");
  const OwnFolders own = own_folders(environment, facts.home);
  facts.config_home = own.config_home;
  facts.data_home = own.data_home;
  facts.state_home = own.state_home;
  facts.landlock_abi = landlock_abi();
  facts.files = &files;
  return facts;
}

int landlock_abi() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

}  // namespace calaboose::host
