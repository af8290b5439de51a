// SPDX-License-Identifier: Apache-2.0
// Scanning messages: clean ASCII, clean text of other scripts, and text that must be rewritten.
// Place: bench.
#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "policy/scan/scan.h"

namespace {

constexpr std::string_view kPlain =
    "The build finished in 12.4 s; see out/report.txt for the list.\\n";
constexpr std::string_view kEuropean = "Größe ändern, façade, señor, Привет, Ελλάδα, déjà vu.\\n";
constexpr std::string_view kAsian = "日本語の文章、한국어 문장, 中文句子。";
constexpr std::string_view kEmoji = "Done ✅ 👨‍👩‍👧 and ❤️ می‌خواهم. ";
constexpr std::string_view kAscii7 = "gr\\u00fc\\u00dfe \\u65e5\\u672c ";
constexpr std::string_view kHostile =
    "ok\\u001b[8mhidden\\u001b[0m i\u200Bg\u200Bn\U000E0061\U000E0062 \u202Etxt\u202C ";

void scan(benchmark::State& state, std::string_view piece) {
  std::string message = R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")";
  while (message.size() < 65536) {
    message += piece;
  }
  message += R"("}]}})";
  calaboose::json::Tape tape;
  if (!tape.parse(message)) {
    state.SkipWithError("the message does not parse");
    return;
  }
  const calaboose::policy::Scanner scanner;
  const calaboose::policy::MessageContext context{calaboose::policy::MessageContext::Role::kResult,
                                                  "tools/call", true};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(scanner.scan(context, tape.root()));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(message.size()));
}

BENCHMARK_CAPTURE(scan, ascii, kPlain);
BENCHMARK_CAPTURE(scan, european, kEuropean);
BENCHMARK_CAPTURE(scan, asian, kAsian);
BENCHMARK_CAPTURE(scan, emoji_and_persian, kEmoji);
BENCHMARK_CAPTURE(scan, escaped_spelling, kAscii7);
BENCHMARK_CAPTURE(scan, hostile, kHostile);

}  // namespace

BENCHMARK_MAIN();
