// SPDX-License-Identifier: Apache-2.0
// Showing records to people.
#include "runner/audit/reader.h"

#include "support.h"

namespace calaboose::audit::test {
namespace {

TEST(AuditReader, GoesThroughRecordsAndStopsBeforeATornTail_A06) {
  const Scene scene;
  write_log(scene, 3);
  write_file(scene.path, read_file(scene.path) + "{\"v\":1,\"se");
  auto reader = Reader::open(scene.path);
  ASSERT_TRUE(reader.ok());
  for (std::int64_t i = 1; i <= 3; ++i) {
    auto entry = reader->next();
    ASSERT_TRUE(entry.ok() && entry->has_value());
    EXPECT_EQ((*entry)->fields.find("seq").int64(), i);
    EXPECT_EQ((*entry)->line, static_cast<std::uint64_t>(i));
  }
  auto end = reader->next();
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST(AuditReader, GivesForeignLinesToo) {
  Reader reader = Reader::over("not json\n[1]\n");
  for (int i = 0; i < 2; ++i) {
    auto entry = reader.next();
    ASSERT_TRUE(entry.ok() && entry->has_value());
    EXPECT_FALSE((*entry)->fields.exists());
    EXPECT_NE(render_line(**entry).find("is not a record"), std::string::npos);
  }
}

TEST(AuditReader, BoundsALine) {
  const std::string text(1U << 20U, 'x');
  Reader reader = Reader::over(text);
  const auto entry = reader.next();
  ASSERT_FALSE(entry.ok());
  EXPECT_EQ(entry.error().code(), Errc::kLimit);
}

TEST(AuditReader, RendersOneLine) {
  Reader reader = Reader::over(
      R"({"v":1,"seq":7,"t":"2026-07-29T10:11:12.000345Z","run":"r","kind":"msg","dir":"server>host",)"
      R"("mcp.method.name":"tools/call","gen_ai.tool.name":"echo","call":3,"bytes":120,"verdict":"deny",)"
      R"("rule":"no-delete","reason":"not allowed"})"
      "\n");
  const auto entry = reader.next();
  ASSERT_TRUE(entry.ok() && entry->has_value());
  EXPECT_EQ(
      render_line(**entry),
      "7     2026-07-29T10:11:12.000345Z <- msg       tools/call echo call:3 120B deny no-delete "
      "not allowed");
}

TEST(AuditReader, EscapesPeerText_A04) {
  Reader reader = Reader::over(
      "{\"seq\":1,\"kind\":\"msg\",\"mcp.method.name\":\"\\u001b]0;owned\\u0007\\u202e\\n\","
      "\"detail\":"
      "{\"\\u001b[2J\":\"\\u001b[1A\"},\"x\":[\"\\u001b[0m\"]}\n");
  const auto entry = reader.next();
  ASSERT_TRUE(entry.ok() && entry->has_value());
  for (const std::string& text : {render_line(**entry), render_record(**entry)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
  }
  EXPECT_EQ(render_line(**entry).find('\n'), std::string::npos);
}

TEST(AuditReader, ShowsByNumberRunAndCall) {
  const Scene scene;
  {
    const auto log = scene.open();
    for (std::uint64_t call = 1; call <= 3; ++call) {
      Record record = message("x");
      record.call = call;
      ASSERT_TRUE(log->append(record).ok());
      record.kind = "decision";
      record.extra = R"({"host":"h"})";
      ASSERT_TRUE(log->append(record).ok());
    }
  }
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_NE(show(scene.path, *RecordId::parse("2"))->find("seq: 2\n"), std::string::npos);
  EXPECT_NE(show(scene.path, *RecordId::parse("2"))->find("detail:\n  host: h\n"),
            std::string::npos);
  EXPECT_NE(show(scene.path, *RecordId::parse("run-1:5"))->find("seq: 5\n"), std::string::npos);
  EXPECT_EQ(count(*show(scene.path, *RecordId::parse("call:2")), "call: 2\n"), 2U);
  EXPECT_FALSE(show(scene.path, *RecordId::parse("99")).ok());
  EXPECT_FALSE(show(scene.path, *RecordId::parse("other:1")).ok());
}

TEST(AuditReader, RefusesIdsThatAreNone) {
  for (const char* text : {"", "0", "x", "1x", ":1", "run:", "run:x", "call:", "call:0", "-1",
                           "99999999999999999999"}) {
    const auto id = RecordId::parse(text);
    ASSERT_FALSE(id.ok()) << text;
    EXPECT_EQ(id.error().code(), Errc::kUsage);
  }
}

TEST(AuditReader, TailGivesTheLastOnes) {
  const Scene scene;
  write_log(scene, 10);
  const auto lines = tail(scene.path, 3);
  ASSERT_TRUE(lines.ok());
  ASSERT_EQ(lines->size(), 3U);
  EXPECT_EQ((*lines)[0].substr(0, 2), "8 ");
  EXPECT_EQ((*lines)[2].substr(0, 3), "10 ");
}

TEST(AuditReader, FindsTheLatestLog) {
  const TempDir dir;
  EXPECT_FALSE(find_latest_log(dir.path()).ok());
  for (const char* name :
       {"20260101T000000Z-bb.jsonl", "20260729T101112Z-aa.jsonl", "20260729T101112Z-aa.jsonl.head",
        "zzzz.jsonl", "20250101T000000Z-ff.jsonl"}) {
    write_file(dir.path() + "/" + name, "");
  }
  EXPECT_EQ(*find_latest_log(dir.path()), dir.path() + "/20260729T101112Z-aa.jsonl");
}

}  // namespace
}  // namespace calaboose::audit::test
