// SPDX-License-Identifier: Apache-2.0
// Walks the strings of a message and applies the character rules to each.
//
// The order of work keeps ordinary traffic cheap: one pass over the raw bytes finds out whether
// there is anything odd at all; then only the strings that hold something odd are decoded and given
// a surface.
#include <algorithm>

#include "base/json/strings.h"
#include "base/json/write.h"
#include "base/text.h"
#include "policy/scan/names.h"
#include "policy/scan/odd.h"
#include "policy/scan/rewrite.h"
#include "policy/scan/scan.h"
#include "policy/scan/surfaces.h"

namespace calaboose::policy {
namespace {

constexpr std::size_t kMaxPointerBytes = 512;

class Findings {
 public:
  explicit Findings(std::vector<Finding>& list, Action& strongest)
      : list_(list), strongest_(strongest) {}

  // `pointer()` is called only if the finding is listed.
  template <class F>
  void add(const Tally& tally, Surface surface, Action action, F&& pointer) {
    strongest_ = std::max(strongest_, action);
    for (std::size_t i = 0; i < kCharacterRules; ++i) {
      const auto rule = static_cast<CharacterRule>(i);
      const std::uint32_t count = tally.of(rule);
      if (count == 0) {
        continue;
      }
      if (list_.size() == kMaxFindings) {
        list_.back().count += count;
      } else {
        list_.push_back({std::string(character_rule_id(rule)), surface, pointer(), action, count});
      }
    }
  }

 private:
  std::vector<Finding>& list_;
  Action& strongest_;
};

// One string that changes.
struct Change {
  std::uint32_t token;
  bool is_name;
  std::string text;
};

/// The walk over one document.
class Walk {
 public:
  Walk(const Scanner::Options& options, json::Value root, Findings& findings)
      : options_(options), root_(root), findings_(findings) {}

  // `surface_of(Value)` names the surface of a string.
  template <class F>
  void run(F&& surface_of) {
    const json::Tape& tape = *root_.tape();
    const std::uint32_t stop = tape.tokens()[root_.index()].next;
    for (std::uint32_t i = root_.index(); i < stop; ++i) {
      const json::Value value(&tape, i);
      if (value.is_string() && find_odd_json(value.raw()) != std::string_view::npos) {
        string(value, surface_of(value));
      }
    }
    settle_names();
  }

  const std::vector<Change>& changes() const { return changes_; }

 private:
  void string(json::Value value, Surface surface) {
    if (surface == Surface::kOpaque) {
      return;
    }
    const json::Tape::Token& token = value.tape()->tokens()[value.index()];
    std::string_view text = value.raw().substr(1, value.raw().size() - 2);
    if (token.has_escape) {
      decoded_.clear();
      json::append_unescaped(decoded_, text);
      text = decoded_;
    }
    std::string out;
    Tally tally;
    if (!strip_characters(text, profile_of(surface), out, tally)) {
      return;
    }
    const bool rewrite = options_.strip && surface != Surface::kArgument;
    findings_.add(tally, surface, rewrite ? Action::kStrip : Action::kFlag,
                  [&] { return pointer(value); });
    if (rewrite) {
      changes_.push_back({value.index(), token.is_name, std::move(out)});
    }
  }

  // The pointer may hold names that the peer chose: printable and bounded.
  std::string pointer(json::Value value) const {
    const std::string full = json::pointer_of(value);
    const std::size_t skip = root_.index() == 0 ? 0 : json::pointer_of(root_).size();
    return printable(std::string_view(full).substr(skip), kMaxPointerBytes);
  }

  // Names of one object are settled together. The stable sort brings them together without losing
  // their order.
  void settle_names() {
    const auto names_end = std::stable_partition(changes_.begin(), changes_.end(),
                                                 [](const Change& c) { return c.is_name; });
    const auto& tokens = root_.tape()->tokens();
    std::stable_sort(changes_.begin(), names_end, [&](const Change& a, const Change& b) {
      return tokens[a.token].parent < tokens[b.token].parent;
    });
    for (auto first = changes_.begin(); first != names_end;) {
      const std::uint32_t object = tokens[first->token].parent;
      std::vector<Renaming> renamings;
      auto last = first;
      for (; last != names_end && tokens[last->token].parent == object; ++last) {
        renamings.push_back({last->token, std::move(last->text)});
      }
      unique_names(json::Value(root_.tape(), object), renamings);
      for (Renaming& renaming : renamings) {
        (first++)->text = std::move(renaming.text);
      }
    }
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& a, const Change& b) { return a.token < b.token; });
  }

  const Scanner::Options& options_;
  json::Value root_;
  Findings& findings_;
  std::vector<Change> changes_;
  std::string decoded_;
};

// The document with its changes, minified (invariant I4).
std::string rewritten(json::Value root, const std::vector<Change>& changes) {
  json::Patch patch;
  for (const Change& change : changes) {
    if (change.is_name) {
      patch.rename(json::Value(root.tape(), change.token + 1), change.text);
    } else {
      patch.replace(json::Value(root.tape(), change.token), json::quoted(change.text));
    }
  }
  std::string out;
  out.reserve(root.raw().size());
  patch.write(root, out);
  return out;
}

// The text with its changes, everything else byte for byte, white space too.
std::string spliced(const json::Tape& tape, const std::vector<Change>& changes) {
  std::string out;
  std::size_t done = 0;
  for (const Change& change : changes) {
    const json::Tape::Token& token = tape.tokens()[change.token];
    out.append(tape.text(), done, token.begin - done);
    json::append_quoted(out, change.text);
    done = token.end;
  }
  out.append(tape.text(), done);
  return out;
}

}  // namespace

ScanResult Scanner::scan(const MessageContext& context, json::Value message) const {
  ScanResult result;
  if (!options_.characters || !message.exists() ||
      find_odd_json(message.raw()) == std::string_view::npos) {
    return result;
  }
  Findings findings(result.findings, result.strongest);
  Walk walk(options_, message, findings);
  walk.run([&](json::Value string) { return surface_of(context, message, string); });
  if (!walk.changes().empty()) {
    result.changed = true;
    result.text = rewritten(message, walk.changes());
  }
  return result;
}

Scanner::TextResult Scanner::scan_text(Surface surface, std::string_view text) const {
  TextResult result;
  Findings findings(result.findings, result.strongest);
  json::Tape tape;
  const bool may_be_json = surface == Surface::kResultStructured || surface == Surface::kErrorData;
  if (!options_.characters || surface == Surface::kOpaque) {
    result.output = text;
  } else if (may_be_json && tape.parse(text)) {
    Walk walk(options_, tape.root(), findings);
    walk.run([&](json::Value) { return surface; });
    result.output = spliced(tape, walk.changes());
  } else {
    std::string valid;
    std::string out;
    Tally tally;
    const bool repaired = repair_utf8(text, valid, tally);
    const bool stripped =
        strip_characters(repaired ? valid : text, profile_of(surface), out, tally);
    if (repaired && !stripped) {
      out = std::move(valid);
    }
    const bool changed = repaired || stripped;
    const bool rewrite = changed && options_.strip && surface != Surface::kArgument;
    if (changed) {
      findings.add(tally, surface, rewrite ? Action::kStrip : Action::kFlag,
                   [] { return std::string(); });
    }
    result.output = rewrite ? std::move(out) : std::string(text);
  }
  return result;
}

std::string findings_json(const std::vector<Finding>& findings) {
  std::string out = "[";
  for (const Finding& finding : findings) {
    if (out.size() > 1) {
      out += ',';
    }
    json::ObjectWriter writer(out);
    writer.string("rule", finding.rule)
        .string("surface", surface_name(finding.surface))
        .string("pointer", finding.pointer)
        .string("action", action_name(finding.action))
        .integer("count", finding.count);
    writer.close();
  }
  return out + "]";
}

}  // namespace calaboose::policy
