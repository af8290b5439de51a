// SPDX-License-Identifier: Apache-2.0
// Builds the environment of a jailed server.
// Place: runner/plan. Pure.
#include "runner/plan/environment.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxVariables = 1024;
constexpr std::size_t kMaxEntryBytes = 128U << 10U;  // the kernel's bound for one string
constexpr std::size_t kMaxTotalBytes = 1U << 20U;

/// Whole names and prefixes (ending in "*").
constexpr std::array<std::string_view, 78> kChangesWhatRuns = {"LD_*",
                                                               "GCONV_PATH",
                                                               "LOCPATH",
                                                               "NLSPATH",
                                                               "GETCONF_DIR",
                                                               "GLIBC_TUNABLES",
                                                               "MALLOC_*",
                                                               "NODE_OPTIONS",
                                                               "NODE_PATH",
                                                               "NODE_REPL_EXTERNAL_MODULE",
                                                               "NODE_V8_COVERAGE",
                                                               "NODE_COMPILE_CACHE",
                                                               "NODE_ICU_DATA",
                                                               "BUN_OPTIONS",
                                                               "BUN_CONFIG_*",
                                                               "DENO_*",
                                                               "npm_config_*",
                                                               "NPM_CONFIG_*",
                                                               "PYTHONSTARTUP",
                                                               "PYTHONPATH",
                                                               "PYTHONHOME",
                                                               "PYTHONINSPECT",
                                                               "PYTHONBREAKPOINT",
                                                               "PYTHONUSERBASE",
                                                               "PYTHONPLATLIBDIR",
                                                               "PYTHONEXECUTABLE",
                                                               "PYTHONWARNINGS",
                                                               "PYTHONPYCACHEPREFIX",
                                                               "PYTHONCASEOK",
                                                               "VIRTUAL_ENV_*",
                                                               "PIP_*",
                                                               "UV_*",
                                                               "BASH_ENV",
                                                               "ENV",
                                                               "SHELLOPTS",
                                                               "BASHOPTS",
                                                               "PS4",
                                                               "PROMPT_COMMAND",
                                                               "BASH_FUNC_*",
                                                               "ZDOTDIR",
                                                               "IFS",
                                                               "CDPATH",
                                                               "FPATH",
                                                               "INPUTRC",
                                                               "PERL5OPT",
                                                               "PERL5LIB",
                                                               "PERLLIB",
                                                               "PERL5DB",
                                                               "PERL_*",
                                                               "RUBYOPT",
                                                               "RUBYLIB",
                                                               "GEM_HOME",
                                                               "GEM_PATH",
                                                               "BUNDLE_*",
                                                               "LUA_*",
                                                               "PHPRC",
                                                               "PHP_INI_SCAN_DIR",
                                                               "R_PROFILE*",
                                                               "JAVA_TOOL_OPTIONS",
                                                               "JDK_JAVA_OPTIONS",
                                                               "_JAVA_OPTIONS",
                                                               "CLASSPATH",
                                                               "DOTNET_STARTUP_HOOKS",
                                                               "CORECLR_*",
                                                               "COR_*",
                                                               "COMPlus_*",
                                                               "GIT_*",
                                                               "SSH_ASKPASS",
                                                               "SUDO_ASKPASS",
                                                               "EDITOR",
                                                               "VISUAL",
                                                               "PAGER",
                                                               "MANPAGER",
                                                               "LESSOPEN",
                                                               "LESSCLOSE",
                                                               "OPENSSL_*",
                                                               "ELECTRON_RUN_AS_NODE",
                                                               "BROWSER"};

std::string safe_term(const std::string& term) {
  const bool plain =
      !term.empty() && term.size() <= 64 && std::all_of(term.begin(), term.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || c == '+';
      });
  return plain ? term : "dumb";
}

std::string safe_lang(const std::string& lang) {
  const bool plain =
      !lang.empty() && lang.size() <= 64 && std::all_of(lang.begin(), lang.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.' || c == '@';
      });
  return plain ? lang : "C.UTF-8";
}

/// The toolchain's programs first, unless they are in the usual places anyway.
std::string path_value(const std::string& bin_dir) {
  const std::string usual = "/usr/local/bin:/usr/bin:/bin";
  // A colon in a directory's name would split it into two entries.
  if (bin_dir.empty() || bin_dir.find(':') != std::string::npos ||
      (":" + usual + ":").find(":" + bin_dir + ":") != std::string::npos) {
    return usual;
  }
  return bin_dir + ":" + usual;
}

class Builder {
 public:
  void set(const std::string& name, const std::string& value, const std::string& origin) {
    for (Entry& entry : entries_) {
      if (entry.name == name) {
        entry.value = value;
        entry.origin = origin;
        return;
      }
    }
    entries_.push_back({name, value, origin});
  }

  Environment finish(std::vector<std::string> notes) const {
    Environment out;
    out.notes = std::move(notes);
    for (const Entry& entry : entries_) {
      out.entries.push_back(entry.name + "=" + entry.value);
      out.notes.push_back("env " + printable(entry.name, 128) + " (" + entry.origin + ")");
    }
    return out;
  }

 private:
  struct Entry {
    std::string name;
    std::string value;
    std::string origin;
  };

  std::vector<Entry> entries_;
};

void set_defaults(const host::HostFacts& facts, const Profile& profile,
                  const EnvironmentRequest& request, Builder& out) {
  const std::string& home = request.home;
  const std::pair<const char*, std::string> defaults[] = {
      {"HOME", home},
      {"LOGNAME", "mcp"},
      {"PATH", path_value(request.bin_dir)},
      {"SHELL", "/bin/sh"},
      {"TERM", safe_term(facts.term)},
      {"USER", "mcp"},
      {"LANG", safe_lang(facts.lang)},
      {"TMPDIR", "/tmp"},
      {"XDG_CACHE_HOME", home + "/.cache"},
      {"XDG_CONFIG_HOME", home + "/.config"},
      {"XDG_DATA_HOME", home + "/.local/share"},
      {"XDG_STATE_HOME", home + "/.local/state"},
      {"npm_config_cache", home + "/.cache/npm"},
      {"npm_config_update_notifier", "false"},
      {"PIP_CACHE_DIR", home + "/.cache/pip"},
  };
  for (const auto& [name, value] : defaults) {
    out.set(name, value, "built-in");
  }
  for (const ProfileVariable& variable : profile.environment) {
    out.set(variable.name, variable.value, "profile " + profile.name);
  }
}

Error located(Error error, const policy::EnvVar& variable) {
  return variable.origin.at ? std::move(error).at(*variable.origin.at) : std::move(error);
}

Result<void> check_variable(const policy::EnvVar& variable) {
  const std::string shown = printable(variable.name, 128);
  if (variable.name.empty() || variable.name.find('=') != std::string::npos ||
      variable.name.find('\0') != std::string::npos) {
    return located(
        Error(Errc::kInvalidConfig, "env: \"" + shown + "\" cannot be the name of a variable")
            .with_id("CB2107"),
        variable);
  }
  if (variable.value.find('\0') != std::string::npos) {
    return located(Error(Errc::kInvalidConfig, "env: the value of " + shown + " contains a NUL")
                       .with_id("CB2107"),
                   variable);
  }
  if (variable.name.size() + variable.value.size() + 2 > kMaxEntryBytes) {
    return located(
        Error(Errc::kInvalidConfig, "env: " + shown + " is longer than 128 KiB").with_id("CB2107"),
        variable);
  }
  const bool untrusted = variable.origin.source.compare(0, 9, "untrusted") == 0;
  if (untrusted && changes_what_runs(variable.name)) {
    return located(
        Error(Errc::kInvalidConfig, "env: " + shown +
                                        " changes what a loader or interpreter runs, and it comes "
                                        "from a configuration that you have not accepted")
            .with_hint("name it yourself if you want it: --env " + shown + "=…")
            .with_id("CB2106"),
        variable);
  }
  return {};
}

}  // namespace

bool changes_what_runs(std::string_view name) {
  return std::any_of(kChangesWhatRuns.begin(), kChangesWhatRuns.end(), [&](std::string_view known) {
    if (!known.empty() && known.back() == '*') {
      known.remove_suffix(1);
      return name.substr(0, known.size()) == known;
    }
    return !known.empty() && name == known;
  });
}

Result<Environment> build_environment(const policy::ServerPolicy& policy,
                                      const host::HostFacts& facts, const Profile& profile,
                                      const EnvironmentRequest& request) {
  Builder builder;
  std::vector<std::string> notes;
  if (policy.inherit_default_env.value) {
    set_defaults(facts, profile, request, builder);
  }
  if (policy.env.size() > kMaxVariables) {
    return Error(Errc::kInvalidConfig, "env: more than 1024 variables").with_id("CB2107");
  }
  std::size_t total = 0;
  for (const policy::EnvVar& variable : policy.env) {
    CALABOOSE_CHECK(check_variable(variable));
    if (variable.value.compare(0, 2, "()") == 0) {
      notes.push_back("env " + printable(variable.name, 128) +
                      " was left out: old shells would run its value as a function");
      continue;
    }
    total += variable.name.size() + variable.value.size() + 2;
    if (total > kMaxTotalBytes) {
      return Error(Errc::kInvalidConfig, "env: longer than 1 MiB together").with_id("CB2107");
    }
    builder.set(variable.name, variable.value, variable.origin.to_string());
  }
  return builder.finish(std::move(notes));
}

}  // namespace calaboose::plan
