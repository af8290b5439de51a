// SPDX-License-Identifier: Apache-2.0
// Append-only, hash-chained record of one run.
// Place: runner/audit; written by the gateway before a message is forwarded. Format:
// docs/audit-format.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace calaboose::audit {

enum class Direction : std::uint8_t { kNone, kHostToServer, kServerToHost };

/// One record; empty strings are left out. Texts may hold any bytes: they are made valid JSON, one
/// line (A04).
struct Record {
  std::string_view kind;  // msg, decision, approval, jail.start, jail.exit, jail.denied, config,
                          // violation, summary
  Direction dir = Direction::kNone;
  std::string_view method;      // "mcp.method.name"
  std::string_view request_id;  // "jsonrpc.request.id": JSON text of the id
  std::string_view tool;        // "gen_ai.tool.name"
  std::uint64_t call = 0;       // 0: none
  std::string_view body;        // kind msg: the message; stored as bytes + sha256 (level meta)
  std::string_view verdict;     // allow, deny, hold, limit, flag, strip, redact
  std::string_view rule;
  std::string_view at;
  std::string_view reason;
  std::string_view extra;  // JSON object text whose members are added under "detail"; made by us
};

struct Options {
  std::string path;  // the log; "<path>.head" beside it
  std::string run;   // run id
  std::string server;
  std::string sid;
  std::string keys_dir;  // Ed25519 key pair, made on first use (0700 / 0600)
  // Records that a server can cause at will (violations, jail and egress events, its own
  // notifications) pass through this bound; what exceeds it is counted in a summary record (A07).
  std::uint32_t flood_burst = 5000;
  std::uint32_t flood_per_second = 1000;
  // How long records may wait for fdatasync and a new head.
  std::chrono::milliseconds seal_interval{1000};
};

/// Resource; one writer per file (a second opener is refused). Threads: append() from one thread;
/// syncing and signing happen on an own thread.
class Log {
 public:
  /// Creates the file (0600, O_EXCL|O_NOFOLLOW), or continues an existing log that verifies.
  static Result<std::unique_ptr<Log>> open(Options options);
  virtual ~Log() = default;

  /// Writes one line with write(2) before returning; after a failure (disk full) writable() turns
  /// false and the next append tries again.
  virtual Result<void> append(const Record& record) = 0;
  virtual bool writable() const = 0;
  /// fdatasync and signed head, then close. Also done by the destructor.
  virtual Result<void> close() = 0;
  virtual const std::string& path() const = 0;
};

/// New file name in `dir`: "<utc>-<run>.jsonl".
std::string new_log_name(std::string_view run);
/// 16 random hex digits.
std::string new_run_id();

/// What verify found.
struct Verification {
  enum class Status : std::uint8_t {
    kIntact,        // every record is covered by the signed head
    kUnsealedTail,  // intact, and records after the last signed head (killed within the last
                    // second)
    kTornTail,      // intact, and the last line is incomplete (killed or power cut while writing)
    kTampered,      // edited, deleted, reordered, cut, or the head does not fit
  };
  Status status = Status::kIntact;
  std::uint64_t records = 0;   // good ones
  std::uint64_t sealed = 0;    // of these, covered by the head
  std::uint64_t bad_line = 0;  // 1-based, kTampered
  std::string reason;          // one sentence
};

/// Reads the whole log with bounded memory. `public_key_path`: PEM file; empty: keys_dir/audit.pub.
/// Errors: file, head or key cannot be read.
Result<Verification> verify(const std::string& path, const std::string& public_key_path,
                            const std::string& keys_dir);

}  // namespace calaboose::audit
