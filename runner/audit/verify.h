// SPDX-License-Identifier: Apache-2.0
// Checks a log against its signed head.
// Place: runner/audit; internal (verify() in audit.h is the door for others).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "runner/audit/audit.h"
#include "runner/audit/digest.h"
#include "runner/audit/keys.h"
#include "runner/audit/line_reader.h"

namespace calaboose::audit {

/// Verification, and what a writer needs to go on.
struct Examination {
  Verification result;
  std::string run;               // of the head: the run that created the log
  Digest last{};                 // hash of the last good record
  std::uint64_t good_bytes = 0;  // up to and with the newline of the last good record
  std::uint64_t torn_bytes = 0;  // after them
};

/// Memory is bounded by kMaxLineBytes. Errors: only those of the source.
Result<Examination> examine(LineReader::Source log, std::string_view head_text,
                            const PublicKey& key);

/// examine() for an open log and the head beside `path`; a missing head is tampering.
Result<Examination> examine_file(int log_fd, const std::string& path, const PublicKey& key);

}  // namespace calaboose::audit
