// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cstring>

#include "base/text.h"

namespace calaboose {

std::string SourceRef::to_string() const {
  std::string out = printable(file);
  if (line > 0) {
    out += ":" + std::to_string(line);
    if (column > 0) {
      out += ":" + std::to_string(column);
    }
  }
  return out;
}

std::string Error::render() const {
  std::string out;
  if (at_) {
    out += at_->to_string() + ": ";
  }
  out += what_;
  if (!id_.empty()) {
    out += " [" + id_ + "]";
  }
  if (!excerpt_.empty()) {
    out += "\n" + excerpt_;
  }
  if (!peer_text_.empty()) {
    out += "\n  it said: " + printable(peer_text_);
  }
  if (!hint_.empty()) {
    out += "\nhint: " + hint_;
  }
  return out;
}

int exit_code_of(Errc code) {
  switch (code) {
    case Errc::kInternal:
    case Errc::kIo:
      return 1;
    case Errc::kUsage:
    case Errc::kInvalidConfig:
      return 2;
    case Errc::kDenied:
      return 3;
    case Errc::kCannotEnforce:
      return 4;
    case Errc::kPeer:
    case Errc::kLimit:
    case Errc::kInvalidInput:
      return 5;
    case Errc::kDeadline:
      return 6;
    case Errc::kAuthorization:
      return 7;
    case Errc::kCommandNotFound:
      return 127;
  }
  return 1;
}

std::string errno_name(int err) {
  const char* name = strerrorname_np(err);
  return name != nullptr ? std::string(name) : "errno " + std::to_string(err);
}

Error errno_error(std::string_view what, int err) {
  const char* text = strerrordesc_np(err);
  return Error(Errc::kIo, std::string(what) + ": " + (text != nullptr ? text : "unknown error") +
                              " (" + errno_name(err) + ")");
}

}  // namespace calaboose
