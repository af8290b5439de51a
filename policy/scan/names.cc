// SPDX-License-Identifier: Apache-2.0
#include "policy/scan/names.h"

#include <array>
#include <set>
#include <string_view>

#include "base/text.h"
#include "policy/scan/unicode.h"

namespace calaboose::policy {
namespace {

void append_unit(std::string& out, std::uint32_t unit) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) {
    out += kDigits[(unit >> shift) & 0xFU];
  }
}

// The name with every odd character as visible \uXXXX text (UTF-16 units, as JSON would spell it).
std::string written_out(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    unsigned length = 1;
    const std::uint32_t cp = decode_utf8(name, i, length);
    if (!is_odd(cp)) {
      out.append(name, i, length);
    } else if (cp < 0x10000) {
      append_unit(out, cp);
    } else {
      append_unit(out, 0xD800U + ((cp - 0x10000U) >> 10U));
      append_unit(out, 0xDC00U + ((cp - 0x10000U) & 0x3FFU));
    }
    i += length;
  }
  return out;
}

}  // namespace

void unique_names(json::Value object, std::vector<Renaming>& renamings) {
  std::set<std::string> taken;  // ordered: names chosen to collide in a hash cost nothing here
  std::size_t next = 0;
  object.each_member([&](json::Value name, json::Value) {
    if (next < renamings.size() && renamings[next].name == name.index()) {
      ++next;
    } else {
      taken.insert(*name.string());
    }
  });
  for (Renaming& renaming : renamings) {
    if (taken.contains(renaming.text)) {
      renaming.text = written_out(*json::Value(object.tape(), renaming.name).string());
    }
    while (!taken.insert(renaming.text).second) {
      renaming.text += '_';
    }
  }
}

}  // namespace calaboose::policy
