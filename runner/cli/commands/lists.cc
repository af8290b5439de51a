// SPDX-License-Identifier: Apache-2.0
// `tools`, `resources`, `prompts`: all pages of a list.
#include <set>

#include "base/json/write.h"
#include "base/text.h"
#include "runner/cli/one_shot.h"

namespace calaboose::cli {
namespace {

// A list that never ends must (M42).
constexpr std::size_t kMaxPages = 1000;
constexpr std::size_t kMaxListBytes = 64U << 20U;

struct ListKind {
  std::string_view method;
  std::string_view member;
  std::string_view label;  // the member that names an element
};

ListKind kind_of_list(const Args& args) {
  if (args.command->name == "tools") {
    return {"tools/list", "tools", "name"};
  }
  if (args.command->name == "prompts") {
    return {"prompts/list", "prompts", "name"};
  }
  if (args.has("--templates")) {
    return {"resources/templates/list", "resourceTemplates", "uriTemplate"};
  }
  return {"resources/list", "resources", "uri"};
}

// The first line of a description; the whole text is in --json.
std::string first_line(const std::string& text) {
  return printable(text.substr(0, text.find('\n')), 160);
}

class Lister {
 public:
  Lister(OneShot& shot, ListKind kind) : shot_(shot), kind_(kind) {}

  void next(const std::string& params) {
    shot_.request(kind_.method, params,
                  [this](Result<gateway::LocalHost::Answer> answer) { take(answer); });
  }

 private:
  void take(const Result<gateway::LocalHost::Answer>& answer) {
    if (shot_.failed(answer, kind_.method)) {
      return;
    }
    json::Tape tape;
    if (!tape.parse(answer->json) || !tape.root().find(kind_.member).is_array()) {
      shot_.finish(
          fail(Error(Errc::kPeer, "the answer to " + std::string(kind_.method) + " has no list \"" +
                                      std::string(kind_.member) + "\"")));
      return;
    }
    tape.root().find(kind_.member).each_element([&](json::Value element) { add(element); });
    const json::Value cursor = tape.root().find("nextCursor");
    if (!cursor.is_string()) {
      print(shot_.json() ? "{" + json::quoted(kind_.member) + ":[" + json_ + "]}\n" : text_);
      if (!shot_.json() && count_ == 0) {
        complain("calaboose: the server offers none\n");
      }
      shot_.finish(0);
      return;
    }
    if (!seen_.insert(std::string(cursor.raw())).second || ++pages_ >= kMaxPages ||
        json_.size() > kMaxListBytes) {
      shot_.finish(
          fail(Error(Errc::kPeer,
                     "the list of " + std::string(kind_.member) +
                         " does not end: the server repeats a cursor or sends too many pages")
                   .with_id("CB5004")));
      return;
    }
    next("{\"cursor\":" + std::string(cursor.raw()) + "}");
  }

  void add(json::Value element) {
    ++count_;
    json_ += json_.empty() ? "" : ",";
    json::append_minified(json_, element);
    text_ += printable(element.find(kind_.label).string_or("(no " + std::string(kind_.label) + ")"),
                       200);
    const std::string description =
        element.find("description").string_or(element.find("title").string_or(""));
    if (!description.empty()) {
      text_ += "\n    " + first_line(description);
    }
    text_ += "\n";
  }

  OneShot& shot_;
  ListKind kind_;
  std::string json_;
  std::string text_;
  std::set<std::string> seen_;
  std::size_t pages_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

int list_command(const Context& context, const Args& args) {
  OneShot shot(context, args);
  Lister lister(shot, kind_of_list(args));
  return shot.execute([&](OneShot&) { lister.next("{}"); });
}

}  // namespace calaboose::cli
