// SPDX-License-Identifier: Apache-2.0
// A failed step as an error that a person can act on.
// Place: runner/jail. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "runner/jail/protocol.h"
#include "runner/plan/plan.h"

namespace calaboose::jail {

struct Failure {
  Step step = Step::kNone;
  int error = 0;
  std::uint32_t index = kNoIndex;  // of the mount or Landlock rule
};

/// "making the namespaces"; for messages and for Protections::layers.
std::string_view step_name(Step step);

/// What failed, errno by name, the likely cause and what to do; id CB4100 + step. kCannotEnforce,
/// except for the last step: kCommandNotFound or kPeer.
Error describe_failure(const Failure& failure, const plan::Plan& plan);

}  // namespace calaboose::jail
