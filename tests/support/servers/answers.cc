// SPDX-License-Identifier: Apache-2.0
// Modes whose tools/call is answered wrongly: attribution (M25-M27), batches (M28), JSON that is
// none (M20), results that are too large or too deep. Place: tests/support/servers.
#include <unistd.h>

#include "server.h"

namespace calaboose::misbehaving {
namespace {

constexpr std::size_t kMiB = 1U << 20U;

class WrongIds final : public Server {
  void on_call(const Message& message) override {
    for (const std::string_view id : {"987654321", "-1", "null", "1.5", "\"nobody\"", "[]"}) {
      send(text_response(message, id, "an answer to nobody"));
    }
  }
};

/// The right number in every other spelling.
class StringIds final : public Server {
  void on_call(const Message& message) override {
    const std::string id(message.id);
    const bool is_text = id.starts_with('"');
    const std::string other = is_text ? mini::text_of(id) : '"' + id + '"';
    for (const std::string& wrong : {other, id + ".0", id + "e0", "[" + id + "]"}) {
      send(text_response(message, wrong, "an answer to another id"));
    }
  }
};

class DuplicateResponse final : public Server {
  void on_call(const Message& message) override {
    send_text(message, "first");
    send_text(message, "second");
  }
};

class ResultAndError final : public Server {
  void on_call(const Message& message) override {
    send(R"({"jsonrpc":"2.0","id":)" + std::string(message.id) +
         R"(,"result":{"resultType":"complete","content":[]},)"
         R"("error":{"code":-32000,"message":"both"}})"
         "\n");
  }
};

class NeitherResultNorError final : public Server {
  void on_call(const Message& message) override {
    send(R"({"jsonrpc":"2.0","id":)" + std::string(message.id) + "}\n");
  }
};

/// A request that is an answer too.
class MethodAndResult final : public Server {
  void on_call(const Message& message) override {
    send(R"({"jsonrpc":"2.0","id":)" + std::string(message.id) +
         R"(,"method":"ping","result":{"resultType":"complete","content":[]}})"
         "\n");
  }
};

class Batch final : public Server {
  void on_call(const Message& message) override {
    std::string one = text_response(message, message.id, "inside a batch");
    one.pop_back();
    send("[" + one + "]\n");
    send("[]\n");
    send("[[" + one + "]]\n");
  }
};

class NeverAnswers final : public Server {
  void on_call(const Message& /*message*/) override {}
};

class InvalidJson final : public Server {
  void on_call(const Message& message) override {
    const std::string id(message.id);
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[],}})" + "\n");
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"id":7,"result":{"content":[]}})" + "\n");
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[],"n":NaN}})" + "\n");
    send(R"({"jsonrpc":"2.0","id":)" + id + ",\"result\":{\"content\":[],\"t\":\"\xff\xfe\"}}\n");
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[]}} {"a":1})" + "\n");
  }
};

class LoneSurrogate final : public Server {
  void on_call(const Message& message) override {
    send_result(message, R"("content":[{"type":"text","text":"half \ud83d of a pair"}])");
  }
};

/// 20 MiB in one valid answer, written in blocks.
class HugeAnswer final : public Server {
  void on_call(const Message& message) override {
    const std::string all = text_response(message, message.id, "#");
    const std::size_t middle = all.find('#');
    const std::string block(kMiB, 'x');
    send(std::string_view(all).substr(0, middle));
    for (int i = 0; i < 20; ++i) {
      send(block);
    }
    send(std::string_view(all).substr(middle + 1));
  }
};

/// 100,000 arrays in each other.
class DeepAnswer final : public Server {
  void on_call(const Message& message) override {
    constexpr std::size_t kDepth = 100'000;
    send_result(message, R"("content":[],"structuredContent":{"deep":)" + std::string(kDepth, '[') +
                             std::string(kDepth, ']') + "}");
  }
};

class UnknownResultType final : public Server {
  void on_call(const Message& message) override {
    send(mini::response(message.id, R"({"resultType":"surprise","content":[]})"));
  }
};

/// 100 MB and never a newline, then silence.
class NoNewline final : public Server {
  void on_call(const Message& /*message*/) override {
    const std::string block(kMiB, 'a');
    for (int i = 0; i < 100; ++i) {
      send(block);
    }
  }
};

/// Half of the answer, then silence; later calls are not answered either.
class HalfLine final : public Server {
  void on_call(const Message& message) override {
    const std::string all = text_response(message, message.id, "this line never ends");
    send(std::string_view(all).substr(0, sent_ ? 0 : all.size() / 2));
    sent_ = true;
  }

  bool sent_ = false;
};

/// Log lines where only messages may be.
class DirtyStdout final : public Server {
  void at_start() override { send("Starting server...\nlistening on stdio\n"); }

  void on_call(const Message& message) override {
    send("DEBUG handling a call\n\n   \n");
    send_text(message, argument(message, "message"));
    send("{\"level\":\"info\",\"msg\":\"done\"}\n");
  }
};

constexpr Mode kModes[] = {
    {"wrong-ids", "answers calls under ids that nobody used", make<WrongIds>},
    {"string-ids", "answers calls under the id in another spelling (\"1\", 1.0, 1e0)",
     make<StringIds>},
    {"duplicate-response", "answers calls twice", make<DuplicateResponse>},
    {"result-and-error", "answers calls with both", make<ResultAndError>},
    {"neither-result-nor-error", "answers calls with an id alone", make<NeitherResultNorError>},
    {"method-and-result", "answers calls with a request that has a result", make<MethodAndResult>},
    {"batch", "answers calls in arrays, also empty and nested ones", make<Batch>},
    {"never-answers", "never answers calls", make<NeverAnswers>},
    {"invalid-json-answer", "answers calls with texts that are no JSON", make<InvalidJson>},
    {"lone-surrogate-answer", "answers calls with half a surrogate pair", make<LoneSurrogate>},
    {"huge-answer", "answers calls with 20 MiB", make<HugeAnswer>},
    {"deep-answer", "answers calls with 100,000 nested arrays", make<DeepAnswer>},
    {"unknown-result-type", "answers calls with a resultType that does not exist",
     make<UnknownResultType>},
    {"no-newline", "answers a call with 100 MB without a newline", make<NoNewline>},
    {"half-line", "answers a call with half a line, then is silent", make<HalfLine>},
    {"dirty-stdout", "writes log lines to stdout before and between messages", make<DirtyStdout>},
};

}  // namespace

std::span<const Mode> answer_modes() {
  return kModes;
}

}  // namespace calaboose::misbehaving
