// SPDX-License-Identifier: Apache-2.0
// A temporary directory with keys and a log, for the tests of the audit.
// Place: tests/runner/audit.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "runner/audit/audit.h"

namespace calaboose::audit::test {

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "audit-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data()) != nullptr ? name : std::string();
  }

  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

inline std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

inline std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

/// One directory with keys and one log in it.
struct Scene {
  TempDir dir;
  std::string path = dir.path() + "/audit/one.jsonl";
  std::string head = path + ".head";
  std::string keys = dir.path() + "/keys";

  Options options(const std::string& run = "run-1") const {
    Options options;
    options.path = path;
    options.run = run;
    options.server = "tickets";
    options.sid = "0123abcd";
    options.keys_dir = keys;
    return options;
  }

  std::unique_ptr<Log> open(const std::string& run = "run-1") const {
    auto log = Log::open(options(run));
    EXPECT_TRUE(log.ok()) << (log.ok() ? "" : log.error().render());
    return log.ok() ? std::move(log).value() : nullptr;
  }

  Verification check() const {
    auto found = verify(path, "", keys);
    EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().render());
    return found.ok() ? *found : Verification{};
  }
};

inline Record message(std::string_view body, std::string_view id = "1") {
  Record record;
  record.kind = "msg";
  record.dir = Direction::kHostToServer;
  record.method = "tools/call";
  record.request_id = id;
  record.tool = "echo";
  record.call = 1;
  record.body = body;
  return record;
}

/// A closed log of `count` records.
inline void write_log(const Scene& scene, int count) {
  const auto log = scene.open();
  ASSERT_NE(log, nullptr);
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(log->append(message("body " + std::to_string(i))).ok());
  }
  ASSERT_TRUE(log->close().ok());
}

using Status = Verification::Status;

}  // namespace calaboose::audit::test
