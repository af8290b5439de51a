// SPDX-License-Identifier: Apache-2.0
// Modes that differ in how a session is opened, and lists that never end.
// Place: tests/support/servers.
#include <unistd.h>

#include "server.h"

namespace calaboose::misbehaving {
namespace {

/// As servers on some SDKs do: any request before initialize ends the process.
class DieOnProbe final : public Server {
  void on_discover(const Message& /*message*/) override { ::_exit(1); }
};

class LegacyOnly final : public Server {
  void on_discover(const Message& message) override {
    send(mini::error_response(message.id, -32601, "Method not found"));
  }
};

class ModernOnly final : public Server {
  void on_initialize(const Message& message) override {
    send(R"({"jsonrpc":"2.0","id":)" + std::string(message.id) +
         R"(,"error":{"code":-32022,"message":"Unsupported protocol version","data":)"
         R"({"supported":["2026-07-28"],"requested":)" +
         std::string(member(message.params, "protocolVersion")) + "}}}\n");
  }
};

class Both final : public Server {};

/// A new cursor for ever.
class EndlessPages : public Server {
 protected:
  virtual std::string cursor() { return "page-" + std::to_string(++page_); }

 private:
  void on_list(const Message& message) override {
    const std::string next = cursor();
    const std::string_view cache =
        message.is_modern() ? R"("ttlMs":0,"cacheScope":"private",)" : "";
    send_result(message, std::string(cache) + "\"tools\":[" + tool("echo-" + next, "One of many") +
                             "],\"nextCursor\":" + quoted(next));
  }

  int page_ = 0;
};

/// The same cursor for ever.
class RepeatedCursor final : public EndlessPages {
  std::string cursor() override { return "again"; }
};

constexpr Mode kModes[] = {
    {"die-on-probe", "ends on server/discover, works with initialize", make<DieOnProbe>},
    {"legacy-only", "knows initialize only", make<LegacyOnly>},
    {"modern-only", "knows server/discover only", make<ModernOnly>},
    {"both", "knows both eras", make<Both>},
    {"endless-pages", "tools/list has a new cursor for ever", make<EndlessPages>},
    {"repeated-cursor", "tools/list has the same cursor for ever", make<RepeatedCursor>},
};

}  // namespace

std::span<const Mode> era_modes() {
  return kModes;
}

}  // namespace calaboose::misbehaving
