// SPDX-License-Identifier: Apache-2.0
// Numbers of the plan's wire form, shared by its two readers and its writer.
// Place: runner/plan; also compiled into calaboose-jail. Constants only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace calaboose::plan::wire {

// Layout, all integers little-endian:
//   u32 magic, u32 version, u32 size of everything, u32 flags, u32 outer uid, u32 outer gid,
//   u64 data bytes, u64 file bytes, u32 open files, u32 tasks,
//   text server, text host name, text cwd, u32 count + texts (argv), u32 count + texts
//   (environment), u32 count + mounts, u32 count + Landlock rules, bytes seccomp program.
// A mount is u8 kind, u8 flags, u16 zero, u32 mode, u32 inodes, u64 device, u64 inode, u64 size,
// text target, text source, bytes data. A rule is u32 access, text path. bytes: u32 length,
// content, one NUL. text: the same without a NUL in its content, so that the helper can hand
// pointers into the message to the kernel.
inline constexpr std::uint32_t kMagic = 0x4C504243;  // "CBPL"

inline constexpr std::uint32_t kFlagNotify = 1U << 0U;
inline constexpr std::uint32_t kFlagRoot = 1U << 1U;
inline constexpr std::uint32_t kAllFlags = kFlagNotify | kFlagRoot;

inline constexpr std::uint8_t kMountWritable = 1U << 0U;
inline constexpr std::uint8_t kMountExecutable = 1U << 1U;
inline constexpr std::uint8_t kMountPidOnly = 1U << 2U;
inline constexpr std::uint8_t kMountDevice = 1U << 3U;
inline constexpr std::uint8_t kMountIdentity = 1U << 4U;
inline constexpr std::uint8_t kMountOurs = 1U << 5U;
inline constexpr std::uint8_t kAllMountFlags = 0x3F;

inline constexpr std::uint8_t kLastMountKind = 6;
inline constexpr std::uint32_t kAllLandlockAccess = 0x3F;

inline constexpr std::size_t kMaxPlanBytes = 4U << 20U;
inline constexpr std::size_t kMaxPath = 4095;
inline constexpr std::size_t kMaxServerName = 256;
inline constexpr std::size_t kMaxHostname = 64;
inline constexpr std::size_t kMaxArgument =
    131'071;  // the kernel's own limit for one string of execve
inline constexpr std::size_t kMaxArguments = 4096;
inline constexpr std::size_t kMaxEnvironment = 4096;
inline constexpr std::size_t kMaxMounts = 1024;
inline constexpr std::size_t kMaxRules = 1024;
inline constexpr std::size_t kMaxFileData = 65'536;
inline constexpr std::size_t kMaxInstructions = 4096;  // BPF_MAXINSNS
inline constexpr std::size_t kInstructionBytes = 8;
inline constexpr std::uint32_t kMaxMode = 07777;

}  // namespace calaboose::plan::wire
