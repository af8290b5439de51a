// SPDX-License-Identifier: Apache-2.0
// Requests of an open session: what is sent in each era, and how long they may take.
#include <gtest/gtest.h>

#include "opening_fixture.h"

namespace calaboose::mcp {
namespace {

TEST(Session, SendsInBothEras) {
  ClientSession::Options options;
  options.client_info = R"({"name":"c","version":"1"})";
  Opening modern(EraChoice::kOnlyModern, options);
  modern.answer_probe(kDiscovered);
  const std::uint64_t call =
      modern.session.request("tools/call", R"({"name":"t","_meta":{"k":1}})", modern.now, true);
  EXPECT_EQ(
      modern.owner.written.back(),
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"k":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"progressToken":1}}})");
  modern.session.request("tools/list", {}, modern.now);
  EXPECT_EQ(
      modern.owner.written.back(),
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}})");
  modern.say(
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}})");
  modern.session.cancel(call, "enough");
  EXPECT_EQ(
      modern.owner.written.back(),
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}})");
  modern.say(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  modern.say(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  EXPECT_EQ(modern.owner.answers,
            (std::vector<std::string>{"notifications/progress of tools/call",
                                      R"(tools/list {"jsonrpc":"2.0","id":2,"result":{}})"}));
  EXPECT_EQ(modern.owner.violations.back(), "late-response");

  Opening legacy(EraChoice::kOnlyLegacy, options);
  legacy.answer_initialize(1, kInitialized);
  legacy.session.request("tools/list", {}, legacy.now);
  EXPECT_EQ(legacy.owner.written.back(), R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  legacy.session.request("tools/list", "{}", legacy.now, true);
  EXPECT_EQ(
      legacy.owner.written.back(),
      R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"progressToken":3}}})");
  legacy.session.on_closed(Error(Errc::kPeer, "gone"), legacy.now);
  EXPECT_EQ(legacy.owner.answers, (std::vector<std::string>{"tools/list gone", "tools/list gone"}));
  EXPECT_EQ(legacy.owner.failure, "gone");
}

TEST(Session, TimeoutsAreAbsoluteAndProgressExtendsThemTenfold) {
  ClientSession::Options options;
  options.request_timeout = Milliseconds(1000);
  Opening opening(EraChoice::kOnlyLegacy, options);
  opening.answer_initialize(1, kInitialized);
  const TimePoint start = opening.now;
  opening.session.request("tools/call", R"({"name":"t"})", opening.now, true);
  for (int i = 1; i <= 12 && opening.owner.answers.size() < 20; ++i) {
    opening.say(
        R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":)" +
        std::to_string(i) + "}}");
    opening.wait(900);
    if (opening.owner.answers.back().starts_with("tools/call")) {
      break;
    }
  }
  EXPECT_EQ(opening.owner.answers.back(), "tools/call the server did not answer within 1000 ms");
  EXPECT_GE(opening.now - start, Milliseconds(10'000));
  EXPECT_LT(opening.now - start, Milliseconds(10'900));
  EXPECT_EQ(
      opening.owner.written.back(),
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"timeout"}})");
  opening.say(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  EXPECT_EQ(opening.owner.violations.back(), "late-response");
  EXPECT_EQ(opening.session.next_deadline(), TimePoint::max());
}

}  // namespace
}  // namespace calaboose::mcp
