// SPDX-License-Identifier: Apache-2.0
// Parse, parse and copy, look-up: ours beside Boost.JSON, on the sizes that MCP messages have.
// Place: bench; run with --benchmark_filter=….
#include <benchmark/benchmark.h>

#include <boost/json/src.hpp>
#include <string>

#include "base/json/json.h"
#include "base/json/write.h"

namespace {

// A tools/call result of about `size` bytes: prose, a little escaping, some structure.
std::string message(std::size_t size) {
  std::string out = R"({"jsonrpc":"2.0","id":17,"result":{"content":[)";
  const std::string block =
      R"({"type":"text","text":"The build finished in 12.4 s; 3 files changed, see \"out/report.txt\" for the list of tests that ran.\n"})";
  const std::string tail = R"(],"isError":false}})";
  if (out.size() + tail.size() + block.size() > size) {
    out += R"({"type":"text","text":"ok"})";
  }
  for (bool first = true; out.size() + tail.size() + block.size() <= size; first = false) {
    out += first ? "" : ",";
    out += block;
  }
  return out + tail;
}

void ours_parse(benchmark::State& state) {
  const std::string text = message(static_cast<std::size_t>(state.range(0)));
  calaboose::json::Tape tape;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(tape.parse(text));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void ours_parse_and_copy(benchmark::State& state) {
  const std::string text = message(static_cast<std::size_t>(state.range(0)));
  calaboose::json::Tape tape;
  calaboose::json::Patch patch;
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    tape.parse(text);
    out.clear();
    patch.clear();
    patch.replace(tape.root().find("id"), "\"a-17\"");
    patch.write(tape.root(), out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void ours_spaced_copy(benchmark::State& state) {
  std::string text = message(static_cast<std::size_t>(state.range(0)));
  for (std::size_t at = 0; (at = text.find("\":", at)) != std::string::npos; at += 3) {
    text.insert(at + 2, " ");
  }
  calaboose::json::Tape tape;
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    tape.parse(text);
    out.clear();
    calaboose::json::append_minified(out, tape.root());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void boost_parse(benchmark::State& state) {
  const std::string text = message(static_cast<std::size_t>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
    boost::json::monotonic_resource memory;
    benchmark::DoNotOptimize(boost::json::parse(text, &memory));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void boost_parse_and_copy(benchmark::State& state) {
  const std::string text = message(static_cast<std::size_t>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
    boost::json::monotonic_resource memory;
    boost::json::value value = boost::json::parse(text, &memory);
    value.as_object()["id"] = "a-17";
    benchmark::DoNotOptimize(boost::json::serialize(value));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void ours_find(benchmark::State& state) {
  const std::string text = message(512);
  calaboose::json::Tape tape;
  tape.parse(text);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(tape.root().at("result", "content").element(0).find("text").exists());
  }
}

void ours_canonical(benchmark::State& state) {
  const std::string text = message(static_cast<std::size_t>(state.range(0)));
  calaboose::json::Tape tape;
  tape.parse(text);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(calaboose::json::canonical(tape.root()));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const std::int64_t size : {100, 500, 1 << 10, 1 << 20}) {
    b->Arg(size);
  }
}

BENCHMARK(ours_parse)->Apply(sizes);
BENCHMARK(boost_parse)->Apply(sizes);
BENCHMARK(ours_parse_and_copy)->Apply(sizes);
BENCHMARK(boost_parse_and_copy)->Apply(sizes);
BENCHMARK(ours_spaced_copy)->Apply(sizes);
BENCHMARK(ours_find);
BENCHMARK(ours_canonical)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
