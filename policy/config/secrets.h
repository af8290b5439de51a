// SPDX-License-Identifier: Apache-2.0
// Recognises literal secrets in configuration texts, to warn about them and to keep them out of
// messages. Place: policy/config. Pure. A heuristic for display and warnings; no permission depends
// on it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calaboose::policy {

/// True for known token forms (sk-…, ghp_…, AKIA…, JWTs, private keys, URLs with a password).
bool looks_like_secret(std::string_view text);

/// True for names that hold secrets as a rule: API_KEY, GITHUB_TOKEN, --api-key, "Authorization".
bool names_a_secret(std::string_view name);

/// Index of the first argument that is or holds a literal secret (J56): a known form, or a
/// random-looking value after
/// --token, --api-key and the like.
std::optional<std::size_t> secret_in_arguments(const std::vector<std::string>& args);

/// Replaces what looks like a secret in a text that did not parse by asterisks, byte for byte.
void mask_secrets_in_text(std::string& text);

}  // namespace calaboose::policy
