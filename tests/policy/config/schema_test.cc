// SPDX-License-Identifier: Apache-2.0
// The published schema and the loader's table hold the same keys, enumerations and ranges.
#include <algorithm>
#include <map>
#include <set>

#include "base/json/json.h"
#include "tests/policy/config/support.h"

namespace calaboose::policy::testing {
namespace {

class Schema : public ::testing::Test {
 protected:
  void SetUp() override {
    text_ = read_text(CALABOOSE_TEST_SCHEMA);
    ASSERT_TRUE(tape_.parse(text_)) << tape_.error().what;
  }

  json::Value follow(json::Value schema) const {
    while (schema.find("$ref")) {
      const std::string ref = schema.find("$ref").string_or("");
      schema = tape_.root().pointer(ref.substr(1));
      EXPECT_TRUE(schema.exists()) << ref;
    }
    return schema;
  }

  // The object among the alternatives ("off" or an object).
  json::Value object_of(json::Value schema) const {
    schema = follow(schema);
    json::Value found = schema;
    schema.find("anyOf").each_element([&](json::Value option) {
      if (follow(option).find("properties")) {
        found = follow(option);
      }
    });
    return found;
  }

  void collect(json::Value schema, const std::string& prefix,
               std::map<std::string, json::Value>& out) const {
    object_of(schema).find("properties").each_member([&](json::Value name, json::Value child) {
      const std::string path = prefix + name.string_or("");
      out[path] = follow(child);
      collect(child, path + ".", out);
    });
  }

  std::map<std::string, json::Value> keys_of(Scope scope) const {
    static const std::map<Scope, std::string> kWhere{{kRoot, ""},
                                                     {kServer, "/$defs/server"},
                                                     {kPolicy, "/$defs/policy"},
                                                     {kManagedFile, "/$defs/managed"}};
    std::map<std::string, json::Value> out;
    const json::Value schema = tape_.root().pointer(kWhere.at(scope));
    EXPECT_TRUE(schema.exists());
    if (scope != kRoot) {
      collect(schema, "", out);
      return out;
    }
    schema.find("properties").each_member([&](json::Value name, json::Value child) {
      const std::string path = name.string_or("");
      out[path] = follow(child);
      if (path != "policy" && path != "mcpServers") {
        collect(child, path + ".", out);
      }
    });
    return out;
  }

  std::string text_;
  json::Tape tape_;
};

constexpr Scope kScopes[] = {kRoot, kServer, kPolicy, kManagedFile};

TEST_F(Schema, HoldsTheSameKeysAsTheLoader) {
  for (const Scope scope : kScopes) {
    std::set<std::string> in_schema;
    for (const auto& [path, schema] : keys_of(scope)) {
      in_schema.insert(path);
    }
    std::set<std::string> in_table;
    for (const KeySpec& key : config_keys()) {
      if ((key.scopes & scope) != 0) {
        in_table.insert(std::string(key.path));
      }
    }
    EXPECT_EQ(in_schema, in_table) << "scope " << int{scope};
  }
}

TEST_F(Schema, HoldsTheSameChoicesAndRanges) {
  for (const Scope scope : kScopes) {
    const auto in_schema = keys_of(scope);
    for (const KeySpec& key : config_keys()) {
      if ((key.scopes & scope) == 0) {
        continue;
      }
      const json::Value schema = in_schema.at(std::string(key.path));
      if (key.shape == Shape::kEnum) {
        std::string choices;
        schema.find("enum").each_element([&](json::Value value) {
          choices += (choices.empty() ? "" : "|") + value.string_or("?");
        });
        EXPECT_EQ(choices, key.values) << key.path;
      }
      if (key.shape == Shape::kInteger && key.path != "version") {
        EXPECT_EQ(schema.find("minimum").int64(), static_cast<std::int64_t>(key.min)) << key.path;
        EXPECT_EQ(schema.find("maximum").int64(), static_cast<std::int64_t>(key.max)) << key.path;
      }
    }
  }
}

TEST_F(Schema, ClosesEveryObject) {
  for (const Scope scope : kScopes) {
    for (const auto& [path, schema] : keys_of(scope)) {
      if (object_of(schema).find("properties")) {
        EXPECT_EQ(object_of(schema).find("additionalProperties").boolean(), false) << path;
      }
    }
  }
}

TEST_F(Schema, PathsInTheTableAreUnique) {
  std::set<std::pair<std::string_view, Scope>> seen;
  for (const KeySpec& key : config_keys()) {
    for (const Scope scope : kScopes) {
      if ((key.scopes & scope) != 0) {
        EXPECT_TRUE(seen.emplace(key.path, scope).second) << key.path;
      }
    }
    const std::size_t dot = key.path.rfind('.');
    if (dot != std::string_view::npos) {
      for (const Scope scope : kScopes) {
        if ((key.scopes & scope) != 0) {
          EXPECT_NE(find_key(key.path.substr(0, dot), scope), nullptr) << key.path;
        }
      }
    }
  }
}

}  // namespace
}  // namespace calaboose::policy::testing
