// SPDX-License-Identifier: Apache-2.0
// Puts layers on top of each other: an accepted file replaces, one that nobody accepted can only
// tighten (I12). Place: policy/config, inside resolve_server. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/config/config.h"

namespace calaboose::policy {

/// The values so far, at most one field for each key.
class Merged {
 public:
  const Field* find(std::string_view path) const;

  const std::vector<Field>& fields() const { return fields_; }

  /// The owner's layer: scalars and grant lists replace what was there, maps merge by name, deny
  /// lists add up. A new command or url drops the arguments that belonged to the old one.
  void apply(const Layer& layer);

  /// Options of the command line: like apply(), but grants are added to those of the files.
  void apply_command_line(const Layer& layer);

  /// A layer of a file that nobody accepted: takes what tightens, adds a note for each value that
  /// it did not take.
  void tighten(const Layer& layer, std::vector<std::string>& notes);

 private:
  Field* slot(std::string_view path);
  void set(const Field& field);
  void erase(std::string_view path);
  bool take_tighter(const Field& field);
  bool take_subset(const Field& field);

  std::vector<Field> fields_;
};

}  // namespace calaboose::policy
