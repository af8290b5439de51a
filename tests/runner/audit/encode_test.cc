// SPDX-License-Identifier: Apache-2.0
// Lines stay one valid JSON line whatever a peer says (A04).
#include "runner/audit/encode.h"

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "base/text.h"

namespace calaboose::audit {
namespace {

std::string encoded(std::string_view text, std::size_t max_bytes = kMaxTextBytes) {
  std::string out;
  append_text(out, text, max_bytes);
  return out;
}

TEST(AuditText, EscapesWhatBreaksOrHides_A04) {
  using namespace std::string_literals;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"plain text", R"("plain text")"},
      {"say \"hi\" \\ there", R"("say \"hi\" \\ there")"},
      {"a\nb\rc\td", R"("a\nb\rc\td")"},
      {"\x1b]0;title\x07", R"("\u001b]0;title\u0007")"},
      {"\x7f", R"("\u007f")"},
      {"nul\0here"s, "\"nul\xef\xbf\xbdhere\""},
      {"\xff\xfe", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
      {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
      {"caf\xc3\xa9 \xf0\x9f\x98\x80", "\"caf\xc3\xa9 \xf0\x9f\x98\x80\""},
      {"\xc2\x85", R"("\u0085")"},                // next line
      {"\xe2\x80\xa8", R"("\u2028")"},            // line separator
      {"\xe2\x80\xae", R"("\u202e")"},            // right-to-left override
      {"\xe2\x80\x8b", R"("\u200b")"},            // zero-width space
      {"\xf3\xa0\x81\x81", R"("\udb40\udc41")"},  // tag letter A
      {"\xef\xbb\xbf", R"("\ufeff")"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(encoded(text), expected);
  }
}

TEST(AuditText, AnyBytesBecomeValidJson_A04) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string text = {'a', static_cast<char>(first), static_cast<char>(second), 'z'};
      const std::string out = encoded(text);
      json::Tape tape;
      ASSERT_TRUE(tape.parse(out)) << first << ' ' << second << ' ' << out;
      ASSERT_EQ(out.find_first_of("\n\r"), std::string::npos);
    }
  }
}

TEST(AuditText, CutsAtACharacter) {
  EXPECT_EQ(encoded("abcdef", 3), "\"abc\xe2\x80\xa6\"");
  EXPECT_EQ(encoded("ab\xc3\xa9z", 3), "\"ab\xe2\x80\xa6\"");
  EXPECT_EQ(encoded("abc", 3), "\"abc\"");
  EXPECT_EQ(encoded(std::string(10, '\x80'), 3), "\"\xe2\x80\xa6\"");
}

TEST(AuditTime, IsRfc3339WithMicroseconds) {
  TimeText time;
  std::string out;
  time.append(out, 1'785'319'872'000'345);
  EXPECT_EQ(out, "2026-07-29T10:11:12.000345Z");
  out.clear();
  time.append(out, 1'785'319'872'999'999);
  EXPECT_EQ(out, "2026-07-29T10:11:12.999999Z");
  out.clear();
  time.append(out, 1'785'319'873'000'000);
  EXPECT_EQ(out, "2026-07-29T10:11:13.000000Z");
}

TEST(AuditLine, IsBoundedByTheWorstRecord) {
  const std::string hostile(100'000, '\x01');
  LineEncoder encoder(hostile, hostile, hostile);
  Record record;
  record.kind = record.method = record.request_id = record.tool = record.body = hostile;
  record.verdict = record.rule = record.at = record.reason = record.extra = hostile;
  const std::string_view line = encoder.encode(record, ~0ULL, Digest{}, 1);
  EXPECT_LT(line.size(), kMaxLineBytes);
  json::Tape tape;
  EXPECT_TRUE(tape.parse(line));
}

TEST(AuditLine, DetailThatIsNoObjectBecomesText_A04) {
  LineEncoder encoder("r", "s", "i");
  Record record;
  record.kind = "config";
  for (const std::string_view extra :
       {"[1]", "{", "{\"a\":1}{", "{\"a\":1,\"a\":2}", "{\n\"a\":1}", "x"}) {
    record.extra = extra;
    const std::string_view line = encoder.encode(record, 1, Digest{}, 1);
    json::Tape tape;
    ASSERT_TRUE(tape.parse(line)) << line;
    EXPECT_EQ(tape.root().at("detail", "text").string(), std::string(extra));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
  }
}

}  // namespace
}  // namespace calaboose::audit
