// SPDX-License-Identifier: Apache-2.0
// Opens the file of a log for its one writer.
// Place: runner/audit; internal.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "runner/audit/keys.h"
#include "runner/audit/verify.h"

namespace calaboose::audit {

/// The open log of a path, locked, with the place where writing goes on.
struct Opened {
  Fd fd;
  Examination found;
  bool existed = false;
};

/// Creates the log, or opens one that verifies. Errors: kDenied when it has another writer, is open
/// to other users, or was tampered with.
Result<Opened> open_log(const std::string& path, const PublicKey& key);

}  // namespace calaboose::audit
