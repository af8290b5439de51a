// SPDX-License-Identifier: Apache-2.0
// What went wrong, for people and for exit codes; a value, never thrown.
// Place: base; used everywhere. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace calaboose {

/// The kind of failure. It decides exit code and retry; the text is for people.
enum class Errc : std::uint8_t {
  kInternal,         // a bug of ours                                   exit 1
  kUsage,            // command line                                    exit 2
  kInvalidConfig,    // configuration or policy text                    exit 2
  kDenied,           // the answer is no                                exit 3
  kCannotEnforce,    // a protection that was asked for cannot be had   exit 4
  kPeer,             // the server failed or broke the protocol         exit 5
  kDeadline,         // time ran out                                    exit 6
  kAuthorization,    // authorization needed                            exit 7
  kCommandNotFound,  // the server's program does not exist             exit 127
  kLimit,            // a size, depth or count bound was reached        exit 5
  kInvalidInput,     // bytes from outside that do not parse            exit 5
  kIo,               // a system call of ours failed                    exit 1
};

/// A place in a text: 1-based line and column (in bytes), and a JSON pointer where there is one.
struct SourceRef {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string pointer;

  /// "file:line:column", leaving out what is not known.
  std::string to_string() const;
};

/// One failure. Our own words are in `what`; words of a peer only in `peer_text` (escaped when
/// rendered).
class [[nodiscard]] Error {
 public:
  Error(Errc code, std::string what) : code_(code), what_(std::move(what)) {}

  Errc code() const { return code_; }

  const std::string& what() const { return what_; }

  const std::string& hint() const { return hint_; }

  const std::string& id() const { return id_; }

  const std::string& peer_text() const { return peer_text_; }

  const std::optional<SourceRef>& at() const { return at_; }

  const std::string& excerpt() const { return excerpt_; }

  /// The next thing to do; one sentence.
  Error with_hint(std::string hint) && {
    hint_ = std::move(hint);
    return std::move(*this);
  }

  /// Stable code such as "CB2103" (docs/errors.md).
  Error with_id(std::string id) && {
    id_ = std::move(id);
    return std::move(*this);
  }

  Error with_peer_text(std::string text) && {
    peer_text_ = std::move(text);
    return std::move(*this);
  }

  Error at(SourceRef ref) && {
    at_ = std::move(ref);
    return std::move(*this);
  }

  /// Source line and caret, shown below the message.
  Error with_excerpt(std::string text) && {
    excerpt_ = std::move(text);
    return std::move(*this);
  }

  /// Puts `context` and ": " before the message.
  Error in(std::string_view context) && {
    what_ = std::string(context) + ": " + what_;
    return std::move(*this);
  }

  /// The whole text for a person: position, message, excerpt, peer text (escaped), hint, id. No
  /// trailing newline.
  std::string render() const;

 private:
  Errc code_;
  std::string what_;
  std::string hint_;
  std::string id_;
  std::string peer_text_;
  std::string excerpt_;
  std::optional<SourceRef> at_;
};

/// Process exit code for a failure (design section 6).
int exit_code_of(Errc code);

/// Error for a failed system call: "what: strerror (ENAME)"; `err` is the errno value.
Error errno_error(std::string_view what, int err);

/// "EPERM", "ENOENT", …; "errno N" when unknown.
std::string errno_name(int err);

}  // namespace calaboose
