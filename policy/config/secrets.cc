// SPDX-License-Identifier: Apache-2.0
#include "policy/config/secrets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calaboose::policy {
namespace {

constexpr std::size_t kMinSecret = 16;
constexpr double kRandomBits =
    3.0;  // per character; words and paths stay below, hexadecimal and base64 are above

constexpr std::array<std::string_view, 30> kPrefixes{
    "sk-",    "sk_live_",    "sk_test_", "rk_live_", "ghp_",   "gho_",      "ghs_",  "ghu_",
    "ghr_",   "github_pat_", "glpat-",   "xoxb-",    "xoxp-",  "xoxa-",     "xapp-", "AKIA",
    "ASIA",   "AIza",        "ya29.",    "npm_",     "pypi-",  "hf_",       "SG.",   "dop_v1_",
    "whsec_", "lin_api_",    "ntn_",     "Bearer ",  "Basic ", "-----BEGIN"};

constexpr std::array<std::string_view, 10> kSecretWords{
    "token",   "secret",  "password",   "passwd",     "apikey",
    "api-key", "api_key", "access-key", "access_key", "authorization"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Three parts of base64url, the first a JSON object: {" encodes to eyJ.
bool is_jwt(std::string_view text) {
  return text.starts_with("eyJ") && std::count(text.begin(), text.end(), '.') == 2;
}

bool has_url_password(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) {
    return false;
  }
  const std::string_view rest = text.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  const std::size_t colon = authority.find(':');
  return at != std::string_view::npos && colon < at && at - colon > 1 &&
         authority[colon + 1] != '$';
}

bool looks_random(std::string_view text) {
  if (text.size() < kMinSecret || text.find("${") != std::string_view::npos ||
      text.find_first_of(" /\\\t\n") != std::string_view::npos) {
    return false;
  }
  std::array<int, 256> counts{};
  for (const char c : text) {
    ++counts.at(static_cast<unsigned char>(c));
  }
  double bits = 0;
  for (const int n : counts) {
    if (n > 0) {
      const double p = static_cast<double>(n) / static_cast<double>(text.size());
      bits -= p * std::log2(p);
    }
  }
  return bits >= kRandomBits;
}

void mask_range(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(end), '*');
}

// One past the last byte of the string literal whose first byte after the quote is `begin`; a
// literal that does not end on its line ends there.
std::size_t literal_end(std::string_view text, std::size_t begin) {
  std::size_t i = begin;
  while (i < text.size() && text[i] != '"' && text[i] != '\n') {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n';
    i += escaped ? 2U : 1U;
  }
  return std::min(i, text.size());
}

}  // namespace

bool looks_like_secret(std::string_view text) {
  if (text.size() < kMinSecret || text.find("${") != std::string_view::npos) {
    return false;
  }
  const bool prefixed =
      std::any_of(kPrefixes.begin(), kPrefixes.end(),
                  [&](std::string_view prefix) { return text.starts_with(prefix); });
  return prefixed || is_jwt(text) || has_url_password(text);
}

bool names_a_secret(std::string_view name) {
  std::string low(name.substr(0, 256));
  std::transform(low.begin(), low.end(), low.begin(), lower);
  const bool known = std::any_of(kSecretWords.begin(), kSecretWords.end(), [&](std::string_view w) {
    return low.find(w) != std::string::npos;
  });
  return known || low == "key" || low.ends_with("_key") || low.ends_with("-key") ||
         low.ends_with("_pat") || low.ends_with("_pass");
}

std::optional<std::size_t> secret_in_arguments(const std::vector<std::string>& args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view arg = args[i];
    const std::size_t equals = arg.find('=');
    const bool has_value = equals != std::string_view::npos;
    const std::string_view value = has_value ? arg.substr(equals + 1) : std::string_view();
    if (looks_like_secret(arg) || looks_like_secret(value) ||
        (has_value && names_a_secret(arg.substr(0, equals)) && looks_random(value))) {
      return i;
    }
    if (i > 0 && args[i - 1].starts_with("-") && args[i - 1].find('=') == std::string::npos &&
        names_a_secret(args[i - 1]) && looks_random(arg)) {
      return i;
    }
  }
  return std::nullopt;
}

void mask_secrets_in_text(std::string& text) {
  std::string_view previous;  // the last literal: the name, if a colon follows it
  bool after_colon = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':') {
      after_colon = true;
    } else if (text[i] == ',' || text[i] == '{' || text[i] == '\n') {
      after_colon = false;
    } else if (text[i] == '"') {
      const std::size_t end = literal_end(text, i + 1);
      const std::string_view literal = std::string_view(text).substr(i + 1, end - i - 1);
      if (looks_like_secret(literal) || (after_colon && names_a_secret(previous) &&
                                         literal.find("${") == std::string_view::npos)) {
        mask_range(text, i + 1, end);
      }
      previous = std::string_view(text).substr(i + 1, end - i - 1);
      i = end;
    }
  }
}

}  // namespace calaboose::policy
