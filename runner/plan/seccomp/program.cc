// SPDX-License-Identifier: Apache-2.0
// Holds the bytes that generate.cc made.
// Place: runner/plan/seccomp. Pure.
#include "runner/plan/seccomp/program.h"

#include <cstddef>

#include "runner/plan/seccomp/programs.inc"

namespace calaboose::plan {
namespace {

template <std::size_t N>
std::string_view bytes(const generated::Instruction (&program)[N]) {
  static_assert(sizeof(generated::Instruction) == 8);
  return {reinterpret_cast<const char*>(program), sizeof(program)};
}

}  // namespace

std::string_view seccomp_program(SeccompVariant variant) {
  switch (variant) {
    case SeccompVariant::kNotify:
      return bytes(generated::kNotifyProgram);
    case SeccompVariant::kErrno:
      return bytes(generated::kErrnoProgram);
    case SeccompVariant::kInit:
      return bytes(generated::kInitProgram);
  }
  return {};
}

std::string_view refused_syscall_name(std::uint32_t number) {
  for (const auto& refused : generated::kRefused) {
    if (refused.number == number) {
      return refused.name;
    }
  }
  return {};
}

}  // namespace calaboose::plan
