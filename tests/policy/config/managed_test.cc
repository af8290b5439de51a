// SPDX-License-Identifier: Apache-2.0
// The administrator's file can only tighten (O5).
#include "policy/config/restrict.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

using Args = std::vector<std::string>;

TEST(PackageIdentity, PlainForms) {
  const auto id = [](std::string_view program, const Args& args) {
    const PackageIdentity identity = package_identity(program, args);
    return identity.package + " " + identity.version + (identity.starts_others ? " runner" : "");
  };
  EXPECT_EQ(id("npx", {"-y", "@example/x@1.4.2", "--flag"}), "npm:@example/x 1.4.2 runner");
  EXPECT_EQ(id("npx", {"x"}), "npm:x  runner");
  EXPECT_EQ(id("npx", {"x@latest"}), "npm:x  runner");
  EXPECT_EQ(id("npx", {"x@^1.2.3"}), "npm:x  runner");
  EXPECT_EQ(id("npx", {"x@1.x"}), "npm:x  runner");
  EXPECT_EQ(id("uvx", {"tool==1.2.3"}), "pypi:tool 1.2.3 runner");
  EXPECT_EQ(id("uvx", {"tool@1.2"}), "pypi:tool 1.2 runner");
  EXPECT_EQ(id("/opt/x/server", {}), "/opt/x/server ");
  EXPECT_EQ(id("server", {}), " ");
}

TEST(PackageIdentity, AnythingOddIsUnknown) {
  for (const Args& args :
       {Args{"--package", "x"}, Args{"-c", "x"}, Args{"--registry=https://r.example", "x"},
        Args{"git+https://x.example/a"}, Args{"./x"}, Args{"@x"}, Args{"@/x"}, Args{"x/y"}, Args{},
        Args{"-y", "--", "x"}, Args{"..", "x"}}) {
    EXPECT_EQ(package_identity("npx", args).package, "");
    EXPECT_TRUE(package_identity("npx", args).starts_others);
  }
  EXPECT_EQ(package_identity("uvx", {"--from", "x", "y"}).package, "");
  EXPECT_EQ(package_identity("/tmp/npx", {"x"}).package, "");  // anybody's program of that name
  EXPECT_EQ(package_identity("/bin/sh", {"-c", "x"}).package, "");
}

std::string npx(std::string_view spec, std::string_view more = "") {
  return R"({"version":1,"mcpServers":{"a":{"command":"npx","args":["-y",")" + std::string(spec) +
         "\"]" + std::string(more) + "}}}";
}

TEST(Managed, AllowedServers) {
  const SourceText list = managed(
      R"({"version":1,"allowedServers":[{"package":"npm:@example/x"},{"package":"/opt/server"}]})");
  EXPECT_TRUE(resolve({owner(npx("@example/x@1.0.0")), list}).ok());
  EXPECT_EQ(refused({owner(npx("@example/y")), list}, "CB2035").code(), Errc::kDenied);
  EXPECT_EQ(refused({owner(one_server("")), list}, "CB2035").code(), Errc::kDenied);
  EXPECT_EQ(refused({list}, "CB2035", command("node", {"x.js"}), "").code(), Errc::kDenied);
  EXPECT_TRUE(resolve({list}, command("/opt/server"), "").ok());
  EXPECT_EQ(
      refused({owner(npx("@example/x")), managed(R"({"version":1,"allowedServers":[]})")}, "CB2035")
          .code(),
      Errc::kDenied);
}

TEST(Managed, ADigestCannotBeCheckedSoNothingStarts) {
  const std::string digest(64, 'a');
  const SourceText list =
      managed(R"({"version":1,"allowedServers":[{"package":"npm:x","digest":"sha256:)" + digest +
              R"("}]})");
  EXPECT_EQ(refused({owner(npx("x@1.0.0")), list}, "CB2037").code(), Errc::kCannotEnforce);
}

TEST(Managed, RequirePinnedVersion) {
  const SourceText pin = managed(R"({"version":1,"requirePinnedVersion":true})");
  EXPECT_TRUE(resolve({owner(npx("x@1.0.0")), pin}).ok());
  refused({owner(npx("x")), pin}, "CB2036");
  refused({owner(npx("x@latest")), pin}, "CB2036");
  refused({pin}, "CB2036", command("sh", {"-c", "npx x"}), "");
  EXPECT_TRUE(resolve({pin}, command("/opt/server"), "").ok());
  EXPECT_TRUE(
      resolve({owner(npx("x")), managed(R"({"version":1,"requirePinnedVersion":false})")}).ok());
}

TEST(Managed, MinimumLevelIsRaisedNeverLowered) {
  const SourceText full = managed(R"({"version":1,"minimumLevel":"full"})");
  const SourceText reduced = managed(R"({"version":1,"minimumLevel":"reduced"})");
  const ServerPolicy off = policy_of({owner(npx("x", R"(,"sandbox":"off")")), reduced});
  EXPECT_FALSE(off.sandbox_off);
  EXPECT_EQ(off.minimum_level.value, Level::kReduced);
  EXPECT_EQ(off.minimum_level.origin.to_string(), "managed.jsonc:1:29");
  EXPECT_FALSE(off.notes.empty());
  EXPECT_EQ(policy_of({owner(npx("x", R"(,"sandbox":{"minimumLevel":"reduced"})")), full})
                .minimum_level.value,
            Level::kFull);
  EXPECT_EQ(policy_of({owner(npx("x")), reduced}).minimum_level.value, Level::kFull);
  CommandLine line;
  line.minimum_level = "reduced";
  EXPECT_EQ(policy_of({owner(npx("x")), full}, line).minimum_level.value, Level::kFull);
}

TEST(Managed, WhatThisVersionCannotDoStopsEverything) {
  for (const char* keys : {R"("firstUse":"hold")", R"("firstUse":"pin")",
                           R"("audit":{"sink":"/var/log/x"})", R"("audit":{"level":"full"})"}) {
    EXPECT_EQ(
        refused({owner(npx("x")), managed(std::string("{\"version\":1,") + keys + "}")}, "CB2037")
            .code(),
        Errc::kCannotEnforce)
        << keys;
  }
  EXPECT_TRUE(resolve({owner(npx("x")),
                       managed(R"({"version":1,"firstUse":"off","audit":{"level":"meta"}})")})
                  .ok());
}

TEST(Managed, SeveralFilesTightenEachOther) {
  const SourceText one = managed(
      R"({"version":1,"minimumLevel":"reduced","allowedServers":[{"package":"npm:x"},{"package":"npm:y"}]})");
  const SourceText two = managed(
      R"({"version":1,"minimumLevel":"full","requirePinnedVersion":true,"allowedServers":[{"package":"npm:y"}]})");
  const LoadResult loaded = load({one, two});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.config.managed.minimum_level->value, Level::kFull);
  refused({owner(npx("x@1.0.0")), one, two}, "CB2035");
  EXPECT_TRUE(resolve({owner(npx("y@1.0.0")), one, two}).ok());
}

}  // namespace
}  // namespace calaboose::policy::testing
