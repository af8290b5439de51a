// SPDX-License-Identifier: Apache-2.0
// The demo server without a jail: what it claims must be true, or the demo proves nothing.
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/json/json.h"
#include "runner/demo/attacks.h"
#include "tests/support/servers/client.h"

namespace calaboose::test {
namespace {

/// A home with things to steal, a listener and a socket.
class Bait {
 public:
  Bait() {
    std::string name = (std::filesystem::temp_directory_path() / "demo-test-XXXXXX").string();
    path = ::mkdtemp(name.data()) != nullptr ? name : std::string();
    std::filesystem::create_directories(path + "/.ssh");
    std::ofstream(path + "/.ssh/id_ed25519") << "not a key";
    std::ofstream(path + "/planted") << "not a secret";
    std::ofstream(path + "/rc") << "";
    listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in inet{};
    inet.sin_family = AF_INET;
    inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof inet;
    EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&inet), sizeof inet), 0);
    EXPECT_EQ(::listen(listener, 4), 0);
    EXPECT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&inet), &size), 0);
    port = ntohs(inet.sin_port);
  }

  Bait(const Bait&) = delete;
  Bait& operator=(const Bait&) = delete;

  ~Bait() {
    stop_listening();
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  void stop_listening() {
    ::close(listener);
    listener = -1;
  }

  std::string path;
  int listener = -1;
  int port = 0;
};

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})";

std::string call(std::string_view tool) {
  return R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"("}})";
}

/// worked by what.
std::map<std::string, bool> attack(PlainServer& server) {
  (void)server.ask(kInitialize);
  const std::string text = server.ask(call("attack"));
  json::Tape tape;
  EXPECT_TRUE(tape.parse(text)) << text;
  std::map<std::string, bool> outcomes;
  tape.root().at("result", "structuredContent", "outcomes").each_element([&](json::Value item) {
    outcomes[item.find("what").string_or("")] = item.find("worked").boolean().value_or(false);
    EXPECT_FALSE(item.find("detail").string_or("").empty());
  });
  return outcomes;
}

TEST(DemoServer, ReportsWhatWorks) {
  const Bait bait;
  PlainServer server({DEMO_SERVER, "--read", bait.path + "/planted", "--rc-file", bait.path + "/rc",
                      "--port", std::to_string(bait.port)},
                     {"HOME=" + bait.path, "API_TOKEN=x"});
  auto outcomes = attack(server);
  EXPECT_TRUE(outcomes.at("read private keys in ~/.ssh"));
  EXPECT_TRUE(outcomes.at("read " + bait.path + "/planted"));
  EXPECT_TRUE(outcomes.at("find secrets in the environment"));
  EXPECT_TRUE(
      outcomes.at("connect to a service on this machine (port " + std::to_string(bait.port) + ")"));
  EXPECT_TRUE(outcomes.at("write into the shell start file " + bait.path + "/rc"));
  EXPECT_GT(std::filesystem::file_size(bait.path + "/rc"), 0U);
  EXPECT_GE(outcomes.size(), 13U);
}

TEST(DemoServer, ReportsWhatFails) {
  Bait bait;
  bait.stop_listening();
  PlainServer server(
      {DEMO_SERVER, "--read", bait.path + "/nothing", "--rc-file", bait.path + "/no/rc", "--port",
       std::to_string(bait.port), "--socket", bait.path + "/no-socket"},
      {"HOME=" + bait.path + "/empty"});
  auto outcomes = attack(server);
  EXPECT_FALSE(outcomes.at("read private keys in ~/.ssh"));
  EXPECT_FALSE(outcomes.at("read " + bait.path + "/nothing"));
  EXPECT_FALSE(outcomes.at("find secrets in the environment"));
  EXPECT_FALSE(
      outcomes.at("connect to a service on this machine (port " + std::to_string(bait.port) + ")"));
  EXPECT_FALSE(outcomes.at("connect to the unix socket " + bait.path + "/no-socket"));
  EXPECT_FALSE(outcomes.at("write into the shell start file " + bait.path + "/no/rc"));
}

TEST(DemoServer, HidesTextInToolsAndResults) {
  PlainServer server({DEMO_SERVER}, {"HOME=/nonexistent"});
  (void)server.ask(kInitialize);
  const std::string tools = server.ask(R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})");
  const std::string weather = server.ask(call("weather"));
  json::Tape tape;
  EXPECT_TRUE(tape.parse(tools)) << tools;
  EXPECT_TRUE(tape.parse(weather)) << weather;
  EXPECT_NE(tools.find("\xf3\xa0\x81"), std::string::npos) << "tag characters";
  EXPECT_NE(weather.find("\xf3\xa0\x81"), std::string::npos);
  EXPECT_NE(weather.find("\xe2\x80\x8b"), std::string::npos) << "zero-width space";
  EXPECT_NE(weather.find("\\u001b]0;"), std::string::npos) << "terminal title";
}

TEST(DemoServer, LeavesAProcessBehind) {
  PlainServer server({DEMO_SERVER}, {"HOME=/nonexistent"});
  (void)attack(server);
  server.close_input();
  EXPECT_EQ(server.wait(), 0);
  bool found = false;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    found = found || name == demo::kOrphanName;
  }
  EXPECT_TRUE(found);
}

TEST(DemoServer, EndsWithItsInputAndRefusesUnknownOptions) {
  PlainServer server({DEMO_SERVER});
  server.close_input();
  EXPECT_EQ(server.wait(), 0);
  PlainServer wrong({DEMO_SERVER, "--nonsense", "x"});
  EXPECT_EQ(wrong.wait(), 2);
}

}  // namespace
}  // namespace calaboose::test
