// SPDX-License-Identifier: Apache-2.0
// The few pieces that a small stdio MCP server needs: lines in, lines out, members of a JSON
// object. Place: runner/demo; shared by the demo server, the benchmark's echo server and the
// servers of the tests. It trusts its input (the runner re-emits every message), so nothing that
// guards anything may use it.
#pragma once

#include <string>
#include <string_view>

namespace calaboose::mini {

/// Raw text of a member of the object `object` (a string keeps its quotes); empty when there is
/// none.
std::string_view member(std::string_view object, std::string_view name);

/// member() along two names.
inline std::string_view member(std::string_view object, std::string_view first,
                               std::string_view second) {
  return member(member(object, first), second);
}

/// The text of a raw JSON string, unescaped; empty for anything else.
std::string text_of(std::string_view raw);

/// `text` (UTF-8) as a JSON string.
std::string quoted(std::string_view text);

/// One message from the host.
struct Message {
  std::string_view id;      // raw; empty for a notification
  std::string_view method;  // without quotes; empty for a response
  std::string_view params;  // raw
  std::string_view line;    // all of it

  static Message parse(std::string_view line);
  /// True if the request describes itself as the modern era does.
  bool is_modern() const;
};

/// `{"jsonrpc":"2.0","id":ID,"result":RESULT}` and a newline.
std::string response(std::string_view id, std::string_view result);
std::string error_response(std::string_view id, int code, std::string_view message);
std::string notification(std::string_view method, std::string_view params);

/// The revision to answer `initialize` with: the one that was asked for if it is a legacy one that
/// we know.
std::string_view negotiated_version(const Message& initialize);

/// Writes all of it; false when the other side is gone.
bool write_all(int fd, std::string_view text);

/// Lines of a descriptor.
class LineInput {
 public:
  explicit LineInput(int fd) : fd_(fd) {}

  /// Reads once (waits for at least a byte); false at the end.
  bool fill();
  /// The next complete line that was read, without newline; valid until fill(). False when there is
  /// none.
  bool next(std::string_view& line);

 private:
  int fd_;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace calaboose::mini
