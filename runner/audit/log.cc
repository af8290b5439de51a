// SPDX-License-Identifier: Apache-2.0
// The writer. append() costs one hash and one write(2); what is slow (fdatasync, signature, rename
// of the head) happens on a thread of its own, at most once a second and only after changes. Place:
// runner/audit.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/audit/audit.h"
#include "runner/audit/encode.h"
#include "runner/audit/files.h"
#include "runner/audit/flood.h"
#include "runner/audit/head.h"
#include "runner/audit/keys.h"
#include "runner/audit/opening.h"

namespace calaboose::audit {
namespace {

constexpr std::int64_t kSummaryIntervalUs = 1'000'000;

std::int64_t unix_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
}

/// Records whose number only the server decides.
bool is_droppable(const Record& record) {
  if (record.kind == "msg") {
    return record.dir == Direction::kServerToHost && record.request_id.empty() && record.call == 0;
  }
  return record.kind == "violation" || record.kind == "jail.denied" ||
         record.kind.starts_with("egress.");
}

class FileLog final : public Log {
 public:
  FileLog(Options options, Opened opened, SigningKey key);
  ~FileLog() override;
  FileLog(const FileLog&) = delete;
  FileLog& operator=(const FileLog&) = delete;

  /// First head, note about what was found, and the thread.
  Result<void> start(const Opened& opened_info);

  Result<void> append(const Record& record) override;

  bool writable() const override { return append_works_ && sealing_works_; }

  Result<void> close() override;

  const std::string& path() const override { return options_.path; }

 private:
  // All with mutex_ held.
  Result<void> write_record(const Record& record, std::int64_t now_us);
  Result<void> repair();
  Result<void> report_losses(std::int64_t now_us, bool now_or_never);
  const Digest& last_digest();
  Head current_head(bool open);
  void mark_dirty();

  // Without mutex_.
  Result<void> seal(const Head& head, bool durable);
  void seal_loop();

  Options options_;
  std::string head_path_;
  SigningKey key_;
  Fd fd_;
  std::string head_run_;

  std::mutex mutex_;
  std::condition_variable wake_;
  LineEncoder encoder_;
  TimeText head_time_;
  FloodGate gate_;
  Digest last_{};
  bool last_is_stale_ = false;   // last_ must be computed from the encoder's line
  bool needs_truncate_ = false;  // bytes of a failed write may lie after size_
  std::uint64_t count_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t lost_ = 0;  // appends that failed since the last report
  int lost_errno_ = 0;
  std::uint64_t dropped_ = 0;  // records over the flood bound since the last report
  std::int64_t dropped_reported_us_ = 0;
  bool dirty_ = false;
  bool started_ = false;
  bool stopping_ = false;
  bool names_synced_ = false;

  std::atomic<bool> append_works_{true};
  std::atomic<bool> sealing_works_{true};
  std::thread sealer_;
};

FileLog::FileLog(Options options, Opened opened, SigningKey key)
    : options_(std::move(options)),
      head_path_(head_path(options_.path)),
      key_(std::move(key)),
      fd_(std::move(opened.fd)),
      encoder_(options_.run, options_.server, options_.sid),
      gate_(options_.flood_burst, options_.flood_per_second) {
  const bool fresh = opened.found.result.records == 0;
  head_run_ = fresh ? options_.run : opened.found.run;
  last_ = fresh ? genesis(options_.run, options_.sid, options_.server) : opened.found.last;
  count_ = opened.found.result.records;
  size_ = opened.found.good_bytes;
}

FileLog::~FileLog() {
  (void)close();
}

Result<void> FileLog::start(const Opened& info) {
  const std::unique_lock lock(mutex_);
  if (info.found.torn_bytes > 0) {
    needs_truncate_ = true;
    CALABOOSE_CHECK(repair());
  }
  // A closed head allows nothing after it, so the open one comes before the first record.
  CALABOOSE_CHECK(seal(current_head(true), false));
  if (info.existed) {
    const Verification& found = info.found.result;
    std::string reason = "log continued";
    if (info.found.torn_bytes > 0) {
      reason += "; " + std::to_string(info.found.torn_bytes) + " bytes of a torn record removed";
    }
    std::string detail;
    json::ObjectWriter(detail)
        .integer("records", static_cast<std::int64_t>(found.records))
        .integer("sealed", static_cast<std::int64_t>(found.sealed))
        .integer("torn_bytes", static_cast<std::int64_t>(info.found.torn_bytes))
        .close();
    Record record;
    record.kind = "summary";
    record.reason = reason;
    record.extra = detail;
    CALABOOSE_CHECK(write_record(record, unix_microseconds()));
  }
  dirty_ = true;
  // Signals belong to the main thread.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  Result<void> started;
  try {
    sealer_ = std::thread([this] { seal_loop(); });
    started_ = true;
  } catch (const std::system_error& failure) {
    started = errno_error("cannot start the audit thread", failure.code().value());
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

Result<void> FileLog::append(const Record& record) {
  const std::unique_lock lock(mutex_);
  if (!fd_) {
    return Error(Errc::kInternal, "the audit log is closed");
  }
  const std::int64_t now_us = unix_microseconds();
  if (is_droppable(record) && !gate_.admit(now_us)) {
    ++dropped_;
    mark_dirty();
    return {};
  }
  auto done = report_losses(now_us, false);
  if (done.ok()) {
    done = write_record(record, now_us);
  }
  if (!done.ok()) {
    ++lost_;
    mark_dirty();  // the thread tries again each second
  }
  return done;
}

/// Writes one line. Nothing of it stays in the file when it cannot be written whole.
Result<void> FileLog::write_record(const Record& record, std::int64_t now_us) {
  CALABOOSE_CHECK(repair());
  const Digest prev = last_digest();
  const std::string_view line = encoder_.encode(record, count_ + 1, prev, now_us);
  ssize_t put = -1;
  do {
    put = ::write(fd_.get(), line.data(), line.size());
  } while (put < 0 && errno == EINTR);
  if (put == static_cast<ssize_t>(line.size())) {
    last_is_stale_ = true;
    ++count_;
    size_ += line.size();
    append_works_ = true;
    mark_dirty();
    return {};
  }
  // A short write means that the rest does not fit; the next attempt would say ENOSPC.
  lost_errno_ = put < 0 ? errno : ENOSPC;
  append_works_ = false;
  if (put > 0) {
    needs_truncate_ = true;
    (void)repair();
  }
  return errno_error("cannot write the audit log " + printable(options_.path), lost_errno_)
      .with_hint("free some space; new calls are denied until the audit can be written");
}

Result<void> FileLog::repair() {
  if (!needs_truncate_) {
    return {};
  }
  if (::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) {
    return errno_error("cannot repair the audit log " + printable(options_.path), errno);
  }
  needs_truncate_ = false;
  return {};
}

/// Writes what could not be written, or was left out, as counted summaries: nothing is lost
/// silently.
Result<void> FileLog::report_losses(std::int64_t now_us, bool now_or_never) {
  if (lost_ > 0) {
    std::string detail;
    json::ObjectWriter(detail)
        .integer("lost", static_cast<std::int64_t>(lost_))
        .string("errno", errno_name(lost_errno_))
        .close();
    const std::string reason =
        std::to_string(lost_) + " records could not be written and are missing here";
    Record record;
    record.kind = "summary";
    record.reason = reason;
    record.extra = detail;
    CALABOOSE_CHECK(write_record(record, now_us));
    lost_ = 0;
  }
  if (dropped_ > 0 && (now_or_never || now_us - dropped_reported_us_ >= kSummaryIntervalUs)) {
    std::string detail;
    json::ObjectWriter(detail).integer("dropped", static_cast<std::int64_t>(dropped_)).close();
    const std::string reason =
        std::to_string(dropped_) + " records over the flood limit were counted, not written";
    Record record;
    record.kind = "summary";
    record.verdict = "limit";
    record.reason = reason;
    record.extra = detail;
    CALABOOSE_CHECK(write_record(record, now_us));
    dropped_ = 0;
    dropped_reported_us_ = now_us;
  }
  return {};
}

const Digest& FileLog::last_digest() {
  if (last_is_stale_) {
    const std::string_view line = encoder_.line();
    last_ = sha256(line.substr(0, line.size() - 1));
    last_is_stale_ = false;
  }
  return last_;
}

Head FileLog::current_head(bool open) {
  Head head;
  head.run = head_run_;
  head.count = count_;
  head.size = size_;
  head.last = last_digest();
  head_time_.append(head.time, unix_microseconds());
  head.open = open;
  return head;
}

void FileLog::mark_dirty() {
  if (!dirty_) {
    dirty_ = true;
    wake_.notify_one();
  }
}

/// The log reaches the disk before a head that covers it. A head beside another file than ours
/// would be worse than none, so a log that was renamed, replaced or removed under us is not sealed
/// (A06).
Result<void> FileLog::seal(const Head& head, bool durable) {
  struct stat ours {};

  struct stat named {};

  if (::fstat(fd_.get(), &ours) != 0 || ::lstat(options_.path.c_str(), &named) != 0 ||
      ours.st_ino != named.st_ino || ours.st_dev != named.st_dev) {
    return Error(Errc::kIo,
                 "the audit log " + printable(options_.path) + " was moved away while in use")
        .with_hint("move it back; new calls are denied until then");
  }
  if (durable && ::fdatasync(fd_.get()) != 0) {
    return errno_error("cannot sync the audit log " + printable(options_.path), errno);
  }
  CALABOOSE_TRY(const std::string text, sign_head(head, key_));
  return replace_file(head_path_, text, durable);
}

void FileLog::seal_loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait(lock, [this] { return dirty_ || stopping_; });
    wake_.wait_for(lock, options_.seal_interval, [this] { return stopping_; });
    if (stopping_) {
      break;
    }
    (void)report_losses(unix_microseconds(), false);
    dirty_ = false;
    const Head head = current_head(true);
    lock.unlock();
    const bool sealed = seal(head, true).ok();
    if (sealed && !names_synced_) {
      sync_parent(options_.path);
      names_synced_ = true;
    }
    lock.lock();
    sealing_works_ = sealed;
    dirty_ = dirty_ || !sealed || lost_ > 0 || dropped_ > 0;
  }
}

Result<void> FileLog::close() {
  {
    const std::unique_lock lock(mutex_);
    if (!fd_) {
      return {};
    }
    stopping_ = true;
    wake_.notify_one();
  }
  if (sealer_.joinable()) {
    sealer_.join();
  }
  const std::unique_lock lock(mutex_);
  Result<void> done;
  if (started_) {
    done = report_losses(unix_microseconds(), true);
    // A closed head allows no byte after the last record; half a record that cannot be removed
    // keeps it open.
    const bool whole = repair().ok();
    if (auto sealed = seal(current_head(!whole), true); done.ok()) {
      done = std::move(sealed);
    }
  }
  fd_.reset();
  return done;
}

}  // namespace

Result<std::unique_ptr<Log>> Log::open(Options options) {
  CALABOOSE_TRY(SigningKey key, load_or_create_keys(options.keys_dir));
  CALABOOSE_CHECK(make_private_dirs(parent_of(options.path)));
  CALABOOSE_TRY(Opened opened, open_log(options.path, key.public_key()));
  Opened info;
  info.found = opened.found;
  info.existed = opened.existed;
  auto log = std::make_unique<FileLog>(std::move(options), std::move(opened), std::move(key));
  CALABOOSE_CHECK(log->start(info));
  return std::unique_ptr<Log>(std::move(log));
}

}  // namespace calaboose::audit
