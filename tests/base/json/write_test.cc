// SPDX-License-Identifier: Apache-2.0
// Quoting, minified copies, patches and the object builder.
#include "base/json/write.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace calaboose::json {
namespace {

TEST(Quoted, EscapesOnlyWhatItMust) {
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("a/b é \x7f"), "\"a/b é \x7f\"");
  EXPECT_EQ(quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(quoted("\x1b\x01"), R"("\u001b\u0001")");
}

TEST(Minified, KeepsSpellingsAndRespellsNames) {
  Tape tape;
  ASSERT_TRUE(
      tape.parse(" { \"\\u0061\\n\" : [ 1.0 , \"\\u0041\" , { } , [ ] ] , \"b\" : 1E+2 } "));
  EXPECT_EQ(minified(tape.root()), R"({"a\n":[1.0,"\u0041",{},[]],"b":1E+2})");
  EXPECT_EQ(minified(tape.root().find("b")), "1E+2");
  EXPECT_EQ(minified(tape.root().find("a\n")), R"([1.0,"\u0041",{},[]])");
  EXPECT_EQ(minified(Value()), "");
}

TEST(Minified, DropsCommentsAndTrailingCommas) {
  Tape tape;
  Limits limits;
  limits.allow_comments = true;
  ASSERT_TRUE(tape.parse("{\"a\":[1,/*x*/2,],// y\n\"b\":{\"c\":3,},}", limits));
  EXPECT_EQ(minified(tape.root()), R"({"a":[1,2],"b":{"c":3}})");
}

constexpr std::string_view kDocument = R"({"a":1,"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})";

// The same document with white space, so that each edit takes both ways of writing.
constexpr std::string_view kSpaced =
    " {\n \"a\" : 1 , \"b\" : [ 10 , 20 , 30 ] , \"c\" : { } , \"\\u0064\" : { \"e\" : \"x\" , "
    "\"f\" : null } } ";

struct PatchCase {
  const char* name;
  void (*edit)(Patch& patch, Value root);
  const char* expected;
};

class Patched : public testing::TestWithParam<PatchCase> {};

TEST_P(Patched, BothWays) {
  for (const std::string_view text : {kDocument, kSpaced}) {
    Tape tape;
    ASSERT_TRUE(tape.parse(text)) << tape.error().what;
    Patch patch;
    GetParam().edit(patch, tape.root());
    std::string out = "before:";
    patch.write(tape.root(), out);
    EXPECT_EQ(out, std::string("before:") + GetParam().expected) << text;
  }
}

std::vector<PatchCase> patch_cases() {
  return {
      {"Nothing", [](Patch&, Value) {}, R"({"a":1,"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
      {"ReplaceScalar", [](Patch& p, Value v) { p.replace(v.find("a"), "[2]"); },
       R"({"a":[2],"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
      {"ReplaceContainer", [](Patch& p, Value v) { p.replace(v.find("d"), "0"); },
       R"({"a":1,"b":[10,20,30],"c":{},"d":0})"},
      {"ReplaceRoot", [](Patch& p, Value v) { p.replace(v, "7"); }, "7"},
      {"RemoveFirst", [](Patch& p, Value v) { p.remove(v.find("a")); },
       R"({"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
      {"RemoveLast", [](Patch& p, Value v) { p.remove(v.find("d")); },
       R"({"a":1,"b":[10,20,30],"c":{}})"},
      {"RemoveNeighbours",
       [](Patch& p, Value v) {
         p.remove(v.find("c"));
         p.remove(v.find("a"));
         p.remove(v.find("b"));
       },
       R"({"d":{"e":"x","f":null}})"},
      {"RemoveAllMembers",
       [](Patch& p, Value v) {
         p.remove(v.at("d", "e"));
         p.remove(v.at("d", "f"));
       },
       R"({"a":1,"b":[10,20,30],"c":{},"d":{}})"},
      {"RemoveAllElements",
       [](Patch& p, Value v) {
         for (std::uint32_t i = 0; i < 3; ++i) {
           p.remove(v.find("b").element(i));
         }
       },
       R"({"a":1,"b":[],"c":{},"d":{"e":"x","f":null}})"},
      {"RemoveEnds",
       [](Patch& p, Value v) {
         p.remove(v.find("b").element(0));
         p.remove(v.find("b").element(2));
       },
       R"({"a":1,"b":[20],"c":{},"d":{"e":"x","f":null}})"},
      {"RemoveTail",
       [](Patch& p, Value v) {
         p.remove(v.find("b").element(1));
         p.remove(v.find("b").element(2));
       },
       R"({"a":1,"b":[10],"c":{},"d":{"e":"x","f":null}})"},
      {"AppendToEmpty", [](Patch& p, Value v) { p.append_member(v.find("c"), "n\"", "1"); },
       R"({"a":1,"b":[10,20,30],"c":{"n\"":1},"d":{"e":"x","f":null}})"},
      {"AppendTwiceAndNested",
       [](Patch& p, Value v) {
         p.append_member(v, "y", "1");
         p.append_member(v, "z", "2");
         p.append_member(v.find("d"), "g", "3");
       },
       R"({"a":1,"b":[10,20,30],"c":{},"d":{"e":"x","f":null,"g":3},"y":1,"z":2})"},
      {"AppendAfterRemovingAll",
       [](Patch& p, Value v) {
         p.append_member(v.find("d"), "g", "3");
         p.remove(v.at("d", "f"));
         p.remove(v.at("d", "e"));
       },
       R"({"a":1,"b":[10,20,30],"c":{},"d":{"g":3}})"},
      {"Rename", [](Patch& p, Value v) { p.rename(v.find("d"), "D\n"); },
       R"({"a":1,"b":[10,20,30],"c":{},"D\n":{"e":"x","f":null}})"},
      {"RenameAndReplace",
       [](Patch& p, Value v) {
         p.replace(v.find("a"), "2");
         p.rename(v.find("a"), "A");
       },
       R"({"A":2,"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
      {"RemovalBeatsRename",
       [](Patch& p, Value v) {
         p.rename(v.find("b"), "B");
         p.remove(v.find("b"));
       },
       R"({"a":1,"c":{},"d":{"e":"x","f":null}})"},
      {"EditsInsideReplacedOrRemovedAreDropped",
       [](Patch& p, Value v) {
         p.replace(v.at("d", "e"), "1");
         p.append_member(v.find("d"), "g", "2");
         p.replace(v.find("d"), "null");
         p.replace(v.find("b").element(1), "21");
         p.remove(v.find("b"));
       },
       R"({"a":1,"c":{},"d":null})"},
      {"TheRootCannotBeRemoved", [](Patch& p, Value v) { p.remove(v); },
       R"({"a":1,"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
      {"WrongTargetsAreIgnored",
       [](Patch& p, Value v) {
         p.append_member(v.find("b"), "x", "1");
         p.rename(v.find("b").element(0), "x");
         p.rename(v, "x");
         p.replace(v.find("none"), "1");
         p.remove(v.find("none"));
       },
       R"({"a":1,"b":[10,20,30],"c":{},"d":{"e":"x","f":null}})"},
  };
}

std::string name_of(const testing::TestParamInfo<PatchCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Edits, Patched, testing::ValuesIn(patch_cases()), name_of);

TEST(Patch, WritesAPartWithOnlyItsOwnEdits) {
  for (const std::string_view text : {kDocument, kSpaced}) {
    Tape tape;
    ASSERT_TRUE(tape.parse(text));
    Patch patch;
    patch.replace(tape.root().find("a"), "9");
    patch.rename(tape.root().find("d"), "D");
    patch.replace(tape.root().at("d", "f"), "true");
    patch.remove(tape.root().find("d"));  // the member goes, the value alone can still be written
    patch.append_member(tape.root(), "z", "0");
    std::string out;
    patch.write(tape.root().find("d"), out);
    EXPECT_EQ(out, R"({"e":"x","f":true})");
  }
}

TEST(Patch, IsReusable) {
  Tape tape;
  ASSERT_TRUE(tape.parse("[1,2]"));
  Patch patch;
  EXPECT_TRUE(patch.empty());
  patch.replace(tape.root().element(0), "9");
  EXPECT_FALSE(patch.empty());
  patch.clear();
  std::string out;
  patch.write(tape.root(), out);
  EXPECT_EQ(out, "[1,2]");
  patch.write(Value(), out);
  EXPECT_EQ(out, "[1,2]");
}

TEST(ObjectWriter, BuildsOneObject) {
  std::string out;
  ObjectWriter writer(out);
  writer.string("a\"", "x\n")
      .integer("b", -5)
      .boolean("c", true)
      .boolean("d", false)
      .raw("e", "[1]");
  writer.close();
  EXPECT_EQ(out, R"({"a\"":"x\n","b":-5,"c":true,"d":false,"e":[1]})");
  std::string empty;
  ObjectWriter(empty).close();
  EXPECT_EQ(empty, "{}");
}

}  // namespace
}  // namespace calaboose::json
