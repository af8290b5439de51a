// SPDX-License-Identifier: Apache-2.0
// The outcome tables of the two ways to open a server.
// Place: mcp/session.
#include "mcp/session/opening.h"

#include "base/text.h"
#include "mcp/wire/codes.h"
#include "mcp/wire/revision.h"

namespace calaboose::mcp {
namespace {

using Next = Judgement::Next;

/// What a list of revisions offers us.
struct Offer {
  bool usable = false;      // an array of strings with at least one
  bool has_modern = false;  // any, also one that we do not know
  bool mutual_modern = false;
  std::string mutual_legacy;  // newest; empty: none
};

Offer read_offer(json::Value list) {
  Offer offer;
  if (!list.is_array()) {
    return offer;
  }
  bool only_strings = true;
  list.each_element([&](json::Value element) {
    const auto text = element.string();
    if (!text) {
      only_strings = false;
      return;
    }
    offer.has_modern = offer.has_modern || is_modern_revision(*text);
    offer.mutual_modern = offer.mutual_modern || *text == kNewestModernRevision;
    if (known_revision(*text) == Era::kLegacy && *text > offer.mutual_legacy) {
      offer.mutual_legacy = *text;
    }
  });
  offer.usable = only_strings && list.size() > 0;
  return offer;
}

Judgement fail(std::string what, std::string hint = {}) {
  Error error(Errc::kPeer, std::move(what));
  if (!hint.empty()) {
    error = std::move(error).with_hint(std::move(hint));
  }
  return {Next::kFail, {}, std::move(error), false};
}

Judgement fail_no_mutual() {
  return fail("the server offers only protocol revisions that are not supported here",
              "use a release of the server that speaks 2026-07-28 or an older revision");
}

std::int64_t code_of(const Message& answer) {
  return answer.error.find("code").int64().value_or(0);
}

Judgement judge_unsupported_version(const Message& answer, const ProbeSoFar& so_far) {
  const Offer offer = read_offer(answer.error.at("data", "supported"));
  if (!offer.usable) {
    return fall_back(so_far, "it refuses the protocol revision 2026-07-28");
  }
  if (offer.mutual_modern) {
    if (so_far.probed_twice) {
      return fail("the server lists protocol revision 2026-07-28 and refuses it");
    }
    return {Next::kProbe, std::string(kNewestModernRevision), std::nullopt, false};
  }
  if (offer.has_modern) {
    return fail_no_mutual();
  }
  return fall_back(so_far, "it supports only older protocol revisions");
}

Judgement judge_discover_result(json::Value result, const ProbeSoFar& so_far) {
  const Offer offer = read_offer(result.find("supportedVersions"));
  const json::Value type = result.find("resultType");
  const json::Value instructions = result.find("instructions");
  const bool is_discover = result.find("supportedVersions").is_array() &&
                           (offer.usable || result.find("supportedVersions").size() == 0) &&
                           result.find("capabilities").is_object() &&
                           (!type || type.string_equals("complete")) &&
                           (!instructions || instructions.is_string());
  if (!is_discover) {
    return fall_back(so_far, "its answer to server/discover is not one");
  }
  if (offer.mutual_modern) {
    return {Next::kOpen, std::string(kNewestModernRevision), std::nullopt, !type.exists()};
  }
  if (offer.mutual_legacy.empty()) {
    return fail_no_mutual();
  }
  return fall_back(so_far, "it supports only older protocol revisions");
}

}  // namespace

Judgement fall_back(const ProbeSoFar& so_far, std::string_view why) {
  if (so_far.may_fall_back) {
    return {Next::kInitialize, {}, std::nullopt, false};
  }
  return fail("the server cannot be used with protocol revision 2026-07-28: " + std::string(why),
              "allow older protocol revisions for this server");
}

Judgement judge_probe(const Message& answer, const ProbeSoFar& so_far) {
  if (answer.kind == MessageKind::kResult && answer.result.is_object()) {
    return judge_discover_result(answer.result, so_far);
  }
  if (answer.kind != MessageKind::kError) {
    return fall_back(so_far, "its answer to server/discover cannot be read");
  }
  switch (code_of(answer)) {
    case code::kUnsupportedVersion:
      return judge_unsupported_version(answer, so_far);
    case code::kHeaderMismatch:
      if (!so_far.probed_twice) {
        return {Next::kProbe, std::string(kNewestModernRevision), std::nullopt, false};
      }
      return fail("the server refuses server/discover with error -32020");
    case code::kMissingCapability:
      return fail("the server needs a client capability that is not offered",
                  "allow client capabilities for this server if you trust it");
    default:
      return fall_back(so_far, "it does not know server/discover");
  }
}

Judgement judge_initialize(const Message& answer, const InitializeSoFar& so_far) {
  if (answer.kind == MessageKind::kResult) {
    const json::Value result = answer.result;
    const std::string revision = result.find("protocolVersion").string_or("");
    if (!result.is_object() || revision.empty()) {
      return fail("the server's answer to initialize cannot be read");
    }
    if (known_revision(revision) != Era::kLegacy) {
      return fail(
          "the server answered initialize with a protocol revision that is not supported here: " +
          printable(revision, 40));
    }
    const json::Value capabilities = result.find("capabilities");
    const json::Value server_info = result.find("serverInfo");
    const json::Value instructions = result.find("instructions");
    if ((capabilities && !capabilities.is_object()) || (server_info && !server_info.is_object()) ||
        (instructions && !instructions.is_string())) {
      return fail("the server's answer to initialize has members of the wrong kind");
    }
    return {Next::kOpen, revision, std::nullopt, !capabilities || !server_info};
  }
  if (answer.kind != MessageKind::kError) {
    return fail("the server's answer to initialize cannot be read");
  }
  const std::int64_t error_code = code_of(answer);
  const Offer offer = read_offer(answer.error.at("data", "supported"));
  if (error_code == code::kUnsupportedVersion && offer.usable && offer.has_modern) {
    if (so_far.may_probe && offer.mutual_modern) {
      return {Next::kProbe, std::string(kNewestModernRevision), std::nullopt, false};
    }
    if (offer.mutual_legacy.empty()) {
      return fail_no_mutual();
    }
  }
  if (!so_far.tried_twice && offer.usable && !offer.mutual_legacy.empty() &&
      (error_code == code::kInvalidParams || error_code == code::kUnsupportedVersion)) {
    return {Next::kInitialize, offer.mutual_legacy, std::nullopt, false};
  }
  return fail("the server refused initialize with error " + std::to_string(error_code));
}

}  // namespace calaboose::mcp
