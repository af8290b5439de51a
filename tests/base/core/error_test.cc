// SPDX-License-Identifier: Apache-2.0
// Errors as people see them, and the exit codes they lead to.
#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace calaboose {
namespace {

TEST(SourceRef, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ((SourceRef{"a.jsonc", 12, 7, ""}.to_string()), "a.jsonc:12:7");
  EXPECT_EQ((SourceRef{"a.jsonc", 12, 0, ""}.to_string()), "a.jsonc:12");
  EXPECT_EQ((SourceRef{"a.jsonc", 0, 7, ""}.to_string()), "a.jsonc");
  EXPECT_EQ((SourceRef{"", 12, 7, ""}.to_string()), ":12:7");
}

TEST(SourceRef, HostileFileNamesAreMadeVisible) {  // I11
  EXPECT_EQ((SourceRef{"a\x1b[2J\n.jsonc", 1, 1, ""}.to_string()), "a\\x1b[2J\\n.jsonc:1:1");
}

TEST(Error, RendersEveryPartInOrder) {
  const Error error = Error(Errc::kInvalidConfig, "unknown key \"allowedHost\"")
                          .at({"config.jsonc", 12, 7, "/mcpServers/git"})
                          .with_id("CB1203")
                          .with_excerpt("  \"allowedHost\": []\n  ^")
                          .with_hint("did you mean \"allowedHosts\"?");
  EXPECT_EQ(error.render(),
            "config.jsonc:12:7: unknown key \"allowedHost\" [CB1203]\n  \"allowedHost\": []\n  "
            "^\nhint: did you mean "
            "\"allowedHosts\"?");
  EXPECT_EQ(error.code(), Errc::kInvalidConfig);
  EXPECT_EQ(error.what(), "unknown key \"allowedHost\"");
  EXPECT_EQ(error.id(), "CB1203");
  EXPECT_EQ(error.hint(), "did you mean \"allowedHosts\"?");
  ASSERT_TRUE(error.at().has_value());
  EXPECT_EQ(error.at()->pointer, "/mcpServers/git");
}

TEST(Error, PlainErrorIsItsText) {
  EXPECT_EQ(Error(Errc::kPeer, "gone").render(), "gone");
}

TEST(Error, PeerTextIsSeparateAndEscaped) {  // I11
  const Error error = Error(Errc::kPeer, "the server failed")
                          .with_peer_text(
                              "\x1b]0;x\x07"
                              "bad\nline \u202E");
  EXPECT_EQ(error.what(), "the server failed");
  EXPECT_EQ(error.peer_text(),
            "\x1b]0;x\x07"
            "bad\nline \u202E");
  EXPECT_EQ(error.render(), "the server failed\n  it said: \\x1b]0;x\\x07bad\\nline \\u202e");
}

TEST(Error, ContextGoesInFront) {
  EXPECT_EQ(Error(Errc::kIo, "no such file").in("config").in("start").what(),
            "start: config: no such file");
}

TEST(ExitCode, FollowsTheDesign) {
  EXPECT_EQ(exit_code_of(Errc::kInternal), 1);
  EXPECT_EQ(exit_code_of(Errc::kIo), 1);
  EXPECT_EQ(exit_code_of(Errc::kUsage), 2);
  EXPECT_EQ(exit_code_of(Errc::kInvalidConfig), 2);
  EXPECT_EQ(exit_code_of(Errc::kDenied), 3);
  EXPECT_EQ(exit_code_of(Errc::kCannotEnforce), 4);
  EXPECT_EQ(exit_code_of(Errc::kPeer), 5);
  EXPECT_EQ(exit_code_of(Errc::kLimit), 5);
  EXPECT_EQ(exit_code_of(Errc::kInvalidInput), 5);
  EXPECT_EQ(exit_code_of(Errc::kDeadline), 6);
  EXPECT_EQ(exit_code_of(Errc::kAuthorization), 7);
  EXPECT_EQ(exit_code_of(Errc::kCommandNotFound), 127);
}

TEST(Errno, HasNameAndText) {
  EXPECT_EQ(errno_name(EPERM), "EPERM");
  EXPECT_EQ(errno_name(ENOENT), "ENOENT");
  EXPECT_EQ(errno_name(99999), "errno 99999");
  EXPECT_EQ(errno_name(-1), "errno -1");
  const Error error = errno_error("open", ENOENT);
  EXPECT_EQ(error.code(), Errc::kIo);
  EXPECT_EQ(error.what(), "open: No such file or directory (ENOENT)");
  EXPECT_EQ(errno_error("x", 99999).what(), "x: unknown error (errno 99999)");
}

}  // namespace
}  // namespace calaboose
