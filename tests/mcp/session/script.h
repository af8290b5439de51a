// SPDX-License-Identifier: Apache-2.0
// Runs a conversation written as text against a Bridge: each thing said is followed by exactly what
// must come of it. Place: tests/mcp/session.
//
//   host> LINE       the host says LINE            server> LINE    the server says LINE
//   host< LINE       must reach the host           server< LINE    must reach the server
//   violation SIDE NAME                            must be reported
//   restart          must be asked for; then it is done
//   wait MS          the clock moves on and on_time() is called      closed TEXT   the server's
//   process ended # comment        empty lines are ignored
// Words in $CAPITALS are replaced from a table (add()).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/session/bridge.h"

namespace calaboose::mcp {

class Script final : public Bridge::Port {
 public:
  explicit Script(Bridge::Options options = {});

  /// $NAME stands for `text` in scripts. Texts may hold earlier names.
  void add(const std::string& name, const std::string& text);
  /// Runs the lines; the first difference fails the test with the line's text.
  void run(std::string_view script);

  /// The next thing that happened that is a line to the host, without its prefix; what came before
  /// it is passed over.
  std::string take_host_line();

  Bridge& bridge() { return bridge_; }

  TimePoint now() const { return now_; }

  std::function<Decision(const Exchange*, const Message&)> host_hook;
  std::function<Decision(const Exchange*, const Message&)> server_hook;
  std::vector<std::string> finished;  // "METHOD OUTCOME"
  std::vector<std::string> opened;    // eras
  std::vector<std::string> ready;     // "ERA REVISION"
  std::vector<std::string> failed;    // messages

  void to_host(std::string_view line) override { events_.push_back("host< " + std::string(line)); }

  void to_server(std::string_view line) override {
    events_.push_back("server< " + std::string(line));
  }

  void restart_server() override { events_.push_back("restart"); }

  void on_host_opened(Era era) override { opened.emplace_back(era_name(era)); }

  void on_server_ready(const Negotiated& negotiated) override;

  void on_server_failed(const Error& error) override { failed.push_back(error.what()); }

  void on_violation(Side side, Violation violation, std::string_view) override;
  Decision from_host(const Exchange* exchange, const Message& message) override;
  Decision from_server(const Exchange* exchange, const Message& message) override;
  void on_finished(const Exchange& exchange, std::string_view outcome, TimePoint) override;

 private:
  std::string expand(std::string text) const;
  void step(const std::string& line);
  void expect(const std::string& line);

  std::vector<std::pair<std::string, std::string>> words_;
  std::vector<std::string> events_;
  std::size_t seen_ = 0;
  TimePoint now_{std::chrono::hours(1)};
  Bridge bridge_;
};

}  // namespace calaboose::mcp
