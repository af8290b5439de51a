// SPDX-License-Identifier: Apache-2.0
// Server identity: SHA-256 over scope, name and package, each with its length in front so that no
// two triples mix. Place: runner/plan. Pure.
#include "runner/plan/identity.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/text.h"
#include "runner/plan/paths.h"

namespace calaboose::plan {
namespace {

constexpr std::uint32_t kFirstId = 64000;
constexpr std::uint32_t kIds = 1000;

void append_field(std::string& out, const std::string& field) {
  out += std::to_string(field.size());
  out += ':';
  out += field;
}

/// The uids and gids of /etc/passwd and /etc/group (third field of each line).
void read_ids(const host::Files& files, const std::string& path, std::set<std::uint32_t>& out) {
  const std::string text = files.read_head(path, 1U << 20U).value_or("");
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find(':', at);
    const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
    if (second != std::string::npos && second < end) {
      std::uint32_t id = 0;
      std::from_chars(text.data() + second + 1, text.data() + end, id);
      out.insert(id);
    }
    at = end + 1;
  }
}

}  // namespace

Identity identify(const policy::ServerPolicy& policy, const std::string& package) {
  std::string name = policy.name;
  if (name.empty()) {
    name = is_absolute(package) ? name_of(package) : package;
  }
  std::string text = "calaboose server identity 1\n";
  append_field(text, policy.scope);
  append_field(text, name);
  append_field(text, package);
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return {to_hex(digest), package};
}

std::uint32_t outer_id_for(const std::string& sid, const host::Files& files) {
  std::set<std::uint32_t> taken;
  read_ids(files, "/etc/passwd", taken);
  read_ids(files, "/etc/group", taken);
  std::uint32_t start = 0;
  std::from_chars(sid.data(), sid.data() + std::min<std::size_t>(sid.size(), 8), start, 16);
  for (std::uint32_t i = 0; i < kIds; ++i) {
    const std::uint32_t id = kFirstId + (start % kIds + i) % kIds;
    if (taken.count(id) == 0) {
      return id;
    }
  }
  return kFirstId + start % kIds;
}

}  // namespace calaboose::plan
