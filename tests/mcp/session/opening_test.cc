// SPDX-License-Identifier: Apache-2.0
// Opening a server: every row of the probe table (protocol.md 1.3, stdio column) and the legacy
// handshake.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "opening_fixture.h"

namespace calaboose::mcp {
namespace {

struct Row {
  std::string name;
  std::string answer;  // to the probe
  std::string
      preferred;  // what follows with a fall-back allowed: "open", "initialize", "probe", "fail"
  std::string pinned;  // and without
};

class ProbeTable : public testing::TestWithParam<Row> {};

std::string outcome(const Opening& opening) {
  if (!opening.owner.opened.empty()) {
    return "open";
  }
  if (!opening.owner.failure.empty()) {
    return "fail";
  }
  return opening.last() == "server/discover 2026-07-28" ? "probe"
         : opening.last() == "initialize 2025-11-25"    ? "initialize"
                                                        : "nothing";
}

TEST_P(ProbeTable, PreferModern) {  // M45
  Opening opening(EraChoice::kPreferModern);
  EXPECT_EQ(opening.last(), "server/discover 2026-07-28");
  opening.answer_probe(GetParam().answer);
  EXPECT_EQ(outcome(opening), GetParam().preferred) << opening.owner.failure;
}

TEST_P(ProbeTable, OnlyModernNeverInitializes) {
  Opening opening(EraChoice::kOnlyModern);
  opening.answer_probe(GetParam().answer);
  EXPECT_EQ(outcome(opening), GetParam().pinned) << opening.owner.failure;
  for (const std::string& line : opening.owner.written) {
    EXPECT_EQ(line.find("\"initialize\""), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ProbeTable,
    testing::Values(
        Row{"valid_mutual", std::string(kDiscovered), "open", "open"},
        Row{"valid_mutual_among_others",
            R"("result":{"resultType":"complete","supportedVersions":["2027-01-01","2026-07-28","2025-11-25"],"capabilities":{}})",
            "open", "open"},
        Row{"valid_without_type",
            R"("result":{"supportedVersions":["2026-07-28"],"capabilities":{}})", "open", "open"},
        Row{"valid_only_legacy",
            R"("result":{"resultType":"complete","supportedVersions":["2025-06-18"],"capabilities":{}})",
            "initialize", "fail"},
        Row{"valid_only_unknown",
            R"("result":{"resultType":"complete","supportedVersions":["2027-01-01"],"capabilities":{}})",
            "fail", "fail"},
        Row{"valid_no_version",
            R"("result":{"resultType":"complete","supportedVersions":[],"capabilities":{}})",
            "fail", "fail"},
        Row{"result_of_another_kind", R"("result":{"tools":[]})", "initialize", "fail"},
        Row{"result_no_object", R"("result":true)", "initialize", "fail"},
        Row{"result_asks_for_input",
            R"("result":{"resultType":"input_required","supportedVersions":["2026-07-28"],"capabilities":{}})",
            "initialize", "fail"},
        Row{"unsupported_mutual",
            R"("error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28"]}})", "probe",
            "probe"},
        Row{"unsupported_other_modern",
            R"("error":{"code":-32022,"message":"v","data":{"supported":["2027-01-01"]}})", "fail",
            "fail"},
        Row{"unsupported_other_modern_and_legacy",
            R"("error":{"code":-32022,"message":"v","data":{"supported":["2027-01-01","2025-11-25"]}})",
            "fail", "fail"},
        Row{"unsupported_only_legacy",
            R"("error":{"code":-32022,"message":"v","data":{"supported":["2025-11-25","2025-06-18"]}})",
            "initialize", "fail"},
        Row{"unsupported_no_list", R"("error":{"code":-32022,"message":"v"})", "initialize",
            "fail"},
        Row{"unsupported_bad_list",
            R"("error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28",1]}})",
            "initialize", "fail"},
        Row{"header_mismatch", R"("error":{"code":-32020,"message":"h"})", "probe", "probe"},
        Row{"missing_capability", R"("error":{"code":-32021,"message":"c"})", "fail", "fail"},
        Row{"method_not_found", R"("error":{"code":-32601,"message":"m"})", "initialize", "fail"},
        Row{"invalid_params", R"("error":{"code":-32602,"message":"m"})", "initialize", "fail"},
        Row{"server_error", R"("error":{"code":-32000,"message":"m"})", "initialize", "fail"},
        Row{"zero", R"("error":{"code":0,"message":"m"})", "initialize", "fail"},
        Row{"no_valid_message", R"("result":{},"error":{})", "initialize", "fail"},
        Row{"no_valid_json", R"("result":{"a":1,"a":2})", "initialize", "fail"}),
    [](const testing::TestParamInfo<Row>& row) { return row.param.name; });

TEST(Opening, AProbeIsRepeatedOnce) {
  for (const std::string_view answer :
       {R"("error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28"]}})",
        R"("error":{"code":-32020,"message":"v"})"}) {
    Opening opening(EraChoice::kPreferModern);
    opening.answer_probe(answer);
    opening.answer_probe(answer);
    EXPECT_EQ(outcome(opening), "fail");
    Opening other(EraChoice::kPreferModern);
    other.answer_probe(answer);
    other.answer_probe(kDiscovered);
    EXPECT_EQ(outcome(other), "open");
  }
}

TEST(Opening, SilenceLeadsToInitializeInTheSameProcess) {
  Opening opening(EraChoice::kPreferModern);
  EXPECT_EQ(opening.session.next_deadline(), opening.now + Milliseconds(10'000));
  opening.wait(9'999);
  EXPECT_EQ(opening.owner.written.size(), 1U);
  opening.wait(1);
  EXPECT_EQ(outcome(opening), "initialize");
  opening.answer_probe(kDiscovered);  // too late
  EXPECT_EQ(opening.owner.violations, std::vector<std::string>{"late-response"});
  opening.answer_initialize(1, kInitialized);
  EXPECT_EQ(opening.owner.opened, "legacy 2025-11-25");
}

TEST(Opening, SilenceEndsWhereNoFallBackIsAllowed) {
  Opening modern(EraChoice::kOnlyModern);
  modern.wait(10'000);
  EXPECT_EQ(outcome(modern), "probe");
  modern.wait(50'000);
  EXPECT_EQ(modern.owner.failure, "the server did not answer server/discover within 60000 ms");
  Opening legacy(EraChoice::kPreferLegacy);
  legacy.wait(60'000);
  EXPECT_EQ(legacy.owner.failure, "the server did not answer initialize within 60000 ms");
}

TEST(Opening, DeathOnTheProbeRestartsOnce) {
  Opening opening(EraChoice::kPreferModern);
  opening.session.on_closed(Error(Errc::kPeer, "gone"), opening.now);
  EXPECT_EQ(opening.owner.restarts, 1);
  EXPECT_EQ(opening.owner.written.size(), 1U);
  opening.say(R"({"jsonrpc":"2.0","id":"calaboose-probe-1","result":{}})");  // from the old process
  opening.session.on_restarted(opening.now);
  EXPECT_EQ(outcome(opening), "initialize");
  opening.session.on_closed(Error(Errc::kPeer, "gone again"), opening.now);
  EXPECT_EQ(opening.owner.failure, "gone again");
  EXPECT_EQ(opening.owner.restarts, 1);
}

TEST(Opening, DeathAfterARefusedProbeRestartsToo) {
  Opening opening(EraChoice::kPreferModern);
  opening.answer_probe(R"("error":{"code":-32600,"message":"expected initialize"})");
  EXPECT_EQ(outcome(opening), "initialize");
  opening.session.on_closed(Error(Errc::kPeer, "gone"), opening.now);
  EXPECT_EQ(opening.owner.restarts, 1);
  opening.session.on_restarted(opening.now);
  opening.answer_initialize(2, kInitialized);
  EXPECT_EQ(outcome(opening), "open");
}

TEST(Opening, DeathIsFinalWhereNoFallBackIsAllowed) {
  for (const EraChoice choice :
       {EraChoice::kOnlyModern, EraChoice::kOnlyLegacy, EraChoice::kPreferLegacy}) {
    Opening opening(choice);
    opening.session.on_closed(Error(Errc::kPeer, "gone"), opening.now);
    EXPECT_EQ(opening.owner.failure, "gone");
    EXPECT_EQ(opening.owner.restarts, 0);
  }
}

TEST(Opening, NothingIsSaidWhileTheProbeIsOpen) {
  Opening opening(EraChoice::kPreferModern);
  opening.say(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  opening.say(
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})");
  opening.say(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  opening.say("hello");
  EXPECT_EQ(opening.owner.written.size(), 1U);
  EXPECT_TRUE(opening.owner.answers.empty());
  opening.answer_probe(kDiscovered);
  EXPECT_EQ(outcome(opening), "open");
}

TEST(Opening, PingIsAnsweredDuringInitialize) {
  Opening opening(EraChoice::kOnlyLegacy);
  opening.say(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(opening.owner.written.back(), R"({"jsonrpc":"2.0","id":"p","result":{}})");
  opening.answer_initialize(1, kInitialized);
  EXPECT_EQ(opening.owner.written.back(),
            R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(opening.session.negotiated().capabilities, R"({"x":1})");
  EXPECT_EQ(opening.session.negotiated().server_info, R"({"name":"s"})");
  EXPECT_EQ(opening.session.negotiated().instructions, "i");
}

TEST(Opening, ARefusalThatNamesModernRevisionsLeadsToTheProbe) {
  constexpr std::string_view kRefusal =
      R"("error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}})";
  Opening opening(EraChoice::kPreferLegacy);
  EXPECT_EQ(outcome(opening), "initialize");
  opening.answer_initialize(1, kRefusal);
  EXPECT_EQ(outcome(opening), "probe");
  opening.answer_probe(kDiscovered);
  EXPECT_EQ(opening.owner.opened, "modern 2026-07-28");
  Opening only(EraChoice::kOnlyLegacy);
  only.answer_initialize(1, kRefusal);
  EXPECT_EQ(outcome(only), "fail");
  // Not in a circle.
  Opening circle(EraChoice::kPreferModern);
  circle.answer_probe(R"("error":{"code":-32601,"message":"m"})");
  circle.answer_initialize(1, kRefusal);
  EXPECT_EQ(outcome(circle), "fail");
}

TEST(Opening, ARefusalThatNamesAnOlderRevisionIsFollowedOnce) {
  constexpr std::string_view kRefusal =
      R"("error":{"code":-32602,"message":"v","data":{"supported":["2024-11-05","2025-03-26"]}})";
  Opening opening(EraChoice::kPreferLegacy);
  opening.answer_initialize(1, kRefusal);
  EXPECT_EQ(opening.last(), "initialize 2025-03-26");
  opening.answer_initialize(2, kRefusal);
  EXPECT_EQ(outcome(opening), "fail");
}

TEST(Opening, InitializeWithAnUnknownRevisionFails) {
  for (const std::string_view revision : {"2026-07-28", "2024-10-07", "x\\u001b[31m"}) {
    Opening opening(EraChoice::kPreferModern);
    opening.answer_probe(R"("error":{"code":-32601,"message":"m"})");
    opening.answer_initialize(1, "\"result\":{\"protocolVersion\":\"" + std::string(revision) +
                                     "\",\"capabilities\":{},\"serverInfo\":{}}");
    EXPECT_EQ(outcome(opening), "fail");
    EXPECT_EQ(opening.owner.failure.find('\x1b'), std::string::npos);  // I11
  }
}

TEST(Opening, TheOwnerMayReplaceOrRefuseTheAnswer) {
  Opening opening(EraChoice::kOnlyLegacy);
  opening.owner.decision.kind = Decision::Kind::kReplace;
  opening.owner.decision.text =
      R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}}})";
  opening.answer_initialize(1, kInitialized);
  EXPECT_EQ(outcome(opening), "open");
  EXPECT_FALSE(opening.session.negotiated().has_instructions);
  for (
      const std::string_view text :
      {"{", R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})",
       R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{}}})"}) {
    Opening bad(EraChoice::kOnlyLegacy);
    bad.owner.decision.kind = Decision::Kind::kReplace;
    bad.owner.decision.text = text;
    bad.answer_initialize(1, kInitialized);
    EXPECT_EQ(outcome(bad), "fail");
  }
  Opening refused(EraChoice::kOnlyModern);
  refused.owner.decision.kind = Decision::Kind::kRefuse;
  refused.owner.decision.message = "not this one";
  refused.answer_probe(kDiscovered);
  EXPECT_EQ(refused.owner.failure, "not this one");
}

}  // namespace
}  // namespace calaboose::mcp
