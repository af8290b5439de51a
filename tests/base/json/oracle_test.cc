// SPDX-License-Identifier: Apache-2.0
// Boost.JSON as a second opinion: what it refuses we refuse, what we accept has the same value
// there.
#include <gtest/gtest.h>

#include <array>
#include <boost/json/src.hpp>
#include <cmath>
#include <string>

#include "base/json/json.h"
#include "tests/base/json/generator.h"

namespace calaboose::json {
namespace {

bool same_number(Value ours, const boost::json::value& theirs) {
  if (theirs.is_int64()) {
    const std::optional<std::int64_t> exact = ours.int64();
    return exact ? *exact == theirs.get_int64()
                 : ours.number() == static_cast<double>(theirs.get_int64());
  }
  const double expected =
      theirs.is_uint64() ? static_cast<double>(theirs.get_uint64()) : theirs.get_double();
  const double actual = *ours.number();
  if (std::isnan(expected)) {
    return actual == 0;  // Boost multiplies 0 by an infinite power of ten
  }
  // Boost rounds long spellings in the last places and gives up on the smallest magnitudes.
  return actual == expected || std::abs(actual - expected) <= std::abs(expected) * 1e-14 + 1e-300;
}

bool same(Value ours, const boost::json::value& theirs) {
  switch (theirs.kind()) {
    case boost::json::kind::null:
      return ours.is_null();
    case boost::json::kind::bool_:
      return ours.boolean() == theirs.get_bool();
    case boost::json::kind::string:
      return ours.string() == std::string(theirs.get_string());
    case boost::json::kind::array: {
      if (!ours.is_array() || ours.size() != theirs.get_array().size()) {
        return false;
      }
      std::size_t i = 0;
      bool all = true;
      ours.each_element(
          [&](Value element) { all = all && same(element, theirs.get_array()[i++]); });
      return all;
    }
    case boost::json::kind::object: {
      if (!ours.is_object() || ours.size() != theirs.get_object().size()) {
        return false;
      }
      for (const auto& member : theirs.get_object()) {
        if (!same(ours.find(std::string(member.key())), member.value())) {
          return false;
        }
      }
      return true;
    }
    default:
      return ours.is_number() && same_number(ours, theirs);
  }
}

// Boost lets these pass; the design does not.
bool is_our_extra_strictness(const std::string& what) {
  static constexpr std::array<std::string_view, 3> kReasons{"duplicate member name",
                                                            "NUL character", "number longer"};
  for (const std::string_view reason : kReasons) {
    if (what.starts_with(reason)) {
      return true;
    }
  }
  return false;
}

void compare(const std::string& text) {
  Tape tape;
  const bool ours = tape.parse(text);
  boost::json::parse_options options;
  options.max_depth = 200;
  boost::json::error_code code;
  const boost::json::value theirs = boost::json::parse(text, code, {}, options);
  if (ours && code == boost::json::error::exponent_overflow) {
    return;  // numbers are text here: no exponent is too large
  }
  if (ours) {
    ASSERT_FALSE(code) << code.message() << "\n" << text;
    EXPECT_TRUE(same(tape.root(), theirs)) << text;
  } else if (!code) {
    EXPECT_TRUE(is_our_extra_strictness(tape.error().what)) << tape.error().what << "\n" << text;
  }
}

TEST(Oracle, GeneratedTextsHaveTheSameValue) {
  Generator generator(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = generator.document(i % 2 == 0);
    Tape tape;
    ASSERT_TRUE(tape.parse(text)) << tape.error().what << "\n" << text;
    compare(text);
  }
}

TEST(Oracle, DamagedTextsAreJudgedAlike) {
  Generator generator(2);
  int refused = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = generator.damaged(generator.document(i % 2 == 0));
    compare(text);
    Tape tape;
    refused += tape.parse(text) ? 0 : 1;
  }
  EXPECT_GT(refused, 1500);  // the damage reaches the parser
}

// All texts of up to four bytes over a small alphabet: no corner of the grammar is left to chance.
TEST(Oracle, AllShortTextsAreJudgedAlike) {
  static constexpr std::string_view kAlphabet("{}[]\",:0-.e1\\u n", 16);
  for (std::size_t length = 0; length <= 4; ++length) {
    std::size_t combinations = 1;
    for (std::size_t k = 0; k < length; ++k) {
      combinations *= kAlphabet.size();
    }
    for (std::size_t n = 0; n < combinations; ++n) {
      std::string text;
      for (std::size_t k = 0, rest = n; k < length; ++k, rest /= kAlphabet.size()) {
        text += kAlphabet[rest % kAlphabet.size()];
      }
      compare(text);
    }
  }
}

TEST(Oracle, AllTwoAndThreeByteSequencesInAString) {
  for (unsigned lead = 0x7F; lead <= 0xFF; ++lead) {
    for (unsigned second = 0; second <= 0xFF; ++second) {
      const std::string pair{static_cast<char>(lead), static_cast<char>(second)};
      compare("\"" + pair + "\"");
      for (const char third : {'\x7F', '\x80', '\x8F', '\x90', '\x9F', '\xA0', '\xBF', '\xC0'}) {
        compare("\"" + pair + third + "\"");
        compare("\"" + pair + third + "\x80\"");
      }
    }
  }
}

}  // namespace
}  // namespace calaboose::json
