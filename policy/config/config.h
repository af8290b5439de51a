// SPDX-License-Identifier: Apache-2.0
// The loaded configuration before a server is chosen: every value of every file with its origin.
// Place: policy/config; made by load_config, read by resolve_server and check. Pure values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/config/keys.h"
#include "policy/config/server_policy.h"

namespace calaboose::policy {

enum class SourceKind : std::uint8_t {
  kCalaboose,  // our own format, strict
  kHostFile,   // a host's `mcpServers` or VS Code's `servers`: foreign keys are mapped or ignored
               // with a note
  kManaged,    // the administrator's file: can only tighten
};

/// One file as the caller read it. The caller decides trust: a file whose digest the owner has not
/// accepted (design section 5, consent) is not trusted and can only tighten.
struct SourceText {
  std::string path;  // real path; also what messages show
  std::string text;  // at most kMaxConfigBytes, else the load fails
  SourceKind kind = SourceKind::kCalaboose;
  bool trusted = false;
  std::string digest;  // SHA-256 of the bytes, 64 hex digits; shown in the remedy
};

/// Something worth knowing that stops nothing: an ignored foreign key, a secret in the arguments.
struct Note {
  std::string server;  // empty: the whole file
  std::string text;
  std::optional<SourceRef> at;

  std::string render() const;  // "mcp.json:4:7: text", printable
};

/// One element of a list or one member of a map.
struct Item {
  std::string name;  // maps only
  std::string text;  // as written, references not followed
  Origin origin;
  bool literal = false;  // typed on the command line: no references in it
};

/// One key that a file (or the command line) gives.
struct Field {
  const KeySpec* key = nullptr;
  Origin origin;
  std::string text;          // strings, enumerations, "true" and "false"
  std::uint64_t number = 0;  // integers, sizes in bytes
  std::vector<Item> items;   // lists and maps
  bool asks = true;  // a key of a later version: false if it asks for nothing beyond the defaults
};

/// All keys of one object (`policy`, one server, the command line), in the order of the text.
struct Layer {
  std::vector<Field> fields;

  const Field* find(std::string_view path) const;
};

struct ServerDefinition {
  std::size_t source = 0;  // index into Config::sources
  Origin origin;           // where its name stands
  Layer layer;
  bool disabled = false;  // a host's `"disabled": true`

  /// True if this entry says what to run (`command` or `url`); else it only adds settings to
  /// another file's entry.
  bool defines() const { return layer.find("command") != nullptr || layer.find("url") != nullptr; }
};

struct ServerEntry {
  std::string name;
  std::vector<ServerDefinition> definitions;  // in search order
};

struct PolicyLayer {
  std::size_t source = 0;
  Layer layer;
};

/// An entry of VS Code's `inputs`.
struct InputDeclaration {
  std::string id;
  std::string description;
};

/// The administrator's rules.
struct AllowedServer {
  std::string package;  // "npm:@scope/name", "pypi:name" or an absolute path
  std::string digest;   // empty, or "sha256:…"
  Origin origin;
};

struct Managed {
  std::optional<std::vector<AllowedServer>> allowed_servers;  // absent: any
  Origin allowed_servers_origin;
  std::optional<Setting<Level>> minimum_level;
  std::optional<Setting<bool>> require_pinned_version;
  std::vector<Field> later;  // asked for, not available in this version: no server starts
};

/// Immutable after load_config. A value; const use from several threads is fine.
struct Config {
  std::vector<SourceText> sources;
  std::vector<PolicyLayer> policies;  // in search order
  std::vector<ServerEntry> servers;   // in order of appearance
  std::vector<InputDeclaration> inputs;
  Managed managed;
  Setting<std::string> audit_level{"meta", {}};
  std::vector<Note> notes;

  const ServerEntry* find(std::string_view name) const;
  std::vector<std::string_view> server_names() const;
};

}  // namespace calaboose::policy
