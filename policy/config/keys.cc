// SPDX-License-Identifier: Apache-2.0
#include "policy/config/keys.h"

#include <array>

namespace calaboose::policy {
namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kTiB = 1ULL << 40U;
constexpr std::uint8_t kServerOnly = kServer;
constexpr std::uint8_t kBoth = kServer | kPolicy;
constexpr std::uint8_t kFiles = kRoot | kManagedFile;

using A = Availability;
using C = Check;
using S = Shape;
using T = Trend;

constexpr auto kKeys = std::to_array<KeySpec>({
    {"$schema", S::kString, kFiles},
    {"version", S::kInteger, kFiles, A::kNow, T::kOwnerOnly, C::kNone, {}, {}, {}, 1, 1},
    {"mcpServers", S::kObject, kRoot},
    {"policy", S::kObject, kRoot},
    {"audit", S::kObject, kFiles},
    {.path = "audit.level",
     .shape = S::kEnum,
     .scopes = kFiles,
     .availability = A::kLaterProtection,
     .values = "meta|full",
     .quiet = "meta"},
    {"audit.sink", S::kString, kManagedFile, A::kLaterProtection},
    {"typegen", S::kObject, kRoot},
    {"typegen.outFile", S::kString, kRoot, A::kNoEffectYet},

    {"command", S::kString, kServerOnly, A::kNow, T::kOwnerOnly, C::kCommand},
    {"args", S::kStringList, kServerOnly, A::kNow, T::kOwnerOnly, C::kArgument},
    {"url", S::kString, kServerOnly, A::kLater, T::kOwnerOnly, C::kUrl},
    {"headers", S::kStringMap, kBoth, A::kLater},
    {"cwd", S::kString, kBoth, A::kNow, T::kOwnerOnly, C::kPath},
    {"env", S::kStringMap, kBoth, A::kNow, T::kOwnerOnly, C::kEnvironment},
    {.path = "inheritDefaultEnv", .shape = S::kBool, .trend = T::kStrict, .strict = "false"},
    {"timeout", S::kInteger, kBoth, A::kNow, T::kLower, C::kNone, {}, {}, {}, 1, 86'400'000},
    {"clientInfo", S::kObject},
    {"clientInfo.name", S::kString},
    {"clientInfo.version", S::kString},
    {.path = "protocolVersion", .shape = S::kEnum, .values = "auto|2026-07-28|legacy"},
    {.path = "install",
     .shape = S::kEnum,
     .trend = T::kStrict,
     .values = "auto|never",
     .strict = "never"},
    {"allowedHosts", S::kStringList, kBoth, A::kLater, T::kSubset, C::kHost},

    {"sandbox", S::kSandbox},
    {.path = "sandbox.profile",
     .shape = S::kEnum,
     .trend = T::kStrict,
     .values = "strict|runtime|node|python",
     .strict = "strict"},
    {.path = "sandbox.minimumLevel",
     .shape = S::kEnum,
     .trend = T::kStrict,
     .values = "full|reduced",
     .strict = "full"},
    {"sandbox.filesystem", S::kObject},
    {"sandbox.filesystem.allowRead", S::kStringList, kBoth, A::kNow, T::kSubset, C::kGrant},
    {"sandbox.filesystem.allowWrite", S::kStringList, kBoth, A::kNow, T::kSubset, C::kGrant},
    {"sandbox.filesystem.denyRead", S::kStringList, kBoth, A::kNow, T::kUnion, C::kGrant},
    {"sandbox.filesystem.denyWrite", S::kStringList, kBoth, A::kNow, T::kUnion, C::kGrant},
    {"sandbox.network", S::kObject},
    {"sandbox.network.allowedDomains", S::kStringList, kBoth, A::kLater, T::kSubset,
     C::kHostPattern},
    {"sandbox.network.deniedDomains", S::kStringList, kBoth, A::kNoEffectYet, T::kUnion,
     C::kHostPattern},
    {"sandbox.network.rules", S::kObjectList, kBoth, A::kLater},
    {"sandbox.network.upstreamProxy", S::kString, kBoth, A::kLater, T::kOwnerOnly, C::kUrl},
    {"sandbox.network.noProxy", S::kStringList, kBoth, A::kLater},
    {"sandbox.network.caFile", S::kString, kBoth, A::kLater, T::kOwnerOnly, C::kPath},
    {"sandbox.limits", S::kObject},
    {"sandbox.limits.memory",
     S::kSize,
     kBoth,
     A::kNow,
     T::kLower,
     C::kNone,
     {},
     {},
     {},
     16 * kMiB,
     16 * kTiB},
    {"sandbox.limits.tasks",
     S::kInteger,
     kBoth,
     A::kNow,
     T::kLower,
     C::kNone,
     {},
     {},
     {},
     1,
     4'194'304},
    {"sandbox.limits.openFiles",
     S::kInteger,
     kBoth,
     A::kNow,
     T::kLower,
     C::kNone,
     {},
     {},
     {},
     16,
     1'048'576},
    {"sandbox.limits.fileSize",
     S::kSize,
     kBoth,
     A::kNow,
     T::kLower,
     C::kNone,
     {},
     {},
     {},
     4096,
     16 * kTiB},
    {"sandbox.limits.tmpSize",
     S::kSize,
     kBoth,
     A::kNow,
     T::kLower,
     C::kNone,
     {},
     {},
     {},
     kMiB,
     16 * kTiB},
    {.path = "sandbox.limits.enforce",
     .shape = S::kEnum,
     .trend = T::kStrict,
     .values = "best|hard",
     .strict = "hard"},
    {.path = "sandbox.unixSockets", .shape = S::kOff, .availability = A::kLater},

    {.path = "requireToolApproval",
     .shape = S::kApproval,
     .availability = A::kLaterProtection,
     .quiet = "false"},
    {"sanitize", S::kObject},
    {"sanitize.rules", S::kObjectList, kBoth, A::kLaterProtection},
    {.path = "forwardInstructions", .shape = S::kBool, .availability = A::kLater, .quiet = "false"},
    {"instructionsMaxLength",
     S::kInteger,
     kBoth,
     A::kNoEffectYet,
     T::kOwnerOnly,
     C::kNone,
     {},
     {},
     {},
     0,
     65'536},
    {.path = "trustAnnotations", .shape = S::kBool, .availability = A::kLater, .quiet = "false"},
    {.path = "firstUse",
     .shape = S::kEnum,
     .scopes = kBoth | kManagedFile,
     .availability = A::kLaterProtection,
     .values = "pin|hold|off",
     .quiet = "off"},

    {"allowedServers", S::kObjectList, kManagedFile},
    {.path = "minimumLevel", .shape = S::kEnum, .scopes = kManagedFile, .values = "full|reduced"},
    {"requirePinnedVersion", S::kBool, kManagedFile},
});

constexpr std::string_view kAlwaysJailed = "ignored: the server runs in our jail anyway";
constexpr std::string_view kOwnRules = "ignored: Calaboose's own rules decide what is approved";
constexpr std::string_view kCosmetic = "ignored: it has no meaning here";

constexpr auto kForeign = std::to_array<ForeignKey>({
    {"alwaysAllow", kOwnRules},
    {"autoApprove", kOwnRules},
    {"autoApproveAll", kOwnRules},
    {"trust", kOwnRules},
    {"sandboxEnabled", kAlwaysJailed},
    {"envFile", "ignored: give its variables in \"env\" with ${file:PATH}, or with --env NAME"},
    {"includeTools", "ignored: tools are not filtered by a host's file"},
    {"excludeTools", "ignored: tools are not filtered by a host's file"},
    {"tools", "ignored: tools are not filtered by a host's file"},
    {"disabledTools", "ignored: tools are not filtered by a host's file"},
    {"oauth", "ignored: remote servers are not available in this version"},
    {"auth", "ignored: remote servers are not available in this version"},
    {"authProviderType", "ignored: remote servers are not available in this version"},
    {"description", kCosmetic},
    {"name", kCosmetic},
    {"title", kCosmetic},
    {"icon", kCosmetic},
    {"gallery", kCosmetic},
    {"version", kCosmetic},
    {"dev", kCosmetic},
    {"metadata", kCosmetic},
    {"startupTimeout", kCosmetic},
    {"networkTimeout", kCosmetic},
});

}  // namespace

std::span<const KeySpec> config_keys() {
  return kKeys;
}

std::span<const ForeignKey> foreign_keys() {
  return kForeign;
}

const KeySpec* find_key(std::string_view path, Scope scope) {
  for (const KeySpec& key : kKeys) {
    if (key.path == path && (key.scopes & scope) != 0) {
      return &key;
    }
  }
  return nullptr;
}

}  // namespace calaboose::policy
