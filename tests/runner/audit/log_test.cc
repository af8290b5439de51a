// SPDX-License-Identifier: Apache-2.0
// Writing, closing and continuing logs.
#include <sys/stat.h>

#include <chrono>
#include <cstdio>

#include "base/json/json.h"
#include "runner/audit/head.h"
#include "support.h"

namespace calaboose::audit::test {
namespace {

TEST(AuditLog, WritesTheDocumentedFields) {
  const Scene scene;
  const auto log = scene.open();
  ASSERT_NE(log, nullptr);
  Record record = message(R"({"jsonrpc":"2.0"})", "\"a\"");
  record.verdict = "deny";
  record.rule = "no-delete";
  record.at = "config.jsonc:3:7";
  record.reason = "not allowed";
  record.extra = R"({"host":"api.example.com"})";
  ASSERT_TRUE(log->append(record).ok());
  ASSERT_TRUE(log->close().ok());
  const auto lines = split_lines(read_file(scene.path));
  ASSERT_EQ(lines.size(), 1U);
  json::Tape tape;
  ASSERT_TRUE(tape.parse(lines[0])) << lines[0];
  const json::Value root = tape.root();
  EXPECT_EQ(root.find("v").int64(), 1);
  EXPECT_EQ(root.find("seq").int64(), 1);
  EXPECT_EQ(root.find("run").string(), "run-1");
  EXPECT_EQ(root.find("server").string(), "tickets");
  EXPECT_EQ(root.find("sid").string(), "0123abcd");
  EXPECT_EQ(root.find("kind").string(), "msg");
  EXPECT_EQ(root.find("dir").string(), "host>server");
  EXPECT_EQ(root.find("mcp.method.name").string(), "tools/call");
  EXPECT_EQ(root.find("jsonrpc.request.id").string(), "\"a\"");
  EXPECT_EQ(root.find("gen_ai.tool.name").string(), "echo");
  EXPECT_EQ(root.find("call").int64(), 1);
  EXPECT_EQ(root.find("bytes").int64(), 17);
  EXPECT_EQ(root.find("sha256").string(),
            "049aba59a5035ce3ebb781e1f9176faa52302d2f5cb23b9a692673654f334fe6");
  EXPECT_EQ(root.find("verdict").string(), "deny");
  EXPECT_EQ(root.find("rule").string(), "no-delete");
  EXPECT_EQ(root.find("at").string(), "config.jsonc:3:7");
  EXPECT_EQ(root.find("reason").string(), "not allowed");
  EXPECT_EQ(root.at("detail", "host").string(), "api.example.com");
  EXPECT_EQ(root.find("prev").string_or("").size(), 64U);
  EXPECT_EQ(lines[0].find("{\"jsonrpc\""), std::string::npos) << "level meta holds no bodies";
}

TEST(AuditLog, LeavesEmptyFieldsOut) {
  const Scene scene;
  const auto log = scene.open();
  Record record;
  record.kind = "config";
  ASSERT_TRUE(log->append(record).ok());
  ASSERT_TRUE(log->close().ok());
  const std::string text = read_file(scene.path);
  for (const char* name :
       {"dir", "mcp.method.name", "call", "bytes", "sha256", "verdict", "detail"}) {
    EXPECT_EQ(text.find(std::string("\"") + name + "\""), std::string::npos) << name;
  }
}

TEST(AuditLog, IsWrittenBeforeAppendReturns) {
  const Scene scene;
  const auto log = scene.open();
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(log->append(message("x")).ok());
    EXPECT_EQ(split_lines(read_file(scene.path)).size(), static_cast<std::size_t>(i));
  }
}

TEST(AuditLog, FilesArePrivate) {
  const Scene scene;
  write_log(scene, 1);

  struct stat info {};

  for (const auto& [path, mode] :
       std::vector<std::pair<std::string, unsigned>>{{scene.path, 0600},
                                                     {scene.head, 0600},
                                                     {scene.keys, 0700},
                                                     {scene.keys + "/audit.key", 0600},
                                                     {scene.dir.path() + "/audit", 0700}}) {
    ASSERT_EQ(::stat(path.c_str(), &info), 0) << path;
    EXPECT_EQ(info.st_mode & 07777U, mode) << path;
  }
}

TEST(AuditLog, NothingTemporaryStays) {
  const Scene scene;
  write_log(scene, 3);
  std::vector<std::string> names;
  for (const auto& item : std::filesystem::recursive_directory_iterator(scene.dir.path())) {
    if (item.is_regular_file()) {
      names.push_back(item.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names,
            (std::vector<std::string>{"audit.key", "audit.pub", "one.jsonl", "one.jsonl.head"}));
}

TEST(AuditLog, VerifiesFromTheFirstMomentOn) {
  const Scene scene;
  const auto log = scene.open();
  EXPECT_EQ(scene.check().status, Status::kIntact);
  ASSERT_TRUE(log->append(message("x")).ok());
  EXPECT_EQ(scene.check().status, Status::kUnsealedTail);
  EXPECT_EQ(scene.check().records, 1U);
  EXPECT_EQ(scene.check().sealed, 0U);
  ASSERT_TRUE(log->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
  EXPECT_EQ(scene.check().sealed, 1U);
}

TEST(AuditLog, SealsByItselfWhileOpen) {
  const Scene scene;
  Options options = scene.options();
  options.seal_interval = std::chrono::milliseconds(1);
  const auto log = Log::open(options);
  ASSERT_TRUE(log.ok());
  ASSERT_TRUE((*log)->append(message("x")).ok());
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (scene.check().sealed == 0 && std::chrono::steady_clock::now() < stop) {
  }
  EXPECT_EQ(scene.check().sealed, 1U);
  EXPECT_EQ(scene.check().status, Status::kIntact);
}

// A log that is rotated away under its writer may not go on as if nothing had happened.
TEST(AuditLog, IsNotWritableWhileItsFileIsElsewhere_A06) {
  const Scene scene;
  Options options = scene.options();
  options.seal_interval = std::chrono::milliseconds(1);
  const auto log = Log::open(options);
  ASSERT_TRUE(log.ok());
  const std::string moved = scene.path + ".1";
  const auto wait_until = [&](bool writable) {
    const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while ((*log)->writable() != writable && std::chrono::steady_clock::now() < stop) {
      (void)(*log)->append(message("x"));
    }
    return (*log)->writable() == writable;
  };
  std::filesystem::rename(scene.path, moved);
  EXPECT_TRUE(wait_until(false));
  write_file(scene.path, "another file\n");
  EXPECT_FALSE((*log)->writable());
  std::filesystem::rename(moved, scene.path);
  EXPECT_TRUE(wait_until(true));
  EXPECT_TRUE((*log)->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
}

TEST(AuditLog, CloseSaysThatItsFileIsGone_A06) {
  const Scene scene;
  const auto log = scene.open();
  std::filesystem::remove(scene.path);
  const auto closed = log->close();
  ASSERT_FALSE(closed.ok());
  EXPECT_NE(closed.error().what().find("moved away"), std::string::npos);
}

TEST(AuditLog, CloseIsFinalAndRepeatable) {
  const Scene scene;
  const auto log = scene.open();
  ASSERT_TRUE(log->close().ok());
  EXPECT_TRUE(log->close().ok());
  EXPECT_FALSE(log->append(message("x")).ok());
}

TEST(AuditLog, RefusesASecondWriter_A06) {
  const Scene scene;
  const auto log = scene.open();
  const auto second = Log::open(scene.options("run-2"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), Errc::kDenied);
  EXPECT_NE(second.error().what().find("another writer"), std::string::npos);
  ASSERT_TRUE(log->append(message("x")).ok());
  ASSERT_TRUE(log->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
}

TEST(AuditLog, ContinuesAClosedLog) {
  const Scene scene;
  write_log(scene, 3);
  const auto log = scene.open("run-2");
  ASSERT_NE(log, nullptr);
  ASSERT_TRUE(log->append(message("more")).ok());
  ASSERT_TRUE(log->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
  const auto lines = split_lines(read_file(scene.path));
  ASSERT_EQ(lines.size(), 5U);  // 3, the note, 1
  EXPECT_NE(lines[3].find("\"kind\":\"summary\""), std::string::npos);
  EXPECT_NE(lines[3].find("\"torn_bytes\":0"), std::string::npos);
  EXPECT_NE(lines[4].find("\"run\":\"run-2\""), std::string::npos);
  EXPECT_NE(lines[4].find("\"seq\":5"), std::string::npos);
}

TEST(AuditLog, ContinuesAnEmptyLogUnderAnotherRun) {
  const Scene scene;
  write_log(scene, 0);
  const auto log = scene.open("run-2");
  ASSERT_NE(log, nullptr);
  ASSERT_TRUE(log->append(message("more")).ok());
  ASSERT_TRUE(log->close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
  EXPECT_EQ(scene.check().records, 2U);
}

TEST(AuditLog, RefusesToContinueATamperedLog_A01) {
  const Scene scene;
  write_log(scene, 3);
  auto lines = split_lines(read_file(scene.path));
  lines[1].replace(lines[1].find("echo"), 4, "ECHO");
  write_file(scene.path, join_lines(lines));
  const auto log = Log::open(scene.options());
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code(), Errc::kDenied);
  EXPECT_NE(log.error().what().find("line 2"), std::string::npos) << log.error().what();
  EXPECT_EQ(read_file(scene.path), join_lines(lines)) << "the evidence stays as it is";
}

TEST(AuditLog, RemovesATornTailAndSaysSo_A06) {
  const Scene scene;
  {
    const auto log = scene.open();
    ASSERT_TRUE(log->append(message("one")).ok());
  }
  // The state after a kill: an open head that covers nothing, one record, and half of another.
  std::string text = read_file(scene.path);
  Head head;
  head.run = "run-1";
  head.last = genesis("run-1", "0123abcd", "tickets");
  head.time = "2026-07-29T10:11:12.000000Z";
  const auto key = load_or_create_keys(scene.keys);
  ASSERT_TRUE(key.ok());
  write_file(scene.head, *sign_head(head, *key));
  write_file(scene.path, text + text.substr(0, 40));
  const Verification before = scene.check();
  EXPECT_EQ(before.status, Status::kTornTail);
  EXPECT_EQ(before.records, 1U);
  {
    const auto log = scene.open();
    ASSERT_NE(log, nullptr);
  }
  EXPECT_EQ(scene.check().status, Status::kIntact);
  const auto lines = split_lines(read_file(scene.path));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[1].find("40 bytes of a torn record removed"), std::string::npos) << lines[1];
}

TEST(AuditLog, RefusesLinksAndForeignModes) {
  const Scene scene;
  write_log(scene, 1);
  ASSERT_EQ(::chmod(scene.path.c_str(), 0644), 0);
  EXPECT_FALSE(Log::open(scene.options()).ok());
  ASSERT_EQ(::chmod(scene.path.c_str(), 0600), 0);
  std::filesystem::create_symlink(scene.path, scene.dir.path() + "/link.jsonl");
  std::filesystem::create_symlink(scene.head, scene.dir.path() + "/link.jsonl.head");
  Options options = scene.options();
  options.path = scene.dir.path() + "/link.jsonl";
  EXPECT_FALSE(Log::open(options).ok());
}

TEST(AuditLog, BoundsAFloodAndCountsIt_A07) {
  const Scene scene;
  Options options = scene.options();
  options.flood_burst = 10;
  options.flood_per_second = 1;
  auto opened = Log::open(options);
  ASSERT_TRUE(opened.ok());
  Log& log = **opened;
  Record record;
  record.kind = "violation";
  record.dir = Direction::kServerToHost;
  record.reason = "garbage";
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(log.append(record).ok());
  }
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(log.append(message("calls are never dropped")).ok());
  }
  ASSERT_TRUE(log.close().ok());
  EXPECT_EQ(scene.check().status, Status::kIntact);
  std::int64_t written = 0;
  std::int64_t dropped = 0;
  std::int64_t calls = 0;
  for (const std::string& line : split_lines(read_file(scene.path))) {
    json::Tape tape;
    ASSERT_TRUE(tape.parse(line));
    written += tape.root().find("kind").string_equals("violation") ? 1 : 0;
    calls += tape.root().find("kind").string_equals("msg") ? 1 : 0;
    dropped += tape.root().at("detail", "dropped").int64().value_or(0);
  }
  EXPECT_LT(written, 100);
  EXPECT_GE(written, 10);
  EXPECT_EQ(written + dropped, 1000);
  EXPECT_EQ(calls, 20);
}

TEST(AuditLog, TwoLogsShareOneKeyPair) {
  const Scene scene;
  write_log(scene, 1);
  Options other = scene.options("run-2");
  other.path = scene.dir.path() + "/audit/two.jsonl";
  {
    const auto log = Log::open(other);
    ASSERT_TRUE(log.ok());
  }
  EXPECT_EQ(verify(other.path, scene.keys + "/audit.pub", "")->status, Status::kIntact);
  EXPECT_EQ(scene.check().status, Status::kIntact);
}

TEST(AuditLog, NamesSortByTime) {
  const std::string name = new_log_name("00ff");
  EXPECT_EQ(name.size(), std::string("20260729T101112Z-00ff.jsonl").size());
  EXPECT_EQ(name.substr(name.size() - 11), "-00ff.jsonl");
  EXPECT_EQ(new_run_id().size(), 16U);
  EXPECT_NE(new_run_id(), new_run_id());
}

}  // namespace
}  // namespace calaboose::audit::test
