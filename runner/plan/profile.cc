// SPDX-License-Identifier: Apache-2.0
// Reads the compiled-in profiles.
// Place: runner/plan. Pure. Unknown keys and grants without a reason are errors: a profile is
// policy.
#include "runner/plan/profile.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/json/json.h"
#include "base/suggest.h"
#include "base/text.h"
#include "runner/plan/paths.h"
#include "runner/plan/profile_data.h"

namespace calaboose::plan {
namespace {

Error bad(const std::string& what) {
  return Error(Errc::kInvalidConfig, what).with_id("CB2109");
}

/// Reads the members of one object and remembers the first thing that is wrong.
class Reader {
 public:
  Reader(json::Value object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) {
      fail("must be an object");
    }
  }

  bool has(std::string_view name) const { return object_.find(name).exists(); }

  std::string text(std::string_view name, std::string fallback, bool required = false) {
    const json::Value value = object_.find(name);
    if (!value) {
      if (required) {
        fail("\"" + std::string(name) + "\" is missing");
      }
      return fallback;
    }
    auto found = value.string();
    if (!found || found->empty()) {
      fail("\"" + std::string(name) + "\" must be a string with text");
      return fallback;
    }
    return std::move(*found);
  }

  bool flag(std::string_view name, bool fallback) {
    const json::Value value = object_.find(name);
    if (value && !value.is_bool()) {
      fail("\"" + std::string(name) + "\" must be true or false");
    }
    return value.boolean().value_or(fallback);
  }

  std::uint32_t count(std::string_view name, std::uint32_t fallback) {
    const json::Value value = object_.find(name);
    if (!value) {
      return fallback;
    }
    const auto number = value.int64();
    if (!number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max()) {
      fail("\"" + std::string(name) + "\" must be a whole number above 0");
      return fallback;
    }
    return static_cast<std::uint32_t>(*number);
  }

  std::uint64_t size(std::string_view name, std::uint64_t fallback) {
    if (!has(name)) {
      return fallback;
    }
    auto parsed = parse_size(text(name, ""));
    if (!parsed) {
      fail("\"" + std::string(name) + "\": " + parsed.error().what());
      return fallback;
    }
    return *parsed;
  }

  template <std::size_t N>
  void only(const std::array<std::string_view, N>& known) {
    object_.each_member([&](json::Value name, json::Value) {
      const std::string key = name.string_or("");
      for (const std::string_view each : known) {
        if (key == each) {
          return;
        }
      }
      fail("unknown key \"" + printable(key, 64) + "\" " + did_you_mean(key, known));
    });
  }

  void fail(const std::string& what) {
    if (!problem_) {
      problem_ = bad(where_ + ": " + what);
    }
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  json::Value object_;
  std::string where_;
  std::optional<Error> problem_;
};

constexpr std::array<std::string_view, 4> kGrantKeys = {"path", "access", "optional", "reason"};
constexpr std::array<std::string_view, 4> kTmpfsKeys = {"size", "inodes", "execute", "reason"};
constexpr std::array<std::string_view, 3> kVariableKeys = {"name", "value", "reason"};
constexpr std::array<std::string_view, 5> kLimitKeys = {"memory", "tasks", "openFiles", "fileSize",
                                                        "reason"};
constexpr std::array<std::string_view, 13> kTopKeys = {
    "version", "name", "extends", "description", "commands",    "toolchain", "filesystem",
    "proc",    "tmp",  "shm",     "home",        "environment", "limits"};

/// No profile reaches into places that hold other people's data or kernel interfaces.
bool grantable_by_profile(const std::string& path) {
  static constexpr std::array<std::string_view, 9> kNever = {
      "/home", "/root", "/proc", "/sys", "/dev", "/run", "/var", "/tmp", "/mnt"};
  for (const std::string_view root : kNever) {
    if (is_inside(path, root)) {
      return false;
    }
  }
  return path != "/" && path != "/etc";
}

Result<void> read_grants(json::Value list, const std::string& where, Profile& out) {
  std::optional<Error> problem;
  list.each_element([&](json::Value entry) {
    Reader reader(entry, where + ": filesystem");
    reader.only(kGrantKeys);
    ProfileGrant grant;
    grant.path = reader.text("path", "", true);
    grant.optional = reader.flag("optional", false);
    grant.reason = reader.text("reason", "", true);
    if (reader.text("access", "", true) != "read") {
      reader.fail("\"access\" can only be \"read\" in a profile");
    }
    if (!is_absolute(grant.path) || normalise(grant.path) != grant.path ||
        !grantable_by_profile(grant.path)) {
      reader.fail("no profile can grant \"" + printable(grant.path, 128) + "\"");
    }
    if (reader.problem() && !problem) {
      problem = reader.problem();
    }
    out.grants.push_back(std::move(grant));
  });
  if (problem) {
    return std::move(*problem);
  }
  return {};
}

Result<void> read_environment(json::Value list, const std::string& where, Profile& out) {
  std::optional<Error> problem;
  list.each_element([&](json::Value entry) {
    Reader reader(entry, where + ": environment");
    reader.only(kVariableKeys);
    out.environment.push_back({reader.text("name", "", true), reader.text("value", "", true),
                               reader.text("reason", "", true)});
    if (reader.problem() && !problem) {
      problem = reader.problem();
    }
  });
  if (problem) {
    return std::move(*problem);
  }
  return {};
}

Result<void> read_tmpfs(json::Value object, const std::string& where, ProfileTmpfs& out) {
  if (!object) {
    return {};
  }
  Reader reader(object, where);
  reader.only(kTmpfsKeys);
  out.size_bytes = reader.size("size", out.size_bytes);
  out.inodes = reader.count("inodes", out.inodes);
  out.executable = reader.flag("execute", out.executable);
  out.reason = reader.text("reason", "", true);
  if (reader.problem()) {
    return *reader.problem();
  }
  return {};
}

Result<void> read_limits(json::Value object, const std::string& where, Profile& out) {
  if (!object) {
    return {};
  }
  Reader reader(object, where + ": limits");
  reader.only(kLimitKeys);
  out.memory_bytes = reader.size("memory", out.memory_bytes);
  out.tasks = reader.count("tasks", out.tasks);
  out.open_files = reader.count("openFiles", out.open_files);
  out.file_bytes = reader.size("fileSize", out.file_bytes);
  out.limits_reason = reader.text("reason", "", true);
  if (reader.problem()) {
    return *reader.problem();
  }
  return {};
}

/// `proc` and `home`: one choice and its reason each.
Result<void> read_choices(json::Value top, const std::string& where, Profile& out) {
  if (const json::Value proc = top.find("proc")) {
    Reader reader(proc, where + ": proc");
    reader.only(std::array<std::string_view, 2>{"view", "reason"});
    const std::string view = reader.text("view", "", true);
    if (view != "own" && view != "masked") {
      reader.fail("\"view\" must be \"own\" or \"masked\"");
    }
    out.proc_own_only = view != "masked";
    out.proc_reason = reader.text("reason", "", true);
    if (reader.problem()) {
      return *reader.problem();
    }
  }
  if (const json::Value home = top.find("home")) {
    Reader reader(home, where + ": home");
    reader.only(std::array<std::string_view, 2>{"execute", "reason"});
    out.home_executable = reader.flag("execute", out.home_executable);
    out.home_reason = reader.text("reason", "", true);
    if (reader.problem()) {
      return *reader.problem();
    }
  }
  return {};
}

Result<std::string> extends_of(std::string_view text) {
  json::Tape tape;
  CALABOOSE_CHECK(tape.parse_or_error(text));
  return tape.root().find("extends").string_or("");
}

Result<Profile> load_chain(std::string_view name, int depth) {
  for (const ProfileText& each : embedded_profiles()) {
    if (each.name != name) {
      continue;
    }
    Profile base;
    CALABOOSE_TRY(const std::string parent, extends_of(each.json));
    if (!parent.empty()) {
      if (depth >= 4) {
        return bad("profile \"" + std::string(name) + "\" extends itself");
      }
      CALABOOSE_TRY(base, load_chain(parent, depth + 1));
    }
    return parse_profile(each.json, std::move(base));
  }
  const std::vector<std::string_view> names = profile_names();
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) {
    hint = "known profiles:";
    for (const std::string_view known : names) {
      hint += " " + std::string(known);
    }
  }
  return bad("there is no profile \"" + printable(name, 64) + "\"").with_hint(std::move(hint));
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  if (unit == "KiB") {
    shift = 10;
  } else if (unit == "MiB") {
    shift = 20;
  } else if (unit == "GiB") {
    shift = 30;
  } else if (!unit.empty()) {
    return bad("\"" + printable(text, 32) + "\" is not a size such as 512MiB");
  }
  if (error != std::errc() || value > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    return bad("\"" + printable(text, 32) + "\" is not a size such as 512MiB");
  }
  return value << shift;
}

std::vector<std::string_view> profile_names() {
  std::vector<std::string_view> names;
  for (const ProfileText& each : embedded_profiles()) {
    names.push_back(each.name);
  }
  return names;
}

Result<Profile> parse_profile(std::string_view text, Profile base) {
  json::Tape tape;
  CALABOOSE_CHECK(tape.parse_or_error(text));
  const json::Value top = tape.root();
  Profile out = std::move(base);
  Reader reader(top, "profile");
  reader.only(kTopKeys);
  if (top.find("version").int64() != 1) {
    reader.fail("\"version\" must be 1");
  }
  out.name = reader.text("name", "", true);
  const std::string where = "profile " + out.name;
  out.description = reader.text("description", "", true);
  out.toolchain = reader.flag("toolchain", out.toolchain);
  out.commands.clear();  // a child profile is chosen by its own programs only
  top.find("commands").each_element([&](json::Value value) {
    out.commands.push_back(value.string_or(""));
  });
  if (reader.problem()) {
    return *reader.problem();
  }
  CALABOOSE_CHECK(read_grants(top.find("filesystem"), where, out));
  CALABOOSE_CHECK(read_environment(top.find("environment"), where, out));
  CALABOOSE_CHECK(read_tmpfs(top.find("tmp"), where + ": tmp", out.tmp));
  CALABOOSE_CHECK(read_tmpfs(top.find("shm"), where + ": shm", out.shm));
  CALABOOSE_CHECK(read_limits(top.find("limits"), where, out));
  CALABOOSE_CHECK(read_choices(top, where, out));
  return out;
}

Result<Profile> load_profile(std::string_view name) {
  return load_chain(name, 0);
}

std::string profile_for_command(std::string_view program_name) {
  while (!program_name.empty() && (program_name.back() == '.' ||
                                   (program_name.back() >= '0' && program_name.back() <= '9'))) {
    program_name.remove_suffix(1);
  }
  const std::string quoted = "\"" + std::string(program_name) + "\"";
  for (const ProfileText& each : embedded_profiles()) {
    if (each.json.find(quoted) == std::string_view::npos) {
      continue;  // most programs are in none of them: no need to parse all
    }
    const auto profile = load_profile(each.name);
    if (!profile) {
      continue;
    }
    for (const std::string& command : profile->commands) {
      if (command == program_name) {
        return profile->name;
      }
    }
  }
  return "strict";
}

}  // namespace calaboose::plan
