// SPDX-License-Identifier: Apache-2.0
// Single values: sizes, hosts, names, commands, secrets.
#include "policy/config/values.h"

#include <gtest/gtest.h>

#include "policy/config/secrets.h"

namespace calaboose::policy {
namespace {

TEST(Size, ReadsUnits) {
  EXPECT_EQ(parse_size("1GiB"), 1ULL << 30U);
  EXPECT_EQ(parse_size("512MB"), 512'000'000U);
  EXPECT_EQ(parse_size("4096"), 4096U);
  EXPECT_EQ(parse_size("4096B"), 4096U);
  EXPECT_EQ(parse_size("18446744073709551615"), ~0ULL);
}

TEST(Size, RefusesWhatIsNoWholeSize) {
  for (const char* text : {"", "GiB", "1.5GiB", "1 GiB", "1gib", "-1", "+1", "1GiBx",
                           "18446744073709551616", "18446744073709551615KB", "0x10", "1e3"}) {
    EXPECT_FALSE(parse_size(text).has_value()) << text;
  }
}

TEST(Size, FormatsAsWritten) {
  EXPECT_EQ(format_size(1ULL << 30U), "1 GiB");
  EXPECT_EQ(format_size(512'000'000), "512 MB");
  EXPECT_EQ(format_size(10ULL << 20U), "10 MiB");
  EXPECT_EQ(format_size(4096), "4 KiB");
  EXPECT_EQ(format_size(1001), "1001 B");
}

TEST(Host, AcceptsHostsWithPorts) {
  for (const char* text :
       {"api.example.com", "api.example.com:8443", "localhost:5432", "192.0.2.1", "[::1]",
        "[2001:db8::1]:443", "bücher.example", "a_b.example", "example.com."}) {
    EXPECT_TRUE(check_host(text, false).none()) << text << ": " << check_host(text, false).what;
  }
  EXPECT_TRUE(check_host("*.example.com:443", true).none());
}

TEST(Host, RefusesWhatCouldNeverMatch) {
  for (const char* text : {"", "https://a.example", "a.example/", "*.a.example", "a.example:",
                           "a.example:0", "a.example:99999", "a.example:8x", "u@a.example", "::1",
                           "[::1", "[zz]", "a..b", ".a", "a b", "a.example?x", "a\\b", "a%2eb"}) {
    EXPECT_FALSE(check_host(text, false).none()) << text;
  }
  EXPECT_FALSE(check_host("*", true).none());
  EXPECT_FALSE(check_host("*.*.example", true).none());
  EXPECT_FALSE(check_host(std::string(254, 'a'), false).none());
}

TEST(Command, NeedsNoShell) {  // J57
  for (const char* text : {"", "-x", "--help", "a\nb", "a;b", "a|b", "$(a)", "a b", "a>b", "`a`",
                           "a\x1b[m", "~", "a*"}) {
    EXPECT_EQ(check_command(text).none(), std::string_view(text) == "~") << text;
  }
  EXPECT_TRUE(check_command("/opt/My Tools & more/x").none());
  EXPECT_TRUE(check_command("npx").none());
  EXPECT_FALSE(check_command(std::string(2U << 20U, 'a')).none());  // 2 MiB long
}

TEST(Secrets, KnownForms) {
  for (const char* text :
       {"sk-proj-0123456789abcdef", "ghp_0123456789abcdef0123", "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", "postgres://app:secret-pw@db.example/x",
        "-----BEGIN PRIVATE KEY-----"}) {
    EXPECT_TRUE(looks_like_secret(text)) << text;
  }
  for (const char* text :
       {"", "sk-short", "https://example.com/a:b@c", "Bearer ${env:TOKEN_OF_MINE}",
        "@example/server@1.2.3", "postgres://app:${env:PASSWORD}@db/x"}) {
    EXPECT_FALSE(looks_like_secret(text)) << text;
  }
}

TEST(Secrets, InArguments) {  // J56
  using Args = std::vector<std::string>;
  EXPECT_EQ(secret_in_arguments(Args{"-y", "--token=9f8e7d6c5b4a39281706f5e4"}), 1U);
  EXPECT_EQ(secret_in_arguments(Args{"--api-key", "9f8e7d6c5b4a39281706f5e4"}), 1U);
  EXPECT_EQ(secret_in_arguments(Args{"ghp_0123456789abcdef0123"}), 0U);
  EXPECT_FALSE(secret_in_arguments(Args{"--token", "aaaaaaaaaaaaaaaaaaaaaaaa"}));
  EXPECT_FALSE(secret_in_arguments(Args{"--token-file=/run/secrets/9f8e7d6c5b4a3928"}));
  EXPECT_FALSE(secret_in_arguments(Args{"--port=8080", "--path", "/usr/lib/x86_64-linux-gnu"}));
}

TEST(Secrets, MaskedInTextsThatDoNotParse) {
  std::string text =
      R"({"API_TOKEN": "swordfish", "name": "visible", "x": "ghp_0123456789abcdef0123)";
  const std::size_t size = text.size();
  mask_secrets_in_text(text);
  EXPECT_EQ(text.size(), size);
  EXPECT_EQ(text,
            R"({"API_TOKEN": "*********", "name": "visible", "x": "************************)");
}

}  // namespace
}  // namespace calaboose::policy
