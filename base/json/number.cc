// SPDX-License-Identifier: Apache-2.0
// Exact decimal normal form: significant digits without zeros at either end, and the power of ten
// of the last one. Plain notation where ECMAScript uses it (point within 21 digits), else
// scientific. Nothing is rounded, and the exponent is a decimal text too, so 1e99999999999999999999
// stays exact: equal forms <=> equal numbers.
#include <algorithm>
#include <charconv>
#include <limits>

#include "base/json/json.h"
#include "base/json/write.h"

namespace calaboose::json {
namespace {

constexpr std::size_t kSafeExponentDigits = 17;  // fits an int64 with room for every digit count
constexpr std::int64_t kPlainDigits = 21;
constexpr std::int64_t kPlainZeros = 6;

/// A signed whole number as text; `digits` has no leading zeros, "" is zero.
struct BigInt {
  bool negative = false;
  std::string digits;
};

BigInt to_big(std::int64_t value) {
  if (value == 0) {
    return {};
  }
  return {value < 0, std::to_string(value < 0 ? -value : value)};
}

void strip_leading_zeros(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

// exponent + delta, where the exponent has more than kSafeExponentDigits digits, so the sign never
// changes.
BigInt add_small(BigInt exponent, std::int64_t delta) {
  const int sign = (delta < 0) == exponent.negative ? 1 : -1;  // does the magnitude grow?
  std::int64_t rest = delta < 0 ? -delta : delta;
  int carry = 0;
  std::string& digits = exponent.digits;
  for (std::size_t at = digits.size(); at > 0 && (rest > 0 || carry != 0); --at) {
    int digit = digits[at - 1] - '0' + carry + sign * static_cast<int>(rest % 10);
    rest /= 10;
    carry = digit > 9 ? 1 : (digit < 0 ? -1 : 0);
    digit -= carry * 10;
    digits[at - 1] = static_cast<char>('0' + digit);
  }
  if (carry > 0) {
    digits.insert(digits.begin(), '1');
  }
  strip_leading_zeros(digits);
  return exponent;
}

/// spelling = ±0.d1d2… × 10^point, d1 and the last digit not zero; no digits means zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  BigInt point;
};

Decimal read(std::string_view text) {
  Decimal out;
  if (text.starts_with('-')) {
    out.negative = true;
    text.remove_prefix(1);
  }
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  std::string_view exponent = e == std::string_view::npos ? std::string_view() : text.substr(e + 1);
  const std::size_t dot = mantissa.find('.');
  out.digits = mantissa.substr(0, dot);
  auto point = static_cast<std::int64_t>(out.digits.size());
  if (dot != std::string_view::npos) {
    out.digits += mantissa.substr(dot + 1);
  }
  const std::size_t before = out.digits.size();
  strip_leading_zeros(out.digits);
  point -= static_cast<std::int64_t>(before - out.digits.size());
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  if (out.digits.empty()) {
    return {};  // -0 and 0e9 are 0
  }
  BigInt power;
  if (exponent.starts_with('-') || exponent.starts_with('+')) {
    power.negative = exponent.front() == '-';
    exponent.remove_prefix(1);
  }
  power.digits = exponent;
  strip_leading_zeros(power.digits);
  if (power.digits.size() > kSafeExponentDigits) {
    out.point = add_small(std::move(power), point);
    return out;
  }
  std::int64_t small = 0;
  std::from_chars(power.digits.data(), power.digits.data() + power.digits.size(), small);
  out.point = to_big(point + (power.negative ? -small : small));
  return out;
}

// The point as a machine number if it is small enough for plain notation.
std::optional<std::int64_t> small_point(const BigInt& point) {
  if (point.digits.size() > 3) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  std::from_chars(point.digits.data(), point.digits.data() + point.digits.size(), value);
  return point.negative ? -value : value;
}

BigInt minus_one(const BigInt& value) {
  if (value.digits.size() > kSafeExponentDigits) {
    return add_small(value, -1);
  }
  std::int64_t small = 0;
  std::from_chars(value.digits.data(), value.digits.data() + value.digits.size(), small);
  return to_big((value.negative ? -small : small) - 1);
}

}  // namespace

std::string canonical_number(std::string_view spelling) {
  const Decimal number = read(spelling);
  if (number.digits.empty()) {
    return "0";
  }
  std::string out = number.negative ? "-" : "";
  const std::string& digits = number.digits;
  const auto count = static_cast<std::int64_t>(digits.size());
  const std::optional<std::int64_t> point = small_point(number.point);
  if (point && *point > 0 && *point <= kPlainDigits) {
    const auto whole = static_cast<std::size_t>(*point);
    out.append(digits, 0, whole);
    if (count <= *point) {
      out.append(whole - digits.size(), '0');
    } else {
      out += '.';
      out.append(digits, whole);
    }
    return out;
  }
  if (point && *point <= 0 && *point > -kPlainZeros) {
    out += "0.";
    out.append(static_cast<std::size_t>(-*point), '0');
    return out + digits;
  }
  out += digits[0];
  if (count > 1) {
    out += '.';
    out.append(digits, 1);
  }
  const BigInt power = minus_one(number.point);
  out += power.negative ? "e-" : "e+";
  return out + (power.digits.empty() ? "0" : power.digits);
}

std::optional<std::int64_t> Value::int64() const {
  if (!is_number()) {
    return std::nullopt;
  }
  const std::string_view text = raw();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> Value::number() const {
  if (!is_number()) {
    return std::nullopt;
  }
  const std::string_view text = raw();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say which end was passed; the decimal point does.
    const Decimal decimal = read(text);
    const bool tiny = decimal.digits.empty() || decimal.point.negative;
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return decimal.negative ? -value : value;
  }
  return value;
}

}  // namespace calaboose::json
