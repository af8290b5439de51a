// SPDX-License-Identifier: Apache-2.0
// Bridge between a hostile host and a hostile server: whatever both say, each line out is one valid
// message, every answer belongs to a request that waits for it, and in the end everything has been
// answered. Place: fuzz. Input: one byte of options, then lines: h… the host says, s… the server
// says, t… time passes, c the server dies, x the host closes, p the owner opens the server ahead.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "base/json/write.h"
#include "mcp/session/bridge.h"
#include "mcp/wire/salvage.h"

namespace {

using namespace calaboose;       // NOLINT(google-build-using-namespace)
using namespace calaboose::mcp;  // NOLINT(google-build-using-namespace)

void require(bool condition, const char* what, std::string_view detail = {}) {
  if (!condition) {
    std::fprintf(stderr, "oracle: %s: %.*s\n", what, static_cast<int>(detail.size()),
                 detail.data());
    std::abort();
  }
}

std::string key_of(json::Value id) {
  return id.is_string() ? "s" + *id.string() : std::string(id.raw());
}

class World final : public Bridge::Port {
 public:
  explicit World(std::uint8_t bits) : options_(make_options(bits)), bridge_(*this, options_) {
    if ((bits & 1U) != 0) {
      bridge_.set_era_hint(static_cast<EraChoice>((bits >> 1U) & 3U));
    }
  }

  void say(std::string_view line) {
    const char kind = line.front();
    line.remove_prefix(1);
    switch (kind) {
      case 'h':
        note_host_line(line);
        batch_refused_ = false;
        bridge_.on_host_line(line, now_);
        if (batch_refused_) {
          for (const std::string& id : batch_ids_) {
            waiting_.erase(id);
          }
        }
        break;
      case 's':
        note_server_line(line);
        bridge_.on_server_line(line, now_);
        break;
      case 't':
        now_ += Milliseconds(1000 * static_cast<int>(line.size() + 1));
        bridge_.on_time(now_);
        break;
      case 'c':
        close_server();
        break;
      case 'x':
        host_closed_ = true;
        bridge_.on_host_closed(now_);
        waiting_.clear();
        require(bridge_.in_flight() == 0, "requests live on after the host");
        break;
      case 'p':
        bridge_.start_server(static_cast<EraChoice>(line.size() & 3U), now_);
        break;
      default:
        break;
    }
    require(bridge_.in_flight() <= options_.max_in_flight, "more in flight than allowed");
  }

  void end() {
    close_server();
    close_server();
    require(bridge_.in_flight() == 0, "requests live on after the server");
    require(host_closed_ || waiting_.empty(), "never answered",
            waiting_.empty() ? "" : *waiting_.begin());
  }

  void to_host(std::string_view line) override {
    require(!host_closed_, "a line to a host that is gone", line);
    json::Tape tape;
    parse_line(tape, line);
    if (!tape.root().is_array()) {
      take_for_host(tape.root(), line);
      batch_refused_ = batch_refused_ || tape.root().find("id").is_null();
      return;
    }
    require(tape.root().size() > 0, "an empty batch", line);
    tape.root().each_element([&](json::Value element) { take_for_host(element, line); });
  }

  void to_server(std::string_view line) override {
    json::Tape tape;
    parse_line(tape, line);
    const Message message = classify(tape.root());
    require(message.kind != MessageKind::kInvalid, "no message to the server", line);
    if (message.kind == MessageKind::kRequest) {
      require(used_.insert(key_of(message.id)).second, "an id of ours is used twice", line);
    } else if (message.kind != MessageKind::kNotification) {
      require(!modern_server_, "an answer to a modern server", line);
      const auto asked = asked_.find(key_of(message.id));
      require(asked != asked_.end(), "an answer that the server did not ask for", line);
      asked_.erase(asked);
    }
  }

  void restart_server() override { restart_ = true; }

  void on_host_opened(Era) override {}

  void on_server_ready(const Negotiated& negotiated) override {
    modern_server_ = negotiated.era == Era::kModern;
  }

  void on_server_failed(const Error&) override {}

  void on_violation(Side, Violation violation, std::string_view) override {
    require(!violation_name(violation).empty(), "a violation without a name");
  }

  Decision from_host(const Exchange*, const Message& message) override { return check(message); }

  Decision from_server(const Exchange*, const Message& message) override { return check(message); }

  void on_finished(const Exchange& exchange, std::string_view outcome, TimePoint) override {
    if (outcome == "cancelled") {
      json::Tape tape;
      require(tape.parse(exchange.host_id), "a host id is not JSON", exchange.host_id);
      waiting_.erase(key_of(tape.root()));
    }
  }

 private:
  static Bridge::Options make_options(std::uint8_t bits) {
    Bridge::Options options;
    options.allow_client_capabilities = (bits & 8U) != 0;
    options.max_in_flight = (bits & 16U) != 0 ? 2 : 64;
    options.json_limits.max_bytes = 1U << 16U;
    return options;
  }

  static Decision check(const Message& message) {
    require(message.kind != MessageKind::kInvalid, "a hook sees no message");
    return {};
  }

  static void parse_line(json::Tape& tape, std::string_view line) {
    require(line.find('\n') == std::string_view::npos, "a line with a newline", line);
    require(tape.parse(line), "a line that is not JSON", line);
    require(json::minified(tape.root()) == line, "a line that is not in our one form", line);
  }

  void take_for_host(json::Value root, std::string_view line) {
    const Message message = classify(root);
    require(message.kind != MessageKind::kInvalid, "no message to the host", line);
    if (message.kind == MessageKind::kRequest) {
      require(options_.allow_client_capabilities, "a request to the host", line);
    } else if (message.kind != MessageKind::kNotification && message.id) {
      require(waiting_.erase(key_of(message.id)) == 1, "an answer that the host does not wait for",
              line);
    }
  }

  /// What the host may expect an answer to after this line.
  void note_host_line(std::string_view line) {
    batch_ids_.clear();
    json::Tape tape;
    json::Limits limits = options_.json_limits;
    if (!tape.parse(line, limits)) {
      const auto id = salvage_id(line);
      if (id && tape.parse(*id)) {
        waiting_.insert(key_of(tape.root()));
      }
      return;
    }
    if (tape.root().is_array()) {
      const std::set<std::string> before = waiting_;
      tape.root().each_element([&](json::Value element) { note_host_message(element); });
      for (const std::string& id : waiting_) {
        if (!before.contains(id)) {
          batch_ids_.insert(id);
        }
      }
    } else {
      note_host_message(tape.root());
    }
  }

  void note_host_message(json::Value root) {
    const Message message = classify(root);
    if (message.id && !root.find("result") && !root.find("error")) {
      waiting_.insert(key_of(message.id));
    }
  }

  void note_server_line(std::string_view line) {
    json::Tape tape;
    if (!tape.parse(line, options_.json_limits)) {
      return;
    }
    const auto note = [&](json::Value root) {
      const Message message = classify(root);
      if (message.kind == MessageKind::kRequest) {
        asked_.insert(key_of(message.id));
      }
    };
    if (tape.root().is_array()) {
      tape.root().each_element(note);
    } else {
      note(tape.root());
    }
  }

  void close_server() {
    bridge_.on_server_closed(Error(Errc::kPeer, "the server exited").with_hint("see its log"),
                             now_);
    if (restart_) {
      restart_ = false;
      asked_.clear();
      bridge_.on_server_restarted(now_);
    }
  }

  Bridge::Options options_;
  std::set<std::string> waiting_;     // ids of the host without an answer
  std::multiset<std::string> asked_;  // ids of the server without one
  std::set<std::string> used_;
  std::set<std::string> batch_ids_;  // that the batch said last brought
  bool restart_ = false;
  bool host_closed_ = false;
  bool modern_server_ = false;
  bool batch_refused_ = false;
  TimePoint now_{std::chrono::hours(1)};
  Bridge bridge_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  World world(data[0]);
  std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty()) {
      world.say(line);
    }
  }
  world.end();
  return 0;
}
