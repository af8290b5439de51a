// SPDX-License-Identifier: Apache-2.0
// Configuration text: never crashes, never shows what it must not, never lets a stranger widen
// anything. Place: fuzz. The first byte chooses the kind of file and whether it is accepted; the
// rest is its text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/text.h"
#include "policy/config/check.h"
#include "policy/config/explain.h"
#include "policy/config/load.h"
#include "policy/config/resolve.h"

namespace {

using namespace calaboose;          // NOLINT(google-build-using-namespace)
using namespace calaboose::policy;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kSecret = "q7Zs3cretValue9";
constexpr std::size_t kMaxTried = 8;  // servers resolved for one input; more would only burn time
constexpr std::size_t kAny = 64U << 20U;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void require_printable(const std::string& text) {
  require(printable_block(text, kAny) == text);
}

Environment environment() {
  Environment env;
  env.variables = {{"TOKEN", std::string(kSecret)},
                   {"A", std::string(kSecret)},
                   {"HOME", "/home/u"},
                   {"PATH", "/bin"}};
  env.home = "/home/u";
  env.cwd = "/src/project";
  env.read_file = [](const std::string&) -> Result<std::string> {
    return std::string(kSecret) + "\n";
  };
  return env;
}

// The secrets that references read are in the environment of the server and nowhere else.
void require_no_secret(const ServerPolicy& policy) {
  const auto clean = [](std::string_view text) {
    return text.find(kSecret) == std::string_view::npos;
  };
  require(clean(explain_text(policy)) && clean(explain_json(policy)));
  require(clean(policy.command.value));
  for (const std::string& arg : policy.args) {
    require(clean(arg));
  }
}

void require_sound(const ServerPolicy& policy) {
  require(!policy.command.value.empty() && policy.command.value[0] != '-');
  require(policy.command.value.find('\0') == std::string::npos);
  require(policy.timeout.value.count() > 0);
  require(policy.sandbox_off == (policy.minimum_level.value == Level::kOff));
  require(policy.cwd.value.empty() || policy.cwd.value[0] == '/');
  for (const PathGrant& grant : policy.paths) {
    require(grant.path[0] == '/' && grant.path.find("/../") == std::string::npos &&
            !grant.path.ends_with("/.."));
  }
  for (const EnvVar& variable : policy.env) {
    require(!variable.name.empty() && variable.name.find('=') == std::string::npos);
    require(variable.value.find('\0') == std::string::npos);
  }
}

void check_accepted(const LoadResult& loaded, bool text_holds_secret) {
  std::size_t tried = 0;
  for (const ServerEntry& server : loaded.config.servers) {
    if (++tried > kMaxTried) {
      return;
    }
    const auto policy = resolve_server(loaded.config, server.name, {}, environment());
    if (!policy.ok()) {
      require(!policy.error().id().empty());
      require_printable(policy.error().render());
      require(text_holds_secret || policy.error().render().find(kSecret) == std::string::npos);
      continue;
    }
    require_sound(*policy);
    require_printable(explain_text(*policy));
    json::Tape tape;
    const std::string document = explain_json(*policy);
    require(tape.parse(document));
    if (!text_holds_secret) {
      require_no_secret(*policy);
    }
  }
}

// Alone, a stranger's file starts nothing; beside an owner's file it changes nothing but by
// tightening.
void check_stranger(const SourceText& stranger, const LoadResult& loaded) {
  for (const ServerEntry& server : loaded.config.servers) {
    require(!resolve_server(loaded.config, server.name, {}, environment()).ok());
  }
  const SourceText owner{
      "owner.jsonc",
      R"({"version":1,"mcpServers":{"a":{"command":"x","args":["1"],"env":{"B":"2"},"timeout":500,)"
      R"("sandbox":{"filesystem":{"allowRead":["/r"],"denyRead":["/d"]}}}}})",
      SourceKind::kCalaboose, true, std::string(64, '0')};
  const LoadResult both = load_config({owner, stranger});
  const auto policy = resolve_server(both.config, "a", {}, environment());
  if (!policy.ok()) {
    return;
  }
  require(policy->command.value == "x" && policy->args == std::vector<std::string>{"1"});
  require(policy->env.size() == 1 && policy->env[0].value == "2");
  require(policy->timeout.value.count() <= 500 && policy->cwd.value.empty());
  require(!policy->sandbox_off && policy->minimum_level.value == Level::kFull);
  require(policy->paths.size() <= 1 &&
          (policy->paths.empty() || (policy->paths[0].path == "/r" && !policy->paths[0].write)));
  require(!policy->deny_read.empty() && policy->deny_read[0] == "/d");
  require(policy->allowed_hosts.empty() && policy->limits.memory_bytes.value == 0);
  CommandLine line;
  line.command = "y";
  const auto typed = resolve_server(loaded.config, "", line, environment());
  require(!typed.ok() || (typed->env.empty() && typed->paths.empty() && !typed->sandbox_off));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  SourceText source;
  source.path = "fuzz.jsonc";
  source.kind = static_cast<SourceKind>(data[0] % 3);
  source.trusted = (data[0] / 3) % 2 == 0;
  source.digest = std::string(64, '0');
  source.text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  (void)kind_of(source.text);

  const LoadResult loaded = load_config({source});
  const std::string shown = check_text(loaded);
  require_printable(shown);
  require(shown == check_text(load_config({source})));
  json::Tape tape;
  const std::string document = check_json(loaded);
  require(tape.parse(document));
  require(loaded.problems.size() <= kMaxProblems);
  for (const Error& problem : loaded.problems) {
    require(problem.id().starts_with("CB2") && problem.code() == Errc::kInvalidConfig &&
            problem.at().has_value());
  }
  if (!loaded.ok()) {
    return 0;
  }
  const bool text_holds_secret = source.text.find("q7Z") != std::string::npos;
  check_accepted(loaded, text_holds_secret);
  if (!source.trusted && source.kind != SourceKind::kManaged) {
    check_stranger(source, loaded);
  }
  return 0;
}
