// SPDX-License-Identifier: Apache-2.0
// Every key that a configuration can hold: type, range, and how a file that nobody accepted may use
// it. Place: policy/config; one table for loader, merge, documentation and the published schema's
// test. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace calaboose::policy {

enum class Shape : std::uint8_t {
  kObject,   // with keys of its own in the table
  kSandbox,  // an object, or "off"
  kBool,
  kInteger,
  kSize,  // bytes, or "512MB", "1GiB"
  kString,
  kEnum,
  kStringList,
  kStringMap,
  kObjectList,  // objects of a later version, not looked into
  kApproval,    // boolean or list of objects
  kOff,         // false or an empty list only means "none"
};

/// What a text must look like.
enum class Check : std::uint8_t {
  kNone,
  kCommand,
  kArgument,
  kPath,
  kGrant,
  kEnvironment,
  kHost,
  kHostPattern,
  kUrl
};

enum class Availability : std::uint8_t {
  kNow,
  kLater,            // refused when the server is used, unless it asks for nothing
  kLaterProtection,  // the same with exit 4: a protection that cannot be had
  kNoEffectYet,      // accepted with a note: nothing here depends on it
};

/// Which values of a file that nobody accepted are taken.
enum class Trend : std::uint8_t {
  kOwnerOnly,  // none
  kLower,      // a smaller number than the owner's
  kStrict,     // the value `strict`
  kUnion,      // additions
  kSubset,     // only what the owner's list holds too
};

enum Scope : std::uint8_t { kRoot = 1, kServer = 2, kPolicy = 4, kManagedFile = 8 };

struct KeySpec {
  std::string_view path;  // dotted, from the object that holds it: "sandbox.limits.memory"
  Shape shape = Shape::kString;
  std::uint8_t scopes = kServer | kPolicy;
  Availability availability = Availability::kNow;
  Trend trend = Trend::kOwnerOnly;
  Check check = Check::kNone;
  std::string_view values = {};  // kEnum: "full|reduced"
  std::string_view strict = {};
  std::string_view quiet = {};  // the value of a later key that asks for nothing
  std::uint64_t min = 0;        // kInteger, kSize
  std::uint64_t max = 0;
};

std::span<const KeySpec> config_keys();

/// The key with this path in this scope, or null.
const KeySpec* find_key(std::string_view path, Scope scope);

/// Keys of hosts' files that have no meaning here; `effect` says what happens to them.
struct ForeignKey {
  std::string_view name;
  std::string_view effect;
};

std::span<const ForeignKey> foreign_keys();

}  // namespace calaboose::policy
