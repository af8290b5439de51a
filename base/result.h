// SPDX-License-Identifier: Apache-2.0
// Value or Error.
// Place: base; used everywhere. Pure.
#pragma once

#include <cstdlib>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"

namespace calaboose {

/// Holds a `T` or an `Error`. Reading the wrong side is a bug and aborts.
///
/// Threads   like the contained value.
/// Example   Result<int> r = parse(text); if (!r) return std::move(r).error();
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<0>, std::move(value)) {}

  Result(Error error)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }

  explicit operator bool() const { return ok(); }

  T& value() & {
    check(0);
    return *std::get_if<0>(&state_);
  }

  const T& value() const& {
    check(0);
    return *std::get_if<0>(&state_);
  }

  T&& value() && {
    check(0);
    return std::move(*std::get_if<0>(&state_));
  }

  T& operator*() & { return value(); }

  const T& operator*() const& { return value(); }

  T&& operator*() && { return std::move(*this).value(); }

  T* operator->() { return &value(); }

  const T* operator->() const { return &value(); }

  const Error& error() const& {
    check(1);
    return *std::get_if<1>(&state_);
  }

  Error&& error() && {
    check(1);
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  void check(std::size_t side) const {
    if (state_.index() != side) {
      std::abort();
    }
  }

  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;

  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }

  explicit operator bool() const { return ok(); }

  const Error& error() const& {
    check();
    return *error_;
  }

  Error&& error() && {
    check();
    return std::move(*error_);
  }

 private:
  void check() const {
    if (!error_) {
      std::abort();
    }
  }

  std::optional<Error> error_;
};

}  // namespace calaboose

#define CALABOOSE_CONCAT_INNER(a, b) a##b
#define CALABOOSE_CONCAT(a, b) CALABOOSE_CONCAT_INNER(a, b)

/// CALABOOSE_TRY(auto x, f()): declares x from f()'s value, or returns f()'s error.
#define CALABOOSE_TRY(decl, expr)                                      \
  auto CALABOOSE_CONCAT(try_result_, __LINE__) = (expr);               \
  if (!CALABOOSE_CONCAT(try_result_, __LINE__).ok()) {                 \
    return std::move(CALABOOSE_CONCAT(try_result_, __LINE__)).error(); \
  }                                                                    \
  decl = std::move(CALABOOSE_CONCAT(try_result_, __LINE__)).value()  // NOLINT

/// CALABOOSE_CHECK(f()): returns f()'s error, if it is one.
#define CALABOOSE_CHECK(expr)                       \
  if (auto try_result = (expr); !try_result.ok()) { \
    return std::move(try_result).error();           \
  }                                                 \
  static_assert(true)
