// SPDX-License-Identifier: Apache-2.0
// The compiled seccomp programs, and the names of the calls they refuse.
// Place: runner/plan/seccomp; made at build time from syscall_table.h. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace calaboose::plan {

enum class SeccompVariant : std::uint8_t {
  kNotify,  // the deny list asks the supervisor, which answers EPERM and tells the user
  kErrno,   // the deny list answers EPERM by itself
  kInit,    // the jail's own init; everything unknown kills it, and with it the jail
};

/// The program as the bytes of an array of struct sock_filter. Static storage, thread-safe.
std::string_view seccomp_program(SeccompVariant variant);

/// "ptrace" for a number that the programs may hand to the supervisor, empty for any other.
std::string_view refused_syscall_name(std::uint32_t number);

}  // namespace calaboose::plan
