// SPDX-License-Identifier: Apache-2.0
// Revisions, methods, levels, codes.
#include <gtest/gtest.h>

#include "mcp/wire/codes.h"
#include "mcp/wire/methods.h"
#include "mcp/wire/revision.h"

namespace calaboose::mcp {
namespace {

TEST(Revision, KnownOnesAndEras) {
  for (const std::string_view legacy : legacy_revisions()) {
    EXPECT_EQ(known_revision(legacy), Era::kLegacy);
    EXPECT_FALSE(is_modern_revision(legacy));
    EXPECT_EQ(allows_batches(legacy), legacy == "2025-03-26");
  }
  EXPECT_EQ(known_revision("2026-07-28"), Era::kModern);
  EXPECT_EQ(known_revision("2027-01-01"), std::nullopt);
  EXPECT_EQ(known_revision(""), std::nullopt);
  EXPECT_TRUE(is_modern_revision("2027-01-01"));
  EXPECT_EQ(era_name(Era::kModern), "modern");
}

TEST(Methods, TheTableIsInOrderOfItsEnumerators) {
  for (int i = 0; i <= static_cast<int>(Method::kTasksUpdate); ++i) {
    const MethodInfo& info = info_of(static_cast<Method>(i));
    EXPECT_EQ(static_cast<int>(info.method), i);
    EXPECT_EQ(find_method(info.name), &info);
  }
  EXPECT_EQ(find_method("tools"), nullptr);
  EXPECT_EQ(find_method("events/list"), nullptr);
}

TEST(Methods, WhoMayNotifyWhat) {
  EXPECT_TRUE(client_may_notify(Notice::kInitialized, Era::kLegacy));
  EXPECT_FALSE(client_may_notify(Notice::kInitialized, Era::kModern));
  EXPECT_FALSE(client_may_notify(Notice::kUnknown, Era::kLegacy));
  EXPECT_FALSE(client_may_notify(Notice::kMessage, Era::kLegacy));
  EXPECT_TRUE(server_may_notify(Notice::kUnknown, Era::kLegacy));
  EXPECT_FALSE(server_may_notify(Notice::kUnknown, Era::kModern));
  EXPECT_FALSE(server_may_notify(Notice::kAcknowledged, Era::kLegacy));
  EXPECT_EQ(find_notice("notifications/tools/list_changed"), Notice::kToolsChanged);
  EXPECT_EQ(client_capability_for("roots/list"), "roots");
  EXPECT_EQ(client_capability_for("tools/call"), "");
}

TEST(Methods, LogLevels) {
  json::Tape tape;
  ASSERT_TRUE(tape.parse(R"(["debug","emergency","loud",3])"));
  EXPECT_EQ(log_level(tape.root().element(0)), 0);
  EXPECT_EQ(log_level(tape.root().element(1)), 7);
  EXPECT_EQ(log_level(tape.root().element(2)), std::nullopt);
  EXPECT_EQ(log_level(tape.root().element(3)), std::nullopt);
  EXPECT_EQ(log_level({}), std::nullopt);
  EXPECT_EQ(log_level_name(4), "error");
}

TEST(Codes, Ranges) {
  EXPECT_TRUE(code::is_reserved_for_us(-31001));
  EXPECT_TRUE(code::is_reserved_for_us(-31003));
  EXPECT_FALSE(code::is_reserved_for_us(-31000));
  EXPECT_FALSE(code::is_reserved_for_us(-31004));
  EXPECT_FALSE(code::is_undefined_in_modern(-32022));
  EXPECT_TRUE(code::is_undefined_in_modern(-32023));
  EXPECT_TRUE(code::is_undefined_in_modern(-32099));
  EXPECT_FALSE(code::is_undefined_in_modern(-32100));
}

}  // namespace
}  // namespace calaboose::mcp
