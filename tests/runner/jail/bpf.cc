// SPDX-License-Identifier: Apache-2.0
// Classic BPF as the kernel runs it for seccomp.
// Place: tests/runner/jail.
#include "tests/runner/jail/bpf.h"

#include <linux/filter.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace calaboose::testing {
namespace {

[[noreturn]] void broken(const char* why, unsigned code) {
  std::fprintf(stderr, "BPF program is broken: %s (0x%x)\n", why, code);
  std::abort();
}

bool jumps(const sock_filter& i, std::uint32_t a) {
  switch (BPF_OP(i.code)) {
    case BPF_JEQ:
      return a == i.k;
    case BPF_JGT:
      return a > i.k;
    case BPF_JGE:
      return a >= i.k;
    case BPF_JSET:
      return (a & i.k) != 0;
    default:
      broken("jump", i.code);
  }
}

}  // namespace

std::uint32_t evaluate(std::string_view program, const seccomp_data& call) {
  std::vector<sock_filter> code(program.size() / sizeof(sock_filter));
  std::memcpy(code.data(), program.data(), program.size());
  std::uint32_t a = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const sock_filter& i = code[pc];
    switch (BPF_CLASS(i.code)) {
      case BPF_LD:
        if (i.code != (BPF_LD | BPF_W | BPF_ABS) || i.k % 4 != 0 || i.k + 4 > sizeof(call)) {
          broken("load", i.code);
        }
        std::memcpy(&a, reinterpret_cast<const char*>(&call) + i.k, sizeof(a));
        break;
      case BPF_ALU:
        if (i.code != (BPF_ALU | BPF_AND | BPF_K)) {
          broken("arithmetic", i.code);
        }
        a &= i.k;
        break;
      case BPF_JMP:
        pc += BPF_OP(i.code) == BPF_JA ? i.k : jumps(i, a) ? i.jt : i.jf;
        break;
      case BPF_RET:
        return i.k;
      default:
        broken("instruction", i.code);
    }
  }
  broken("no answer", 0);
}

}  // namespace calaboose::testing
