// SPDX-License-Identifier: Apache-2.0
// The Ed25519 key pair that signs heads: audit.key (PKCS#8 PEM, 0600) and audit.pub (PEM).
// Place: runner/audit; internal.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace calaboose::audit {

using Signature = std::array<std::uint8_t, 64>;
using RawKey = std::array<std::uint8_t, 32>;

/// Checks signatures. A value. Threads: const methods may be called at the same time.
class PublicKey {
 public:
  explicit PublicKey(const RawKey& raw);

  /// First 16 hexadecimal digits of the SHA-256 of the raw key.
  const std::string& id() const { return id_; }

  const RawKey& raw() const { return raw_; }

  bool verify(std::string_view message, const Signature& signature) const;
  std::string to_pem() const;

 private:
  RawKey raw_;
  std::string id_;
};

/// Signs. Holds the secret in memory that is wiped at the end.
class SigningKey {
 public:
  static Result<SigningKey> from_seed(const RawKey& seed);

  const PublicKey& public_key() const { return public_; }

  Result<Signature> sign(std::string_view message) const;

 private:
  struct Handle;

  SigningKey(std::shared_ptr<const Handle> handle, PublicKey public_key)
      : handle_(std::move(handle)), public_(std::move(public_key)) {}

  std::shared_ptr<const Handle> handle_;
  PublicKey public_;
};

/// Reads the pair in `keys_dir`, or makes it (directory 0700; two processes that start at once
/// agree on one pair). Errors: kCannotEnforce when directory or key are open to others, or the two
/// files do not belong together.
Result<SigningKey> load_or_create_keys(const std::string& keys_dir);

/// Reads a public key in PEM. Errors: kIo, kInvalidInput.
Result<PublicKey> load_public_key(const std::string& path);

}  // namespace calaboose::audit
