// SPDX-License-Identifier: Apache-2.0
#include "policy/config/values.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "policy/config/secrets.h"

namespace calaboose::policy {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};

constexpr std::array<Unit, 9> kUnits{{{"B", 1},
                                      {"KB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000},
                                      {"TB", 1'000'000'000'000},
                                      {"KiB", 1ULL << 10U},
                                      {"MiB", 1ULL << 20U},
                                      {"GiB", 1ULL << 30U},
                                      {"TiB", 1ULL << 40U}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A refused value may still be a secret, such as a URL with a password.
std::string quote(std::string_view text) {
  return looks_like_secret(text) ? "\"(hidden)\"" : "\"" + printable(text, 120) + "\"";
}

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > 5 || !std::all_of(text.begin(), text.end(), is_digit)) {
    return false;
  }
  unsigned port = 0;
  for (const char c : text) {
    port = port * 10 + static_cast<unsigned>(c - '0');
  }
  return port >= 1 && port <= 65535;
}

// Shape only; the egress decides on the parsed address.
bool is_ipv6_text(std::string_view text) {
  return text.size() >= 2 && text.size() <= 45 && text.find(':') != std::string_view::npos &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= 63 &&
         std::all_of(label.begin(), label.end(), [](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '_' ||
                  static_cast<unsigned char>(c) >= 0x80;
         });
}

bool is_name(std::string_view host) {
  if (host.ends_with('.')) {
    host.remove_suffix(1);
  }
  if (host.empty() || host.size() > 253) {
    return false;
  }
  while (true) {
    const std::size_t dot = host.find('.');
    if (!is_label(host.substr(0, dot))) {
      return false;
    }
    if (dot == std::string_view::npos) {
      return true;
    }
    host.remove_prefix(dot + 1);
  }
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::size_t digits = 0;
  std::uint64_t number = 0;
  for (; digits < text.size() && is_digit(text[digits]); ++digits) {
    const auto digit = static_cast<std::uint64_t>(text[digits] - '0');
    if (number > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) {
      return std::nullopt;
    }
    number = number * 10 + digit;
  }
  if (digits == 0) {
    return std::nullopt;
  }
  const std::string_view unit = text.substr(digits);
  if (unit.empty()) {
    return number;
  }
  for (const Unit& known : kUnits) {
    if (known.name == unit) {
      return number <= std::numeric_limits<std::uint64_t>::max() / known.bytes
                 ? std::optional(number * known.bytes)
                 : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string format_size(std::uint64_t bytes) {
  // The unit that was probably written: the largest one that divides evenly, powers of 1024 first.
  for (const std::size_t i : {8U, 7U, 6U, 4U, 3U, 2U, 5U, 1U}) {
    const Unit& unit = kUnits.at(i);
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) {
      return std::to_string(bytes / unit.bytes) + " " + std::string(unit.name);
    }
  }
  return std::to_string(bytes) + " B";
}

namespace {

// What stands behind the host: nothing, or a colon and a port.
Complaint check_port(std::string_view rest, const std::string& shown) {
  if (rest.empty()) {
    return {};
  }
  if (rest[0] != ':') {
    return {"the host " + shown + " has something else than a port behind its address", ""};
  }
  if (!is_port(rest.substr(1))) {
    return {"the host " + shown + " has no port between 1 and 65535 behind its colon", ""};
  }
  return {};
}

// Without scheme, path and wildcards by now: [IPv6], name or IPv4, each with or without a port.
Complaint check_host_and_port(std::string_view host, const std::string& shown) {
  if (host.starts_with('[')) {
    const std::size_t close = host.find(']');
    if (close == std::string_view::npos || !is_ipv6_text(host.substr(1, close - 1))) {
      return {"the host " + shown + " is no IPv6 address in brackets", ""};
    }
    return check_port(host.substr(close + 1), shown);
  }
  const std::size_t colon = std::min(host.find(':'), host.size());
  if (host.find(':', colon + 1) != std::string_view::npos) {
    return {"the host " + shown + " has two colons",
            "write an IPv6 address in brackets: \"[::1]:8080\""};
  }
  if (!is_name(host.substr(0, colon))) {
    return {shown + " is no host name", "such as \"api.example.com\" or \"api.example.com:8443\""};
  }
  return check_port(host.substr(colon), shown);
}

}  // namespace

Complaint check_host(std::string_view text, bool wildcard) {
  const std::string shown = quote(text);
  if (text.empty()) {
    return {"an empty host can never match", "leave the entry out"};
  }
  if (has_control_bytes(text) || text.find(' ') != std::string_view::npos) {
    return {"the host " + shown + " holds white space or control characters", ""};
  }
  if (text.find("://") != std::string_view::npos) {
    return {"the host " + shown + " names a scheme, so it can never match",
            "write the host alone, such as \"api.example.com\" or \"api.example.com:8443\""};
  }
  if (text.find_first_of("/?#@\\") != std::string_view::npos) {
    return {"the host " + shown + " holds more than a host and a port, so it can never match",
            "write the host alone, such as \"api.example.com\""};
  }
  const std::string_view host = wildcard && text.starts_with("*.") ? text.substr(2) : text;
  if (host.find('*') != std::string_view::npos) {
    return {"the host " + shown + " holds a wildcard",
            wildcard ? "only a leading \"*.\" is possible"
                     : "name each host; wildcards belong into sandbox.network.allowedDomains"};
  }
  return check_host_and_port(host, shown);
}

Complaint check_server_name(std::string_view name, bool host_file) {
  const std::string shown = quote(name);
  if (name.empty()) {
    return {"a server name cannot be empty", ""};
  }
  if (name.size() > kMaxServerNameBytes) {
    return {"the server name " + shown + " is longer than " + std::to_string(kMaxServerNameBytes) +
                " bytes",
            ""};
  }
  if (printable(name) != name) {
    return {"the server name " + shown + " holds invisible or control characters", ""};
  }
  if (host_file) {
    return {};
  }
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
  });
  if (!plain || !(is_letter(name[0]) || is_digit(name[0]))) {
    return {shown + " cannot be a server name",
            "letters, digits, \".\", \"_\" and \"-\", starting with a letter or digit"};
  }
  return {};
}

Complaint check_command(std::string_view command) {
  if (command.empty()) {
    return {"the command is empty", "name a program, such as \"npx\" or \"/usr/bin/node\""};
  }
  if (command.size() > kMaxCommandBytes) {
    return {"the command is longer than " + std::to_string(kMaxCommandBytes) + " bytes", ""};
  }
  if (has_control_bytes(command)) {
    return {"the command " + quote(command) + " holds control characters", ""};
  }
  if (command[0] == '-') {
    return {"the command " + quote(command) + " starts with \"-\"",
            "options of the server belong into \"args\""};
  }
  if (command.find('/') == std::string_view::npos && command.find("${") == std::string_view::npos) {
    if (command.find(' ') != std::string_view::npos) {
      return {"the command " + quote(command) + " holds arguments",
              "name the program alone and put the rest into \"args\", one element each"};
    }
    if (command.find_first_of("|&;<>()$`\"'\\*?[]{}!#") != std::string_view::npos) {
      return {
          "the command " + quote(command) + " is written for a shell, and none is used",
          "name the program alone; for a shell say so: \"command\": \"sh\", \"args\": [\"-c\", …]"};
    }
  }
  return {};
}

Complaint check_env_name(std::string_view name) {
  const bool fine = !name.empty() && name.size() <= 256 && !is_digit(name[0]) &&
                    std::all_of(name.begin(), name.end(),
                                [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (!fine) {
    return {quote(name) + " cannot be the name of a variable",
            "letters, digits and \"_\", not starting with a digit"};
  }
  return {};
}

Complaint check_grant_path(std::string_view path) {
  if (path.empty()) {
    return {"an empty path", "leave the entry out"};
  }
  if (path.size() > kMaxCommandBytes) {
    return {"a path longer than " + std::to_string(kMaxCommandBytes) + " bytes", ""};
  }
  if (has_control_bytes(path)) {
    return {"the path " + quote(path) + " holds control characters", ""};
  }
  if (path[0] != '/' && path != "~" && !path.starts_with("~/") && !path.starts_with("${")) {
    return {"the path " + quote(path) + " is not absolute",
            "start it with \"/\", \"~/\" or \"${workspaceFolder}/\""};
  }
  if (path.find('*') != std::string_view::npos || path.find('?') != std::string_view::npos) {
    return {"the path " + quote(path) + " holds a wildcard",
            "name the folder itself; all below it is included"};
  }
  for (std::size_t at = path.find(".."); at != std::string_view::npos;
       at = path.find("..", at + 1)) {
    const bool begins = at == 0 || path[at - 1] == '/';
    if (begins && (at + 2 == path.size() || path[at + 2] == '/')) {
      return {"the path " + quote(path) + " holds \"..\"", "write where it really is"};
    }
  }
  return {};
}

Complaint check_url(std::string_view url) {
  const std::size_t skip = url.starts_with("https://") ? 8 : (url.starts_with("http://") ? 7 : 0);
  if (skip == 0 || url.size() == skip || url.size() > kMaxCommandBytes || has_control_bytes(url)) {
    return {quote(url) + " is no http or https URL", ""};
  }
  return {};
}

Complaint check_text(Check check, std::string_view text) {
  switch (check) {
    case Check::kCommand:
      return check_command(text);
    case Check::kArgument:
    case Check::kEnvironment:
      if (text.size() > kMaxArgumentBytes) {
        return {"a text of " + std::to_string(text.size()) + " bytes, more than the " +
                    std::to_string(kMaxArgumentBytes) + " that a program can be given",
                ""};
      }
      return {};
    case Check::kPath:
      if (text.empty() || text.size() > kMaxCommandBytes || has_control_bytes(text)) {
        return {quote(text) + " is no path", ""};
      }
      return {};
    case Check::kGrant:
      return check_grant_path(text);
    case Check::kHost:
      return check_host(text, false);
    case Check::kHostPattern:
      return check_host(text, true);
    case Check::kUrl:
      return check_url(text);
    case Check::kNone:
      if (has_control_bytes(text)) {
        return {quote(text) + " holds control characters", ""};
      }
      return {};
  }
  return {};
}

bool has_control_bytes(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace calaboose::policy
