// SPDX-License-Identifier: Apache-2.0
// Scanning whole messages: what changes, what stays byte for byte, and what it costs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <random>
#include <string>

#include "base/json/write.h"
#include "policy/scan/odd.h"
#include "policy/scan/scan.h"

namespace {

// Counts allocations of this thread, for the promise that clean messages allocate nothing.
thread_local std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace calaboose::policy {
namespace {

using Role = MessageContext::Role;

constexpr MessageContext kCall{Role::kResult, "tools/call", true};

ScanResult scan(std::string_view message, const MessageContext& context = kCall,
                Scanner::Options options = {}) {
  json::Tape tape;
  EXPECT_TRUE(tape.parse(message)) << tape.error().what << "\n" << message;
  return Scanner(options).scan(context, tape.root());
}

TEST(Scanner, CleanMessagesAllocateNothing) {
  for (
      const std::string_view message : {
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"line\n\"quoted\" \\u200b \t\\"}]}})",
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Grüße, 日本語, 한국어, Привет"}]}})",
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"gr\u00fc\u00dfe \ud83d\ude00"}]}})",
          R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"👨‍👩‍👧 ❤️ می‌خواهم ภาษา​ไทย"}]}})",
      }) {
    json::Tape tape;
    ASSERT_TRUE(tape.parse(message));
    const Scanner scanner;
    const std::size_t before = allocations;
    const ScanResult result = scanner.scan(kCall, tape.root());
    EXPECT_EQ(allocations, before) << message;
    EXPECT_FALSE(result.changed);
    EXPECT_EQ(result.strongest, Action::kAllow);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_TRUE(result.text.empty());
  }
}

TEST(Scanner, RewritesOnlyTheLeavesConcerned) {
  const ScanResult result = scan(
      R"({"jsonrpc":"2.0","id":1.50,"result":{"z":1e400,"content":[{"type":"text","text":"a\u0007b"},{"text":"\u0041\/"}],"a":{}}})");
  ASSERT_TRUE(result.changed);
  EXPECT_EQ(
      result.text,
      R"({"jsonrpc":"2.0","id":1.50,"result":{"z":1e400,"content":[{"type":"text","text":"ab"},{"text":"\u0041\/"}],"a":{}}})");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].rule, "characters/control");
  EXPECT_EQ(result.findings[0].surface, Surface::kResultText);
  EXPECT_EQ(result.findings[0].pointer, "/result/content/0/text");
  EXPECT_EQ(result.findings[0].action, Action::kStrip);
  EXPECT_EQ(result.findings[0].count, 1U);
  EXPECT_EQ(result.strongest, Action::kStrip);
}

TEST(Scanner, AChangedMessageIsMinified) {
  const ScanResult result =
      scan("{ \"result\" : { \"content\" : [ { \"text\" : \"a\\u001b[1mb\" } ] } }");
  EXPECT_EQ(result.text, R"({"result":{"content":[{"text":"ab"}]}})");
}

TEST(Scanner, EscapedSpellingsAreSeen) {
  EXPECT_EQ(
      scan(R"({"result":{"content":[{"text":"x\ud83c\udff4\udb40\udc61\udb40\udc62"}]}})").text,
      "{\"result\":{\"content\":[{\"text\":\"x\U0001F3F4\"}]}}");
  EXPECT_EQ(scan(R"({"result":{"content":[{"text":"a\b\f\u007f\u009b1mb"}]}})").text,
            R"({"result":{"content":[{"text":"ab"}]}})");
}

TEST(Scanner, WrittenOutEscapesAreText) {  // threats 6.4
  EXPECT_FALSE(
      scan(R"({"result":{"content":[{"text":"\\u001b[1m \\x1b \\\\u200b \\b"}]}})").changed);
}

TEST(Scanner, OpaqueLeavesAreNeverRewritten) {
  const std::string message =
      "{\"id\":\"\u200B\",\"result\":{\"nextCursor\":\"a\u200B\",\"requestState\":\"\\u0007\",\"_"
      "meta\":{\"k\u200B\":\"\u202E\"},"
      "\"content\":[{\"type\":\"image\",\"data\":\"\u200B\"}]}}";
  const ScanResult result = scan(message);
  EXPECT_FALSE(result.changed);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Scanner, WhatTheHostSaysIsReportedButNotRewritten) {
  const ScanResult result =
      scan(R"({"id":1,"method":"tools/call","params":{"name":"w","arguments":{"t":"\u001b[1m"}}})",
           {Role::kRequest, "tools/call", false});
  EXPECT_FALSE(result.changed);
  EXPECT_EQ(result.strongest, Action::kFlag);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].action, Action::kFlag);
  EXPECT_EQ(result.findings[0].surface, Surface::kArgument);
}

TEST(Scanner, ObserveReportsWithoutRewriting) {
  Scanner::Options options;
  options.strip = false;
  const ScanResult result = scan(R"({"result":{"content":[{"text":"\u0007"}]}})", kCall, options);
  EXPECT_FALSE(result.changed);
  EXPECT_EQ(result.strongest, Action::kFlag);
  EXPECT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(Scanner(options).scan_text(Surface::kResultText, "a\x07").output, "a\x07");
}

TEST(Scanner, CanBeSwitchedOff) {
  Scanner::Options options;
  options.characters = false;
  EXPECT_TRUE(
      scan(R"({"result":{"content":[{"text":"\u0007"}]}})", kCall, options).findings.empty());
  EXPECT_EQ(Scanner(options).scan_text(Surface::kResultText, "a\x07").output, "a\x07");
}

TEST(Scanner, FindingsAreBounded) {
  std::string message = R"({"result":{"content":[)";
  for (int i = 0; i < 500; ++i) {
    message += (i > 0 ? "," : "") + std::string(R"({"text":"\u0007\u0007"})");
  }
  message += "]}}";
  const ScanResult result = scan(message);
  ASSERT_EQ(result.findings.size(), kMaxFindings);
  std::uint32_t total = 0;
  for (const Finding& finding : result.findings) {
    total += finding.count;
  }
  EXPECT_EQ(total, 1000U);
  EXPECT_EQ(result.text.find("\\u0007"), std::string::npos);  // all are stripped, listed or not
}

TEST(Scanner, FindingsNeverCarryThePayload) {  // design 7.4
  const ScanResult result =
      scan("{\"result\":{\"structuredContent\":{\"k\u202Eey\\u001b[2J\":\"\u200Bsecret\"}}}");
  const std::string json = findings_json(result.findings);
  EXPECT_EQ(json.find("secret"), std::string::npos);
  EXPECT_EQ(find_odd_json(json), std::string_view::npos)
      << json;  // names in pointers are made visible
  json::Tape tape;
  EXPECT_TRUE(tape.parse(json)) << json;
}

TEST(Scanner, LongNamesDoNotMakeLongPointers) {
  const ScanResult result = scan("{\"result\":{\"structuredContent\":{\"" +
                                 std::string(100'000, 'x') + "\":\"\u200B\"}}}");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_LT(result.findings[0].pointer.size(), 600U);
}

TEST(FindingsJson, HasOneShape) {
  EXPECT_EQ(findings_json({}), "[]");
  EXPECT_EQ(
      findings_json({{"characters/tags", Surface::kToolDescription, "/a/0", Action::kStrip, 3},
                     {"characters/bidi", Surface::kOther, "/b", Action::kFlag, 1}}),
      R"([{"rule":"characters/tags","surface":"tool.description","pointer":"/a/0","action":"strip","count":3},)"
      R"({"rule":"characters/bidi","surface":"other","pointer":"/b","action":"flag","count":1}])");
}

TEST(ScanText, JsonShapedTextsStayJson) {
  const Scanner scanner;
  const Scanner::TextResult result =
      scanner.scan_text(Surface::kResultStructured, "{ \"a\" : \"x\\u0007\" ,\n\"b\u200B\": 1 }");
  EXPECT_EQ(result.output, "{ \"a\" : \"x\" ,\n\"b\": 1 }");
  EXPECT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(scanner.scan_text(Surface::kErrorData, "no json \x07").output, "no json ");
  EXPECT_EQ(scanner.scan_text(Surface::kResultStructured, "{\"a\": \"\\u00e9\"}").output,
            "{\"a\": \"\\u00e9\"}");
}

TEST(ScanText, OpaqueStays) {
  EXPECT_EQ(Scanner().scan_text(Surface::kOpaque, "a\x1b[1m").output, "a\x1b[1m");
}

// Properties over generated messages: idempotent, never longer, still JSON with the same shape.
TEST(ScannerProperty, IdempotentAndNeverLonger) {
  std::mt19937_64 engine(3);
  const std::vector<std::string> pieces{
      "a",      "é", " ",       "\\n",    "\\u001b[1m",     "\\u0007", "\u200B", "\\u200d",  "😀",
      "\u202E", "ש", "\\u2067", "\u2069", "\\udb40\\udc41", "\uFE0F",  "\\\"",   "\\\\u200b"};
  const auto text = [&] {
    std::string out;
    for (std::uint64_t n = engine() % 6; n > 0; --n) {
      out += pieces[engine() % pieces.size()];
    }
    return out;
  };
  for (int i = 0; i < 2000; ++i) {
    std::string message = R"({"id":1,"result":{"structuredContent":{)";
    for (int k = 0; k < 4; ++k) {
      message += (k > 0 ? ",\"" : "\"") + text() + std::to_string(k) + "\":[\"" + text() + "\"]";
    }
    message += R"(},"content":[{"type":"text","text":")" + text() + R"("}]}})";
    json::Tape tape;
    ASSERT_TRUE(tape.parse(message)) << tape.error().what << message;
    const ScanResult once = Scanner().scan(kCall, tape.root());
    if (!once.changed) {
      ASSERT_TRUE(once.findings.empty()) << message;
      continue;
    }
    ASSERT_LE(once.text.size(), message.size());
    json::Tape again;
    ASSERT_TRUE(again.parse(once.text)) << again.error().what << once.text;
    ASSERT_EQ(again.tokens().size(), tape.tokens().size());
    const ScanResult twice = Scanner().scan(kCall, again.root());
    ASSERT_FALSE(twice.changed) << once.text << "\n" << twice.text;
  }
}

}  // namespace
}  // namespace calaboose::policy
