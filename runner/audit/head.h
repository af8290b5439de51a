// SPDX-License-Identifier: Apache-2.0
// The signed head beside a log: how many records there are and what the last one is. A chain alone
// stays valid when its tail is cut (A02) or when all of it is recomputed (A03); the head is what
// shows both. Place: runner/audit; internal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runner/audit/digest.h"
#include "runner/audit/keys.h"

namespace calaboose::audit {

inline constexpr std::size_t kMaxHeadBytes = 16384;

/// What is signed. `size` counts the bytes of the log up to and with the newline of record `count`.
struct Head {
  std::string run;          // the run that created the log
  std::uint64_t count = 0;  // records
  std::uint64_t size = 0;   // bytes
  Digest last{};     // SHA-256 of record `count` without its newline; genesis() when count is 0
  std::string time;  // RFC 3339
  bool open = true;  // a writer is, or was, at work; false: nothing may follow
};

/// "<log>.head"
std::string head_path(const std::string& log_path);

/// The file's text: one JSON object with the signature as last member, and a newline.
Result<std::string> sign_head(const Head& head, const SigningKey& key);

/// Reads a head of exactly the form that sign_head() writes, and checks key and signature.
/// Errors: kInvalidInput, one sentence that says what does not fit.
Result<Head> check_head(std::string_view text, const PublicKey& key);

}  // namespace calaboose::audit
