// SPDX-License-Identifier: Apache-2.0
// Reads the value of one key by its shape in the table; one problem for each thing that is wrong.
// Place: policy/config, inside load.
#include <algorithm>
#include <vector>

#include "base/suggest.h"
#include "base/text.h"
#include "policy/config/layer.h"
#include "policy/config/load.h"
#include "policy/config/references.h"
#include "policy/config/values.h"

namespace calaboose::policy {
namespace {

std::string quote(std::string_view text) {
  return "\"" + printable(text, 120) + "\"";
}

std::vector<std::string_view> split_values(std::string_view values) {
  std::vector<std::string_view> out;
  while (!values.empty()) {
    const std::size_t bar = values.find('|');
    out.push_back(values.substr(0, bar));
    values.remove_prefix(bar == std::string_view::npos ? values.size() : bar + 1);
  }
  return out;
}

std::string shape_name(Shape shape) {
  switch (shape) {
    case Shape::kObject:
      return "an object";
    case Shape::kSandbox:
      return "an object or \"off\"";
    case Shape::kBool:
      return "true or false";
    case Shape::kInteger:
      return "a whole number";
    case Shape::kSize:
      return "a size such as \"512MB\" or \"1GiB\", or a number of bytes";
    case Shape::kString:
    case Shape::kEnum:
      return "a string";
    case Shape::kStringList:
      return "a list of strings";
    case Shape::kStringMap:
      return "an object of strings";
    case Shape::kObjectList:
      return "a list of objects";
    case Shape::kApproval:
      return "true, false or a list of rules";
    case Shape::kOff:
      return "false or a list of strings";
  }
  return "something else";
}

// Reads the value of one key; one per call, so that the context travels along.
class FieldReader {
 public:
  FieldReader(Document& doc, const KeySpec& key, const LayerContext& context, Layer& out)
      : doc_(doc), key_(key), context_(context), out_(out) {}

  void read(const Node& node);

 private:
  void wrong_type(const Node& node) { wrong_type(node, shape_name(key_.shape)); }

  void wrong_type(const Node& node, const std::string& wanted);
  void complain(std::string_view id, const Node& node, const Complaint& complaint);
  std::string_view id_of_check() const;

  void read_sandbox(const Node& node);
  void read_number(const Node& node);
  void read_text(const Node& node);
  void read_list(const Node& node);
  void read_map(const Node& node);
  void read_objects(const Node& node);
  /// False if the text is not fine; the problem has been reported.
  bool judge(const Node& node, const std::string& text);
  void add(const Node& node, std::string text, std::uint64_t number = 0);
  void add_items(const Node& node, std::vector<Item> items);

  Document& doc_;
  const KeySpec& key_;
  const LayerContext& context_;
  Layer& out_;
};

void FieldReader::wrong_type(const Node& node, const std::string& wanted) {
  doc_.problem(
      "CB2005", doc_.ref(node),
      place_of(node.pointer) + " must be " + wanted + ", not " +
          (node.value.is_null() ? "null" : std::string(json::kind_name(node.value.kind()))));
}

void FieldReader::complain(std::string_view id, const Node& node, const Complaint& complaint) {
  doc_.problem(id, doc_.ref(node), place_of(node.pointer) + ": " + complaint.what, complaint.hint);
}

std::string_view FieldReader::id_of_check() const {
  switch (key_.check) {
    case Check::kCommand:
      return "CB2012";
    case Check::kGrant:
    case Check::kPath:
      return "CB2013";
    case Check::kHost:
    case Check::kHostPattern:
      return "CB2008";
    case Check::kNone:
    case Check::kArgument:
    case Check::kEnvironment:
    case Check::kUrl:
      return "CB2006";
  }
  return "CB2006";
}

void FieldReader::add(const Node& node, std::string text, std::uint64_t number) {
  Field field;
  field.key = &key_;
  field.origin = doc_.origin(node);
  field.asks = key_.quiet.empty() || text != key_.quiet;
  field.text = std::move(text);
  field.number = number;
  out_.fields.push_back(std::move(field));
}

void FieldReader::add_items(const Node& node, std::vector<Item> items) {
  Field field;
  field.key = &key_;
  field.origin = doc_.origin(node);
  field.asks = !items.empty();
  field.items = std::move(items);
  out_.fields.push_back(std::move(field));
}

void FieldReader::read_sandbox(const Node& node) {
  if (node.value.is_object()) {
    add(node, "on");
    read_layer(doc_, node, context_, out_);
  } else if (node.value.is_string() && node.value.string_equals("off")) {
    add(node, "off");
  } else if (node.value.is_string()) {
    doc_.problem("CB2006", doc_.ref(node),
                 place_of(node.pointer) + " is " + quote(node.value.string_or("")) +
                     "; the only word it takes is \"off\"",
                 "leave it out to run the server in the jail");
  } else {
    wrong_type(node);
  }
}

void FieldReader::read_number(const Node& node) {
  const bool is_size = key_.shape == Shape::kSize;
  std::optional<std::uint64_t> number;
  if (node.value.is_number()) {
    const auto exact = node.value.int64();
    if (exact && *exact >= 0) {
      number = static_cast<std::uint64_t>(*exact);
    }
  } else if (is_size && node.value.is_string()) {
    number = parse_size(node.value.string_or(""));
  } else {
    wrong_type(node);
    return;
  }
  const std::string range = is_size ? format_size(key_.min) + " to " + format_size(key_.max)
                                    : std::to_string(key_.min) + " to " + std::to_string(key_.max);
  if (!number) {
    doc_.problem(
        is_size ? "CB2007" : "CB2006", doc_.ref(node),
        place_of(node.pointer) + ": " + printable(node.value.raw(), 60) + " is not " +
            shape_name(key_.shape),
        is_size
            ? "units are B, KB, MB, GB, TB (powers of 1000) and KiB, MiB, GiB, TiB (powers of 1024)"
            : "");
  } else if (*number < key_.min || *number > key_.max) {
    doc_.problem(
        is_size ? "CB2007" : "CB2006", doc_.ref(node),
        place_of(node.pointer) + ": " + printable(node.value.raw(), 60) + " is out of range",
        "the range is " + range);
  } else {
    add(node, {}, *number);
  }
}

bool FieldReader::judge(const Node& node, const std::string& text) {
  const Complaint complaint = check_text(key_.check, text);
  if (!complaint.none()) {
    complain(id_of_check(), node, complaint);
    return false;
  }
  // A host's file may hold references that only this host knows; they matter when that server is
  // used.
  const bool expandable = key_.check == Check::kCommand || key_.check == Check::kArgument ||
                          key_.check == Check::kPath || key_.check == Check::kGrant ||
                          key_.check == Check::kEnvironment;
  if (expandable && !doc_.is_host_file()) {
    const auto parts = parse_references(text);
    if (!parts.ok()) {
      complain(parts.error().id(), node, {parts.error().what(), parts.error().hint()});
      return false;
    }
  }
  return true;
}

void FieldReader::read_text(const Node& node) {
  const auto text = node.value.string();
  if (!text) {
    wrong_type(node);
    return;
  }
  if (key_.shape == Shape::kEnum) {
    const auto known = split_values(key_.values);
    if (std::find(known.begin(), known.end(), *text) == known.end()) {
      std::string choices;
      for (const std::string_view value : known) {
        choices += (choices.empty() ? "\"" : ", \"") + std::string(value) + "\"";
      }
      const std::string guess = did_you_mean(*text, known);
      doc_.problem("CB2006", doc_.ref(node), place_of(node.pointer) + " cannot be " + quote(*text),
                   (guess.empty() ? "" : guess + " ") + "one of " + choices);
      return;
    }
  } else if (!judge(node, *text)) {
    return;
  }
  add(node, *text);
}

void FieldReader::read_list(const Node& node) {
  if (!node.value.is_array()) {
    wrong_type(node);
    return;
  }
  if (node.value.size() > kMaxListItems) {
    doc_.problem(
        "CB2002", doc_.ref(node),
        place_of(node.pointer) + " has more than " + std::to_string(kMaxListItems) + " entries");
    return;
  }
  std::vector<Item> items;
  std::size_t i = 0;
  node.value.each_element([&](json::Value value) {
    const Node child = node.element(i++, value);
    const auto text = value.string();
    if (!text) {
      wrong_type(child, "a string");
    } else if (judge(child, *text)) {
      items.push_back({{}, *text, doc_.origin(child)});
    }
  });
  add_items(node, std::move(items));
}

void FieldReader::read_map(const Node& node) {
  if (!node.value.is_object()) {
    wrong_type(node);
    return;
  }
  if (node.value.size() > kMaxListItems) {
    doc_.problem(
        "CB2002", doc_.ref(node),
        place_of(node.pointer) + " has more than " + std::to_string(kMaxListItems) + " entries");
    return;
  }
  std::vector<Item> items;
  node.value.each_member([&](json::Value name_value, json::Value value) {
    const std::string name = name_value.string_or("");
    const Node child = node.member(name, value);
    if (key_.check == Check::kEnvironment) {
      const Complaint complaint = check_env_name(name);
      if (!complaint.none()) {
        doc_.problem("CB2014", doc_.name_ref(name_value, child),
                     place_of(node.pointer) + ": " + complaint.what, complaint.hint);
        return;
      }
    }
    if (doc_.is_host_file() && value.is_null()) {
      doc_.note(context_.server, doc_.ref(child), place_of(child.pointer) + " is null: ignored");
      return;
    }
    // Hosts pass numbers and booleans on as their text.
    const auto text = doc_.is_host_file() && (value.is_number() || value.is_bool())
                          ? std::optional(std::string(value.raw()))
                          : value.string();
    if (!text) {
      doc_.problem("CB2005", doc_.ref(child),
                   place_of(child.pointer) + " must be a string, not " +
                       std::string(json::kind_name(value.kind())),
                   value.is_number() || value.is_bool() ? "put it in quotes" : "");
    } else if (judge(child, *text)) {
      items.push_back({name, *text, doc_.origin(child)});
    }
  });
  add_items(node, std::move(items));
}

// Lists of objects belong to later versions (or to the managed file, which reads them itself): only
// their outer shape is judged, and a list that is not empty counts as a wish.
void FieldReader::read_objects(const Node& node) {
  if (key_.shape == Shape::kApproval && node.value.is_bool()) {
    add(node, node.value.boolean().value_or(true) ? "true" : "false");
    return;
  }
  if (key_.shape == Shape::kOff && node.value.is_bool()) {
    add(node, node.value.boolean().value_or(true) ? "true" : "false");
    out_.fields.back().asks = node.value.boolean().value_or(true);
    return;
  }
  if (!node.value.is_array()) {
    wrong_type(node);
    return;
  }
  const bool want_strings = key_.shape == Shape::kOff;
  std::size_t i = 0;
  node.value.each_element([&](json::Value value) {
    const Node child = node.element(i++, value);
    if (want_strings ? !value.is_string() : !value.is_object()) {
      wrong_type(child, want_strings ? "a string" : "an object");
    }
  });
  add(node, "list");
  out_.fields.back().asks = node.value.size() > 0;
}

void FieldReader::read(const Node& node) {
  switch (key_.shape) {
    case Shape::kObject:
      if (node.value.is_object()) {
        read_layer(doc_, node, context_, out_);
      } else {
        wrong_type(node);
      }
      return;
    case Shape::kSandbox:
      read_sandbox(node);
      return;
    case Shape::kBool:
      if (const auto value = node.value.boolean()) {
        add(node, *value ? "true" : "false");
      } else {
        wrong_type(node);
      }
      return;
    case Shape::kInteger:
    case Shape::kSize:
      read_number(node);
      return;
    case Shape::kString:
    case Shape::kEnum:
      read_text(node);
      return;
    case Shape::kStringList:
      read_list(node);
      return;
    case Shape::kStringMap:
      read_map(node);
      return;
    case Shape::kObjectList:
    case Shape::kApproval:
    case Shape::kOff:
      read_objects(node);
      return;
  }
}

}  // namespace

void read_field(Document& doc, const Node& node, const KeySpec& key, const LayerContext& context,
                Layer& out) {
  if (key.availability == Availability::kNoEffectYet) {
    doc.note(context.server, doc.ref(node),
             place_of(node.pointer) + " has no effect in this version");
  }
  FieldReader(doc, key, context, out).read(node);
}

}  // namespace calaboose::policy
