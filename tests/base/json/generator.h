// SPDX-License-Identifier: Apache-2.0
// Random JSON texts from a fixed seed, and random damage to them.
// Place: tests/base/json; property and oracle tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace calaboose::json {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  /// A valid text without duplicate names; `spaced` adds white space at random.
  std::string document(bool spaced);

  /// Changes a few bytes: overwrites, deletes, inserts, doubles a slice, swaps two slices.
  std::string damaged(std::string text);

  std::uint64_t below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }

 private:
  void value(std::string& out, int depth);
  void string(std::string& out);
  void number(std::string& out);
  void space(std::string& out);

  std::mt19937_64 engine_;
  bool spaced_ = false;
};

}  // namespace calaboose::json
