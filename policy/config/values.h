// SPDX-License-Identifier: Apache-2.0
// Judges single values of a configuration: sizes, hosts, names, commands, paths.
// Place: policy/config. Pure. A complaint is a text for people without position; empty means fine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policy/config/keys.h"

namespace calaboose::policy {

inline constexpr std::size_t kMaxCommandBytes = 4096;
inline constexpr std::size_t kMaxArgumentBytes = 128U << 10U;  // what execve takes for one string
inline constexpr std::size_t kMaxArgumentsBytes = 1U << 20U;   // all together
inline constexpr std::size_t kMaxServerNameBytes = 64;

struct Complaint {
  std::string what;  // empty: none
  std::string hint;

  bool none() const { return what.empty(); }
};

/// "512MB" (powers of 1000), "1GiB" (powers of 1024), "4096" or "4096B"; whole numbers only.
std::optional<std::uint64_t> parse_size(std::string_view text);
/// "1 GiB" if it divides evenly, else the number of bytes.
std::string format_size(std::uint64_t bytes);

/// host, host:port, IPv4, [IPv6], [IPv6]:port; `wildcard` allows a leading "*." (rules, not
/// allowedHosts).
Complaint check_host(std::string_view text, bool wildcard);

/// Our own files: letters, digits, `.`, `_`, `-`; hosts' files: anything that prints as it is.
Complaint check_server_name(std::string_view name, bool host_file);

/// J57: no shell anywhere, so nothing that only a shell would understand.
Complaint check_command(std::string_view command);
Complaint check_env_name(std::string_view name);
/// A path before its references are followed: absolute, ~ or starting with a reference; no "..", no
/// control bytes.
Complaint check_grant_path(std::string_view path);
/// Where a url server is: http or https, a host.
Complaint check_url(std::string_view url);

/// By the key's kind of text.
Complaint check_text(Check check, std::string_view text);

/// True for C0 controls and DEL.
bool has_control_bytes(std::string_view text);

}  // namespace calaboose::policy
