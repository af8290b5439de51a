// SPDX-License-Identifier: Apache-2.0
// The smallest server: starts and ends.
// Place: tests/victims; used by bench/bench_jail_start.cc.
int main() {
  return 0;
}
