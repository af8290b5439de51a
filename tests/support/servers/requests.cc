// SPDX-License-Identifier: Apache-2.0
// Modes that ask the host for something: input in both eras, requests that were never offered (M29,
// M34), progress. Place: tests/support/servers.
#include <time.h>

#include <algorithm>
#include <cstdlib>

#include "server.h"

namespace calaboose::misbehaving {
namespace {

constexpr std::string_view kForm =
    R"({"mode":"form","message":"What is your name?","requestedSchema":)"
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}})";

/// Asks for a name: as an input request (modern), or with elicitation/create (legacy); the tool's
/// answer repeats it.
class InputRequired final : public Server {
  void on_call(const Message& message) override {
    if (!message.is_modern()) {
      waiting_ = std::string(message.id);
      send(R"({"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":)" +
           std::string(kForm) + "}\n");
      return;
    }
    const std::string_view answer = member(member(message.params, "inputResponses"), "name");
    if (answer.empty()) {
      send(mini::response(message.id, R"({"resultType":"input_required","inputRequests":{"name":)"
                                      R"({"method":"elicitation/create","params":)" +
                                          std::string(kForm) + R"(}},"requestState":"state-1"})"));
      return;
    }
    const std::string state = mini::text_of(member(message.params, "requestState"));
    send_text(message, std::string(answer) + " state=" + state);
  }

  void on_response(const Message& message) override {
    if (waiting_.empty() || member(message.line, "id") != R"("ask-1")") {
      return;
    }
    Message call;
    call.id = waiting_;
    send_text(call, std::string(member(message.line, "result")));
    waiting_.clear();
  }

  std::string waiting_;  // id of the call
};

/// Requests that no host offered, in both eras; then the answer, which tells how they were
/// answered.
class UnofferedRequests final : public Server {
  void on_call(const Message& message) override {
    waiting_ = std::string(message.id);
    modern_ = message.is_modern();
    for (const auto& [id, method, params] :
         {Ask{"u-1", "sampling/createMessage", R"({"messages":[],"maxTokens":10})"},
          Ask{"u-2", "roots/list", "{}"}, Ask{"u-3", "elicitation/create", kForm},
          Ask{"u-4", "no/such-method", "{}"}}) {
      send(R"({"jsonrpc":"2.0","id":)" + quoted(id) + ",\"method\":" + quoted(method) +
           ",\"params\":" + std::string(params) + "}\n");
    }
    if (modern_) {
      finish();  // nobody answers there
    }
  }

  void on_response(const Message& message) override {
    answers_ += std::string(message.line) + "\n";
    if (!modern_ && std::count(answers_.begin(), answers_.end(), '\n') == 4) {
      finish();
    }
  }

  void finish() {
    Message call;
    call.id = waiting_;
    send_text(call, answers_);
    answers_.clear();
  }

  struct Ask {
    std::string_view id;
    std::string_view method;
    std::string_view params;
  };

  std::string waiting_;
  std::string answers_;
  bool modern_ = false;
};

/// Progress while it works, `steps` times with `step_ms` between (5 and 100).
class Slow final : public Server {
  void on_call(const Message& message) override {
    const long steps = number(message, "steps", 5);
    const long step_ms = number(message, "step_ms", 100);
    const std::string_view token = member(member(message.params, "_meta"), "progressToken");
    for (long i = 1; i <= steps; ++i) {
      const timespec pause{step_ms / 1000, step_ms % 1000 * 1'000'000};
      ::nanosleep(&pause, nullptr);
      if (!token.empty()) {
        send(mini::notification("notifications/progress",
                                R"({"progressToken":)" + std::string(token) +
                                    ",\"progress\":" + std::to_string(i) +
                                    ",\"total\":" + std::to_string(steps) + "}"));
      }
    }
    send_text(message, "done");
  }

  std::string tools() const override {
    return R"([{"name":"slow","description":"Takes its time","inputSchema":{"type":"object",)"
           R"("properties":{"steps":{"type":"integer"},"step_ms":{"type":"integer"}}}}])";
  }

  static long number(const Message& message, std::string_view name, long fallback) {
    const std::string text(member(member(message.params, "arguments"), name));
    return text.empty() ? fallback : std::strtol(text.c_str(), nullptr, 10);
  }
};

constexpr Mode kModes[] = {
    {"input-required", "a call asks for a name first, in either era", make<InputRequired>},
    {"unoffered-requests", "a call sends sampling, roots, elicitation and unknown requests",
     make<UnofferedRequests>},
    {"slow", "a call sends progress, then answers (arguments steps, step_ms)", make<Slow>},
};

}  // namespace

std::span<const Mode> request_modes() {
  return kModes;
}

}  // namespace calaboose::misbehaving
