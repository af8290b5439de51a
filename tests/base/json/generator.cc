// SPDX-License-Identifier: Apache-2.0
#include "tests/base/json/generator.h"

#include <array>
#include <string_view>

namespace calaboose::json {
namespace {

constexpr std::array<std::string_view, 18> kStringParts{"a",
                                                        "word",
                                                        "a longer plain piece of text",
                                                        " ",
                                                        "\\n",
                                                        "\\\"",
                                                        "\\\\",
                                                        "\\/",
                                                        "\\u0041",
                                                        "\\u00e9",
                                                        "\\ud83d\\ude00",
                                                        "é",
                                                        "€",
                                                        "\U0001F600",
                                                        "\x7f",
                                                        "\\b\\f\\r\\t",
                                                        "\\u001F",
                                                        "\\uFFFF"};

// Bytes that matter to a JSON parser.
constexpr char kByteText[] =
    "{}[]\",:\\/ \n0123456789-+.eEtrufalsn\x00\x01\x1f\x7f\x80\xbf\xc0\xe0\xed\xf4\xff";
constexpr std::string_view kBytes(kByteText, sizeof kByteText - 1);

}  // namespace

void Generator::space(std::string& out) {
  if (spaced_ && below(3) == 0) {
    static constexpr std::string_view kSpaces = " \n\t\r";
    for (std::uint64_t n = below(4); n > 0; --n) {
      out += kSpaces[below(4)];
    }
  }
}

void Generator::string(std::string& out) {
  out += '"';
  for (std::uint64_t n = below(5); n > 0; --n) {
    out += kStringParts[below(kStringParts.size())];
  }
  out += '"';
}

void Generator::number(std::string& out) {
  if (below(2) == 0) {
    out += '-';
  }
  const auto digits = [&](std::uint64_t most) {
    for (std::uint64_t n = below(most) + 1; n > 0; --n) {
      out += static_cast<char>('0' + below(10));
    }
  };
  if (below(3) == 0) {
    out += '0';
  } else {
    out += static_cast<char>('1' + below(9));
    if (below(2) == 0) {
      digits(below(4) == 0 ? 25 : 6);
    }
  }
  if (below(3) == 0) {
    out += '.';
    digits(8);
  }
  if (below(4) == 0) {
    out += below(2) == 0 ? 'e' : 'E';
    static constexpr std::array<std::string_view, 3> kSigns{"", "+", "-"};
    out += kSigns[below(3)];
    digits(2);
  }
}

void Generator::value(std::string& out, int depth) {
  static constexpr std::array<std::string_view, 3> kWords{"null", "true", "false"};
  const std::uint64_t kind = below(depth > 5 ? 5 : 9);
  if (kind == 0) {
    out += kWords[below(3)];
  } else if (kind <= 2) {
    number(out);
  } else if (kind <= 4) {
    string(out);
  } else {
    const bool object = kind <= 6;
    out += object ? '{' : '[';
    space(out);
    const std::uint64_t count = below(40) == 0 ? 60 : below(6);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0) {
        out += ',';
        space(out);
      }
      if (object) {
        string(out);
        out.insert(out.size() - 1, std::to_string(i));  // unlike its siblings
        space(out);
        out += ':';
        space(out);
      }
      value(out, depth + 1);
      space(out);
    }
    out += object ? '}' : ']';
  }
}

std::string Generator::document(bool spaced) {
  spaced_ = spaced;
  std::string out;
  space(out);
  value(out, 0);
  space(out);
  return out;
}

std::string Generator::damaged(std::string text) {
  for (std::uint64_t n = below(3) + 1; n > 0; --n) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        if (at < text.size()) {
          text[at] = kBytes[below(kBytes.size())];
        }
        break;
      case 1:
        text.erase(at, below(3) + 1);
        break;
      case 2:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(12)));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace calaboose::json
