// SPDX-License-Identifier: Apache-2.0
// Judges what a server answers to the probe (server/discover) and to initialize. Decides only;
// sends nothing. Place: mcp/session, internal; under ClientSession. Pure. Spec: protocol.md
// sections 1.3 (stdio column) and 1.4.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "mcp/wire/message.h"

namespace calaboose::mcp {

struct Judgement {
  enum class Next : std::uint8_t {
    kOpen,        // the answer opens the session in `revision`
    kProbe,       // send server/discover (again) with `revision`
    kInitialize,  // send initialize, with `revision` if it is not empty
    kFail,        // `error` says why
  };
  Next next = Next::kFail;
  std::string revision;
  std::optional<Error> error;
  bool lenient = false;  // kOpen: something that the revision requires was missing (recorded)
};

struct ProbeSoFar {
  bool may_fall_back = true;  // initialize is allowed after this
  bool probed_twice = false;  // this answers a second probe
};

/// `answer`: kResult, kError, or kInvalid for an answer that could not be read.
Judgement judge_probe(const Message& answer, const ProbeSoFar& so_far);

/// The probe brought no answer in time, or the answer is no evidence of the modern era.
Judgement fall_back(const ProbeSoFar& so_far, std::string_view why);

struct InitializeSoFar {
  bool may_probe = false;    // initialize was the first thing tried and the modern era is allowed
  bool tried_twice = false;  // this answers a second initialize
};

Judgement judge_initialize(const Message& answer, const InitializeSoFar& so_far);

}  // namespace calaboose::mcp
