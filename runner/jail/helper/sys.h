// SPDX-License-Identifier: Apache-2.0
// System calls and kernel numbers that the C library's headers do not have yet.
// Place: runner/jail/helper.
#pragma once

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace calaboose::jail::sys {

// Landlock beyond the build machine's header (uapi/linux/landlock.h, ABI 1 to 6).
inline constexpr std::uint64_t kFsExecute = 1U << 0U;
inline constexpr std::uint64_t kFsWriteFile = 1U << 1U;
inline constexpr std::uint64_t kFsReadFile = 1U << 2U;
inline constexpr std::uint64_t kFsReadDir = 1U << 3U;
inline constexpr std::uint64_t kFsRemoveDir = 1U << 4U;
inline constexpr std::uint64_t kFsRemoveFile = 1U << 5U;
inline constexpr std::uint64_t kFsMakeDir = 1U << 7U;
inline constexpr std::uint64_t kFsMakeReg = 1U << 8U;
inline constexpr std::uint64_t kFsMakeSock = 1U << 9U;
inline constexpr std::uint64_t kFsMakeFifo = 1U << 10U;
inline constexpr std::uint64_t kFsMakeSym = 1U << 12U;
inline constexpr std::uint64_t kFsRefer = 1U << 13U;           // ABI 2
inline constexpr std::uint64_t kFsTruncate = 1U << 14U;        // ABI 3
inline constexpr std::uint64_t kFsIoctlDev = 1U << 15U;        // ABI 5
inline constexpr std::uint64_t kScopeAbstractUnix = 1U << 0U;  // ABI 6
inline constexpr std::uint64_t kScopeSignal = 1U << 1U;        // ABI 6

struct LandlockRuleset {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

struct [[gnu::packed]] LandlockPath {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

inline constexpr unsigned long kSeccompWaitKillable = 1UL << 5U;

/// Opens without following any link, not even in the middle of the path. `beneath`: stays below
/// `dir`.
inline int open_strict(int dir, const char* path, std::uint64_t flags, bool beneath) {
  open_how how{};
  how.flags = flags | 02000000U;  // O_CLOEXEC
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | (beneath ? RESOLVE_BENEATH : 0U);
  return static_cast<int>(::syscall(SYS_openat2, dir, path, &how, sizeof(how)));
}

/// A number as text, in base 8 or 10, without the standard library's formatting.
inline const char* digits(std::uint64_t value, unsigned base, char (&buffer)[32]) {
  char* at = buffer + sizeof(buffer) - 1;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + value % base);
    value /= base;
  } while (value != 0);
  return at;
}

}  // namespace calaboose::jail::sys
