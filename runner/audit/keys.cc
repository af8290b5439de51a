// SPDX-License-Identifier: Apache-2.0
// Key files. An Ed25519 key in PKCS#8 or SubjectPublicKeyInfo (RFC 8410) is a fixed prefix and 32
// bytes, so both are read and written here: strict, bounded, and without starting the library's
// decoder machinery (about 1 ms). Place: runner/audit.
#include "runner/audit/keys.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <cerrno>

#include "base/text.h"
#include "runner/audit/audit.h"
#include "runner/audit/digest.h"
#include "runner/audit/files.h"

namespace calaboose::audit {
namespace {

using namespace std::string_view_literals;

struct KeyDeleter {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

using KeyPtr = std::unique_ptr<EVP_PKEY, KeyDeleter>;

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

using ContextPtr = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;

constexpr std::size_t kMaxPemBytes = 1024;
constexpr auto kPrivatePrefix =
    "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20"sv;
constexpr auto kPublicPrefix = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"sv;

const unsigned char* as_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// Wipes a text when its scope ends.
class Wipe {
 public:
  explicit Wipe(std::string& text) : text_(text) {}

  Wipe(const Wipe&) = delete;
  Wipe& operator=(const Wipe&) = delete;

  ~Wipe() { OPENSSL_cleanse(text_.data(), text_.size()); }

 private:
  std::string& text_;
};

std::string to_pem_text(std::string_view label, std::string_view prefix, const RawKey& raw) {
  std::string der(prefix);
  der.append(reinterpret_cast<const char*>(raw.data()), raw.size());
  const Wipe wipe(der);
  std::array<unsigned char, 128> base64{};
  const int size = EVP_EncodeBlock(base64.data(), as_bytes(der), static_cast<int>(der.size()));
  std::string text = "-----BEGIN ";
  text.append(label).append("-----\n");
  text.append(reinterpret_cast<const char*>(base64.data()), static_cast<std::size_t>(size));
  text.append("\n-----END ").append(label).append("-----\n");
  OPENSSL_cleanse(base64.data(), base64.size());
  return text;
}

/// The raw key if `text` is exactly what to_pem_text() would write for it.
bool from_pem_text(std::string_view text, std::string_view label, std::string_view prefix,
                   RawKey& raw) {
  const std::size_t first = text.find('\n');
  const std::size_t second = text.find('\n', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) {
    return false;
  }
  const std::string_view base64 = text.substr(first + 1, second - first - 1);
  std::array<unsigned char, 128> der{};
  if (base64.size() > 64 ||
      EVP_DecodeBlock(der.data(), as_bytes(base64), static_cast<int>(base64.size())) < 0) {
    return false;
  }
  for (std::size_t i = 0; i < raw.size(); ++i) {
    raw[i] = der[prefix.size() + i];
  }
  OPENSSL_cleanse(der.data(), der.size());
  std::string again = to_pem_text(label, prefix, raw);
  const Wipe wipe(again);
  return again == text;
}

Result<void> check_private(const std::string& path, bool directory) {
  struct stat info {};

  if (::lstat(path.c_str(), &info) != 0) {
    return errno_error("cannot look at " + printable(path), errno);
  }
  const bool kind_fits = directory ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode);
  if (!kind_fits) {
    return Error(Errc::kCannotEnforce,
                 printable(path) + (directory ? " is not a directory" : " is not a regular file"));
  }
  if (info.st_uid != ::geteuid()) {
    return Error(Errc::kCannotEnforce, printable(path) + " belongs to another user")
        .with_hint("the audit key must be yours alone; use another state directory");
  }
  if ((info.st_mode & 077U) != 0) {
    return Error(Errc::kCannotEnforce, printable(path) + " is open to other users")
        .with_hint(std::string("chmod ") + (directory ? "700 " : "600 ") + printable(path));
  }
  return {};
}

Result<SigningKey> read_key(const std::string& path) {
  CALABOOSE_CHECK(check_private(path, false));
  CALABOOSE_TRY(std::string text, read_small_file(path, kMaxPemBytes));
  const Wipe wipe(text);
  RawKey seed{};
  if (!from_pem_text(text, "PRIVATE KEY", kPrivatePrefix, seed)) {
    return Error(Errc::kCannotEnforce, printable(path) + " is not an Ed25519 key in PKCS#8 PEM")
        .with_hint("move it away; a new pair is made at the next start");
  }
  auto key = SigningKey::from_seed(seed);
  OPENSSL_cleanse(seed.data(), seed.size());
  return key;
}

/// Creates `path` with this text unless it exists.
Result<void> create_once(const std::string& path, std::string_view text, mode_t mode) {
  const std::string temporary = path + "." + new_run_id() + ".tmp";
  CALABOOSE_TRY(Fd fd, open_file(temporary, O_WRONLY | O_CREAT | O_EXCL, mode));
  auto written = write_all(fd.get(), text);
  if (!written.ok() || ::fsync(fd.get()) != 0) {
    const int err = errno;
    ::unlink(temporary.c_str());
    return written.ok() ? errno_error("cannot sync " + printable(temporary), err)
                        : std::move(written).error().in(printable(temporary));
  }
  CALABOOSE_CHECK(publish(temporary, path));
  return {};
}

Result<void> create_key(const std::string& path) {
  RawKey seed{};
  if (RAND_priv_bytes(seed.data(), static_cast<int>(seed.size())) != 1) {
    return Error(Errc::kInternal, "no random bytes for a new audit key");
  }
  std::string text = to_pem_text("PRIVATE KEY", kPrivatePrefix, seed);
  const Wipe wipe(text);
  OPENSSL_cleanse(seed.data(), seed.size());
  return create_once(path, text, 0600);
}

}  // namespace

struct SigningKey::Handle {
  KeyPtr key;
};

PublicKey::PublicKey(const RawKey& raw) : raw_(raw) {
  append_hex(id_, sha256({reinterpret_cast<const char*>(raw.data()), raw.size()}));
  id_.resize(16);
}

bool PublicKey::verify(std::string_view message, const Signature& signature) const {
  const KeyPtr key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw_.data(), raw_.size()));
  const ContextPtr context(EVP_MD_CTX_new());
  return key && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), as_bytes(message),
                          message.size()) == 1;
}

std::string PublicKey::to_pem() const {
  return to_pem_text("PUBLIC KEY", kPublicPrefix, raw_);
}

Result<SigningKey> SigningKey::from_seed(const RawKey& seed) {
  KeyPtr key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
  RawKey raw{};
  std::size_t size = raw.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), raw.data(), &size) != 1 ||
      size != raw.size()) {
    return Error(Errc::kInternal, "the audit key cannot be used");
  }
  return SigningKey(std::make_shared<const Handle>(Handle{std::move(key)}), PublicKey(raw));
}

Result<Signature> SigningKey::sign(std::string_view message) const {
  const ContextPtr context(EVP_MD_CTX_new());
  Signature signature{};
  std::size_t size = signature.size();
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, handle_->key.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, as_bytes(message), message.size()) !=
          1 ||
      size != signature.size()) {
    return Error(Errc::kInternal, "the audit head cannot be signed");
  }
  return signature;
}

Result<SigningKey> load_or_create_keys(const std::string& keys_dir) {
  // No configuration file: it could load modules into the process that holds the secrets, and
  // costs 1.4 ms.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS, nullptr);
  CALABOOSE_CHECK(make_private_dirs(keys_dir));
  CALABOOSE_CHECK(check_private(keys_dir, true));
  const std::string key_path = keys_dir + "/audit.key";
  const std::string public_path = keys_dir + "/audit.pub";
  if (is_missing(key_path)) {
    CALABOOSE_CHECK(create_key(key_path));
  }
  CALABOOSE_TRY(SigningKey key, read_key(key_path));
  if (is_missing(public_path)) {
    CALABOOSE_CHECK(create_once(public_path, key.public_key().to_pem(), 0644));
  }
  CALABOOSE_TRY(const PublicKey stored, load_public_key(public_path));
  if (stored.raw() != key.public_key().raw()) {
    return Error(Errc::kCannotEnforce, printable(public_path) + " does not belong to audit.key")
        .with_hint("remove " + printable(public_path) + "; it is made again from the key");
  }
  return key;
}

Result<PublicKey> load_public_key(const std::string& path) {
  CALABOOSE_TRY(const std::string text, read_small_file(path, kMaxPemBytes));
  RawKey raw{};
  if (!from_pem_text(text, "PUBLIC KEY", kPublicPrefix, raw)) {
    return Error(Errc::kInvalidInput, printable(path) + " is not an Ed25519 public key in PEM");
  }
  return PublicKey(raw);
}

}  // namespace calaboose::audit
