// SPDX-License-Identifier: Apache-2.0
// Build tool: compiles syscall_table.h with libseccomp and writes the programs as arrays.
// Place: runner/plan/seccomp; run by CMake, never installed.
#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runner/plan/seccomp/prologue.h"
#include "runner/plan/seccomp/syscall_table.h"

namespace {

using calaboose::plan::seccomp::argument_checks;
using calaboose::plan::seccomp::Group;
using calaboose::plan::seccomp::kAbsent;
using calaboose::plan::seccomp::kAllowed;
using calaboose::plan::seccomp::kDenied;
using calaboose::plan::seccomp::kInit;

// Newer than the oldest libseccomp that we build with (2.5.4); the numbers are the same on every
// architecture.
struct Newer {
  std::string_view name;
  int number;
};

constexpr Newer kNewer[] = {{"futex_waitv", 449},      {"cachestat", 451},  {"fchmodat2", 452},
                            {"map_shadow_stack", 453}, {"futex_wake", 454}, {"futex_wait", 455},
                            {"futex_requeue", 456}};

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "seccomp_generate: %s\n", what.c_str());
  std::exit(1);
}

std::vector<std::string> words(std::string_view list) {
  std::vector<std::string> result;
  while (!list.empty()) {
    const auto end = list.find(' ');
    result.emplace_back(list.substr(0, end));
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return result;
}

/// The number on this architecture; negative when it has no such call (old names on newer
/// machines).
int number_of(const std::string& name) {
  for (const auto& newer : kNewer) {
    if (newer.name == name) {
      return newer.number;
    }
  }
  const int number = seccomp_syscall_resolve_name(name.c_str());
  if (number == __NR_SCMP_ERROR) {
    die("no such system call: " + name);
  }
  return number;
}

void add(scmp_filter_ctx context, std::uint32_t action, std::string_view names) {
  for (const auto& name : words(names)) {
    const int number = number_of(name);
    if (number < 0) {
      continue;
    }
    if (const int rc = seccomp_rule_add_exact(context, action, number, 0); rc != 0) {
      die("rule for " + name + " refused, error " + std::to_string(-rc));
    }
  }
}

scmp_filter_ctx new_filter(std::uint32_t otherwise) {
  scmp_filter_ctx context = seccomp_init(otherwise);
  if (context == nullptr || seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2) != 0 ||
      seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0) {
    die("libseccomp cannot make a filter");
  }
  return context;
}

std::vector<sock_filter> compile(scmp_filter_ctx context) {
  const int fd = memfd_create("program", MFD_CLOEXEC);
  if (fd < 0 || seccomp_export_bpf(context, fd) != 0) {
    die("libseccomp cannot export the program");
  }
  const auto size = lseek(fd, 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (pread(fd, program.data(), static_cast<std::size_t>(size), 0) != size) {
    die("cannot read the program back");
  }
  close(fd);
  seccomp_release(context);
  return program;
}

std::vector<sock_filter> server_program(std::uint32_t scmp_denied, std::uint32_t raw_denied) {
  scmp_filter_ctx context = new_filter(SCMP_ACT_ERRNO(ENOSYS));
  for (const Group& group : kAllowed) {
    add(context, SCMP_ACT_ALLOW, group.names);
  }
  for (const Group& group : kDenied) {
    add(context, scmp_denied, group.names);
  }
  for (const auto& name : words(kAbsent)) {
    number_of(name);  // a misspelt name here would go unnoticed otherwise
  }
  auto program = argument_checks(seccomp_arch_native(), raw_denied);
  const auto list = compile(context);
  program.insert(program.end(), list.begin(), list.end());
  if (program.size() > BPF_MAXINSNS) {
    die("the program is too long");
  }
  return program;
}

std::vector<sock_filter> init_program() {
  scmp_filter_ctx context = new_filter(SCMP_ACT_KILL_PROCESS);
  add(context, SCMP_ACT_ALLOW, kInit);
  return compile(context);
}

void write_program(std::FILE* out, const char* name, const std::vector<sock_filter>& program) {
  std::fprintf(out, "alignas(8) inline constexpr Instruction %s[] = {\n", name);
  for (const auto& i : program) {
    std::fprintf(out, "    {0x%x, %u, %u, 0x%x},\n", i.code, i.jt, i.jf, i.k);
  }
  std::fprintf(out, "};\n\n");
}

void write_refused(std::FILE* out) {
  std::fprintf(out, "inline constexpr Refused kRefused[] = {\n");
  std::vector<std::string> names = {"ioctl", "clone", "personality"};  // by argument
  for (const Group& group : kDenied) {
    for (auto& name : words(group.names)) {
      names.push_back(std::move(name));
    }
  }
  for (const auto& name : names) {
    if (const int number = number_of(name); number >= 0) {
      std::fprintf(out, "    {%d, \"%s\"},\n", number, name.c_str());
    }
  }
  std::fprintf(out, "};\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    die("usage: seccomp_generate OUTPUT");
  }
  std::FILE* out = std::fopen(argv[1], "we");
  if (out == nullptr) {
    die(std::string("cannot write ") + argv[1]);
  }
  std::fprintf(
      out,
      "// Made by seccomp_generate from syscall_table.h; do not edit.\n"
      "#pragma once\n\n#include <cstdint>\n#include <string_view>\n\n"
      "namespace calaboose::plan::generated {\n\n"
      "struct Instruction {\n  std::uint16_t code;\n  std::uint8_t jt;\n  std::uint8_t jf;\n"
      "  std::uint32_t k;\n};\n\n"
      "struct Refused {\n  std::uint32_t number;\n  std::string_view name;\n};\n\n");
  write_program(out, "kNotifyProgram", server_program(SCMP_ACT_NOTIFY, SECCOMP_RET_USER_NOTIF));
  write_program(out, "kErrnoProgram",
                server_program(SCMP_ACT_ERRNO(EPERM), SECCOMP_RET_ERRNO | EPERM));
  write_program(out, "kInitProgram", init_program());
  write_refused(out);
  std::fprintf(out, "}  // namespace calaboose::plan::generated\n");
  if (std::fclose(out) != 0) {
    die("writing failed");
  }
  return 0;
}
