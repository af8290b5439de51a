// SPDX-License-Identifier: Apache-2.0
// A well-behaved stdio MCP server of both eras, made to be overridden: each mode of
// misbehaving_server is a subclass that changes one thing. Place: tests/support/servers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runner/demo/mini_server.h"

namespace calaboose::misbehaving {

using mini::member;
using mini::Message;
using mini::quoted;

class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  /// Serves until stdin ends; the exit status.
  int run();

 protected:
  // What a mode may change. Each handler writes its own answer.
  virtual void at_start() {}

  virtual void on_initialize(const Message& message);
  virtual void on_discover(const Message& message);
  virtual void on_list(const Message& message);
  virtual void on_call(const Message& message);

  /// A message without a method: the host's answer to a request of ours.
  virtual void on_response(const Message& /*message*/) {}

  /// Anything else; notifications are ignored.
  virtual void on_other(const Message& message);

  /// Called again and again while the session is open and nothing waits on stdin, if it wants to
  /// be.
  virtual bool wants_idle() const { return false; }

  virtual void on_idle() {}

  /// stdin has ended; the exit status.
  virtual int at_end() { return 0; }

  /// JSON array of tools.
  virtual std::string tools() const;

  // Tools for modes.
  void send(std::string_view text) const;
  void send_result(const Message& message, std::string_view members) const;
  void send_text(const Message& message, std::string_view text) const;
  /// What send_text() would send.
  static std::string text_response(const Message& message, std::string_view id,
                                   std::string_view text);
  static std::string argument(const Message& message, std::string_view name);
  static std::string tool_name(const Message& message);

  bool is_open() const { return open_; }

 private:
  void handle(const Message& message);

  bool open_ = false;
};

/// A JSON object for a tool: its only parameter is `message`.
std::string tool(std::string_view name, std::string_view description);

struct Mode {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<Server> (*make)();
};

template <class T>
std::unique_ptr<Server> make() {
  return std::make_unique<T>();
}

// Each file owns some of the modes.
std::span<const Mode> answer_modes();
std::span<const Mode> content_modes();
std::span<const Mode> era_modes();
std::span<const Mode> flood_modes();
std::span<const Mode> lifecycle_modes();
std::span<const Mode> request_modes();

}  // namespace calaboose::misbehaving
