// SPDX-License-Identifier: Apache-2.0
// Properties that hold for every text, over generated ones.
#include <gtest/gtest.h>

#include <string>

#include "base/json/json.h"
#include "base/json/write.h"
#include "tests/base/json/generator.h"

namespace calaboose::json {
namespace {

TEST(Property, MinifiedKeepsTheValueAndIsIdempotent) {
  Generator generator(11);
  for (int i = 0; i < 600; ++i) {
    const std::string text = generator.document(true);
    Tape tape;
    ASSERT_TRUE(tape.parse(text)) << text;
    const std::string small = minified(tape.root());
    Tape again;
    ASSERT_TRUE(again.parse(small)) << small;
    EXPECT_EQ(minified(again.root()), small);
    EXPECT_TRUE(equal(tape.root(), again.root())) << text;
    EXPECT_EQ(canonical(tape.root()), canonical(again.root()));
    if (tape.is_minified()) {
      EXPECT_EQ(tape.root().raw(), small);
    }
  }
}

TEST(Property, CanonicalFormIsAFixedPoint) {
  Generator generator(12);
  for (int i = 0; i < 600; ++i) {
    const std::string text = generator.document(false);
    Tape tape;
    ASSERT_TRUE(tape.parse(text));
    const std::string form = canonical(tape.root());
    Tape again;
    ASSERT_TRUE(again.parse(form)) << form;
    EXPECT_EQ(canonical(again.root()), form);
  }
}

TEST(Property, QuotedStringsComeBack) {
  Generator generator(13);
  for (int i = 0; i < 600; ++i) {
    Tape tape;
    const std::string text = generator.document(false);
    ASSERT_TRUE(tape.parse(text));
    for (std::uint32_t t = 0; t < tape.tokens().size(); ++t) {
      if (tape.tokens()[t].kind == Kind::kString) {
        const std::string decoded = *Value(&tape, t).string();
        const std::string spelled = json::quoted(decoded);
        Tape one;
        ASSERT_TRUE(one.parse(spelled)) << spelled;
        EXPECT_EQ(one.root().string(), decoded);
        EXPECT_TRUE(Value(&tape, t).string_equals(decoded));
      }
    }
  }
}

// Random edits through both writers: the spliced copy of the minified text and the walked copy of
// the spaced text must agree, and parse.
TEST(Property, BothWaysOfPatchingAgree) {
  Generator generator(14);
  for (int i = 0; i < 1200; ++i) {
    const std::string text = generator.document(true);
    Tape spaced;
    ASSERT_TRUE(spaced.parse(text));
    const std::string small = minified(spaced.root());
    Tape tight;
    ASSERT_TRUE(tight.parse(small));
    if (!tight.is_minified()) {
      continue;  // a name that needs an escape: both take the walk
    }
    ASSERT_EQ(spaced.tokens().size(), tight.tokens().size());
    Patch spaced_patch;
    Patch tight_patch;
    for (std::uint64_t n = generator.below(6); n > 0; --n) {
      const auto at = static_cast<std::uint32_t>(generator.below(tight.tokens().size()));
      if (tight.tokens()[at].is_name) {
        continue;
      }
      const std::uint64_t op = generator.below(4);
      const std::string name = "new" + std::to_string(n);
      const auto apply = [&](Patch& patch, const Tape& tape) {
        const Value value(&tape, at);
        if (op == 0) {
          patch.replace(value, "[\"new\"]");
        } else if (op == 1) {
          patch.remove(value);
        } else if (op == 2) {
          patch.append_member(value, name, "{}");
        } else {
          patch.rename(value, name + "\n");
        }
      };
      apply(spaced_patch, spaced);
      apply(tight_patch, tight);
    }
    std::string from_spaced;
    std::string from_tight;
    spaced_patch.write(spaced.root(), from_spaced);
    tight_patch.write(tight.root(), from_tight);
    EXPECT_EQ(from_spaced, from_tight) << small;
    Tape result;
    EXPECT_TRUE(result.parse(from_tight)) << result.error().what << "\n" << from_tight;
  }
}

}  // namespace
}  // namespace calaboose::json
