// SPDX-License-Identifier: Apache-2.0
// Output: copies slices of the original text, with edits; quoted strings; canonical form.
// Place: base/json. Pure.
//
//   Patch patch;
//   patch.replace(msg.find("id"), "17");
//   patch.append_member(msg, "_meta", R"({"k":1})");
//   patch.write(msg, out);            // everything else byte for byte as the sender spelled it,
//   minified
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace calaboose::json {

/// Appends `text` as a JSON string with quotes. Short escapes (\b \t \n \f \r \" \\), other
/// controls as \u00xx (lower case); everything else as UTF-8. Requires valid UTF-8.
void append_quoted(std::string& out, std::string_view text);
std::string quoted(std::string_view text);

/// Appends the value minified: no white space, member names in the one spelling of append_quoted,
/// string values and numbers as the sender spelled them. Equal to raw() when the tape
/// is_minified().
void append_minified(std::string& out, Value value);
std::string minified(Value value);

/// Edits to one document, applied while it is copied. Edits must not overlap (an edit inside a
/// replaced or removed value is dropped). Reusable through clear(); allocates nothing beyond its
/// texts.
class Patch {
 public:
  class Walk;  // internal

  bool empty() const { return edits_.empty(); }

  void clear() { edits_.clear(); }

  /// Puts `json` (a complete JSON value) in the place of `value`.
  void replace(Value value, std::string json);
  /// Removes a member (give its value) or an array element, with its comma.
  void remove(Value value);
  /// Adds a member at the end of `object`. Several appends keep their order. The caller makes sure
  /// that the name is new.
  void append_member(Value object, std::string_view name, std::string json);
  /// Gives a member a new name (give its value).
  void rename(Value member_value, std::string_view name);

  /// Appends `value` with the edits that lie inside it, minified. (`value` itself can be replaced,
  /// not removed.)
  void write(Value value, std::string& out) const;

 private:
  enum class Op : std::uint8_t { kReplace, kRemove, kAppend, kRename };

  // Half-open byte range of the original text that `text` stands in for.
  struct Edit {
    std::uint32_t begin;
    std::uint32_t end;
    Op op;
    std::string text;  // value, quoted new name, or `"name":value` of an appended member
  };

  void add(Edit edit);
  void splice(Value value, std::string& out) const;

  std::vector<Edit>
      edits_;  // by begin; of equal begin a removal comes first, else in the order given
};

/// RFC 8785 order (UTF-16 code units) and escapes; numbers in exact decimal normal form
/// (canonical_number), so that 1.0, 1 and 10e-1 are equal, and 1e400 and 9007199254740993 keep
/// every digit.
std::string canonical(Value value);

/// Exact decimal normal form of a JSON number: digits without leading or trailing zeros and a power
/// of ten: "0", "15", "-1.5", "1e+400". Requires a valid JSON number.
std::string canonical_number(std::string_view spelling);

/// True if both are equal as JSON values (numbers by exact value, objects without order).
bool equal(Value a, Value b);

/// Small object builder for our own messages: text goes in through append_quoted.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }

  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  ObjectWriter& raw(std::string_view name, std::string_view json);
  ObjectWriter& string(std::string_view name, std::string_view text);
  ObjectWriter& integer(std::string_view name, std::int64_t value);
  ObjectWriter& boolean(std::string_view name, bool value);

  void close() { out_ += '}'; }

 private:
  void name(std::string_view name);

  std::string& out_;
  bool first_ = true;
};

}  // namespace calaboose::json
