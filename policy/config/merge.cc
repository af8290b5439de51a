// SPDX-License-Identifier: Apache-2.0
#include "policy/config/merge.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace calaboose::policy {
namespace {

constexpr std::uint64_t kBuiltInTimeout = 60'000;

bool is_grant_list(const KeySpec& key) {
  return key.check == Check::kGrant || key.check == Check::kHost ||
         key.check == Check::kHostPattern;
}

void merge_by_name(std::vector<Item>& into, const std::vector<Item>& from) {
  for (const Item& item : from) {
    const auto same = std::find_if(into.begin(), into.end(),
                                   [&](const Item& old) { return old.name == item.name; });
    if (same == into.end()) {
      into.push_back(item);
    } else {
      *same = item;
    }
  }
}

}  // namespace

const Field* Merged::find(std::string_view path) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.key->path == path; });
  return found == fields_.end() ? nullptr : &*found;
}

Field* Merged::slot(std::string_view path) {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const Field& field) { return field.key->path == path; });
  return found == fields_.end() ? nullptr : &*found;
}

void Merged::set(const Field& field) {
  if (Field* old = slot(field.key->path)) {
    *old = field;
  } else {
    fields_.push_back(field);
  }
}

void Merged::erase(std::string_view path) {
  fields_.erase(std::remove_if(fields_.begin(), fields_.end(),
                               [&](const Field& field) { return field.key->path == path; }),
                fields_.end());
}

void Merged::apply(const Layer& layer) {
  if (layer.find("command") != nullptr || layer.find("url") != nullptr) {
    erase("command");
    erase("url");
    erase("args");
  }
  for (const Field& field : layer.fields) {
    Field* old = slot(field.key->path);
    if (old != nullptr && field.key->shape == Shape::kStringMap) {
      merge_by_name(old->items, field.items);
      old->asks = !old->items.empty();
      old->origin = field.origin;
    } else if (old != nullptr && field.key->trend == Trend::kUnion) {
      old->items.insert(old->items.end(), field.items.begin(), field.items.end());
      old->asks = !old->items.empty();
    } else {
      set(field);
    }
  }
}

void Merged::apply_command_line(const Layer& layer) {
  Layer rest;
  for (const Field& field : layer.fields) {
    Field* old = slot(field.key->path);
    if (old != nullptr && is_grant_list(*field.key)) {
      old->items.insert(old->items.end(), field.items.begin(), field.items.end());
      old->asks = !old->items.empty();
    } else {
      rest.fields.push_back(field);
    }
  }
  apply(rest);
}

bool Merged::take_subset(const Field& field) {
  Field* old = slot(field.key->path);
  bool all = true;
  std::vector<Item> kept;
  for (const Item& item : field.items) {
    const bool known =
        old != nullptr && std::any_of(old->items.begin(), old->items.end(),
                                      [&](const Item& theirs) { return theirs.text == item.text; });
    if (known) {
      kept.push_back(item);
    } else {
      all = false;
    }
  }
  // Without a list of the owner's there is nothing to cut: absent already means none.
  if (old != nullptr) {
    old->items = std::move(kept);
    old->asks = !old->items.empty();
    old->origin = field.origin;
  }
  return all;
}

bool Merged::take_tighter(const Field& field) {
  const KeySpec& key = *field.key;
  if (key.availability == Availability::kLaterProtection) {
    if (field.asks) {
      set(field);  // refused when the server is used, which is tighter than forgetting it
    }
    return true;
  }
  if (key.shape == Shape::kSandbox) {
    Field* old = slot(key.path);
    if (field.text == "on" && old != nullptr) {
      *old = field;
    }
    return field.text == "on";
  }
  switch (key.trend) {
    case Trend::kOwnerOnly:
      return false;
    case Trend::kLower: {
      const Field* old = find(key.path);
      std::optional<std::uint64_t> now;
      if (old != nullptr) {
        now = old->number;
      } else if (key.path == "timeout") {
        now = kBuiltInTimeout;
      }
      // A limit that the profile decides is not known here, so nothing can be called lower than it.
      if (!now || field.number > *now) {
        return false;
      }
      set(field);
      return true;
    }
    case Trend::kStrict:
      if (field.text != key.strict) {
        return false;
      }
      set(field);
      return true;
    case Trend::kUnion: {
      Layer one;
      one.fields.push_back(field);
      apply(one);
      return true;
    }
    case Trend::kSubset:
      return take_subset(field);
  }
  return false;
}

void Merged::tighten(const Layer& layer, std::vector<std::string>& notes) {
  for (const Field& field : layer.fields) {
    const bool asks_nothing = field.key->availability != Availability::kNow && !field.asks &&
                              field.key->trend == Trend::kOwnerOnly;
    if (!asks_nothing && !take_tighter(field)) {
      notes.push_back(field.origin.to_string() + ": \"" + std::string(field.key->path) +
                      "\" not taken in full: the file was not accepted, so it can only tighten");
    }
  }
}

}  // namespace calaboose::policy
