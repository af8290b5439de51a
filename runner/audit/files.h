// SPDX-License-Identifier: Apache-2.0
// The few file operations of the audit: private directories, small files read whole, files
// published in one step. Place: runner/audit; internal.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace calaboose::audit {

/// Directory part of a path ("." when there is none).
std::string parent_of(const std::string& path);

/// Makes `path` and what is missing above it, all 0700. Existing directories are left as they are.
Result<void> make_private_dirs(const std::string& path);

/// Opens without following a link at the end, close-on-exec; `errno` text in the error, code kIo.
Result<Fd> open_file(const std::string& path, int flags, mode_t mode = 0);

/// The whole of a regular file of at most `max_bytes`. Errors: kIo; kLimit when longer.
Result<std::string> read_small_file(const std::string& path, std::size_t max_bytes);

/// True when nothing has this name.
bool is_missing(const std::string& path);

/// Writes all of `text`; retries interrupted and short writes.
Result<void> write_all(int fd, std::string_view text);

/// Replaces `path` in one step: temporary name beside it (0600), optional fsync, rename.
Result<void> replace_file(const std::string& path, std::string_view text, bool durable);

/// Gives the file `temporary` the name `path` if that name is free; false if somebody was first
/// (then `temporary` is removed).
Result<bool> publish(const std::string& temporary, const std::string& path);

/// fsync of the directory that holds `path`, so that new names survive a power cut. Best effort.
void sync_parent(const std::string& path);

}  // namespace calaboose::audit
