// SPDX-License-Identifier: Apache-2.0
// One static program that tries each attack of the threat list and says what came of it.
// Place: tests/victims; runs inside a jail and, for comparison, outside. Never instrumented.
#pragma once

#include <string>
#include <vector>

namespace probe {

/// What the caller knows and the probe cannot: where the targets are.
struct Targets {
  int runner = 0;        // pid of the supervisor in its own numbering
  int port = 0;          // of a TCP listener on the host's loopback
  std::string abstract;  // name of a listening abstract unix socket on the host
};

struct Result {
  std::string outcome;  // "EPERM", "succeeded", "absent", …
  std::string detail;
};

struct Row {
  const char* id;
  Result (*attack)(const Targets&);
};

extern const std::vector<Row> kSystemRows;   // system calls
extern const std::vector<Row> kProcessRows;  // processes, descriptors, privileges, inherited state
extern const std::vector<Row> kFileRows;     // files, devices, sockets

/// "succeeded" for a result that is not negative, else the name of errno.
Result of(long result);
Result of_errno(int error);

/// Runs `body` in a child: "exit N", or "SIGSYS" and the like.
Result in_child(int (*body)());

/// Prints what this process sees, one "key: value" a line.
void print_facts();

/// Behaviours for life-cycle tests; returns the exit status.
int act(const std::vector<std::string>& words);

/// The whole file, at most 64 KiB; empty if it cannot be read (errno is set).
std::string read_text(const std::string& path);
/// Sorted names in a directory, without "." and ".."; `ok` false if it cannot be opened.
std::vector<std::string> names_in(const std::string& path, bool& ok);
std::string join(const std::vector<std::string>& list);

}  // namespace probe
