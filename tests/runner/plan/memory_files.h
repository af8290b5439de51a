// SPDX-License-Identifier: Apache-2.0
// A file system in memory for planner tests.
// Place: tests/runner/plan.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runner/host/facts.h"

namespace calaboose::test {

/// Nodes by real path; parents are made as needed. Every file and directory has its own inode.
class MemoryFiles final : public host::Files {
 public:
  MemoryFiles() { add("/", Node{}); }

  void directory(const std::string& path) { add(path, Node{}); }

  void file(const std::string& path, const std::string& text = "", bool executable = false) {
    Node node;
    node.mode = 0100000U | (executable ? 0755U : 0644U);
    node.text = text;
    add(path, node);
  }

  void program(const std::string& path, const std::string& text =
                                            "\x7f"
                                            "ELF") {
    file(path, text, true);
  }

  void link(const std::string& path, const std::string& to) {
    Node node;
    node.mode = 0120777U;
    node.text = to;
    add(path, node);
  }

  void fifo(const std::string& path) {
    Node node;
    node.mode = 0010644U;
    add(path, node);
  }

  std::optional<host::FileInfo> stat(const std::string& path) const override {
    const auto real = real_path(path);
    return real ? lstat(*real) : std::nullopt;
  }

  std::optional<host::FileInfo> lstat(const std::string& path) const override {
    const Node* const node = find_last_unfollowed(path);
    if (node == nullptr) {
      return std::nullopt;
    }
    host::FileInfo info;
    info.device = 7;
    info.inode = node->inode;
    info.mode = node->mode;
    info.uid = 1000;
    return info;
  }

  std::optional<std::string> real_path(const std::string& path) const override {
    return follow(path, 0);
  }

  std::optional<std::string> read_link(const std::string& path) const override {
    const Node* const node = find_last_unfollowed(path);
    if (node == nullptr || (node->mode & 0170000U) != 0120000U) {
      return std::nullopt;
    }
    return node->text;
  }

  std::optional<std::string> read_head(const std::string& path,
                                       std::size_t max_bytes) const override {
    const auto real = real_path(path);
    const auto found = real ? nodes_.find(*real) : nodes_.end();
    if (found == nodes_.end() || (found->second.mode & 0170000U) != 0100000U) {
      return std::nullopt;
    }
    return found->second.text.substr(0, max_bytes);
  }

  bool is_executable(const std::string& path) const override {
    const auto info = stat(path);
    return info && (info->mode & 0111U) != 0;
  }

  std::vector<std::string> list(const std::string& dir, std::size_t max_entries) const override {
    const auto real = real_path(dir);
    std::vector<std::string> out;
    const std::string prefix = !real ? "" : *real == "/" ? "/" : *real + "/";
    for (const auto& [path, node] : nodes_) {
      const bool direct = !prefix.empty() && path.size() > prefix.size() &&
                          path.compare(0, prefix.size(), prefix) == 0 &&
                          path.find('/', prefix.size()) == std::string::npos;
      if (direct && out.size() < max_entries) {
        out.push_back(path.substr(prefix.size()));
      }
    }
    return out;
  }

 private:
  struct Node {
    std::uint32_t mode = 0040755;
    std::uint64_t inode = 0;
    std::string text;
  };

  void add(const std::string& path, Node node) {
    const std::size_t slash = path.rfind('/');
    if (path != "/" && slash > 0 && nodes_.count(path.substr(0, slash)) == 0) {
      add(path.substr(0, slash), Node{});
    }
    node.inode = ++last_inode_;
    nodes_[path] = node;
  }

  const Node* find_last_unfollowed(const std::string& path) const {
    const std::size_t slash = path.rfind('/');
    if (path == "/" || slash == std::string::npos) {
      const auto root = nodes_.find(path);
      return root == nodes_.end() ? nullptr : &root->second;
    }
    const auto parent = follow(slash == 0 ? "/" : path.substr(0, slash), 0);
    if (!parent) {
      return nullptr;
    }
    const std::string whole = (*parent == "/" ? "" : *parent) + path.substr(slash);
    const auto found = nodes_.find(whole);
    return found == nodes_.end() ? nullptr : &found->second;
  }

  std::optional<std::string> follow(const std::string& path, int depth) const {
    if (depth > 40 || path.empty() || path.front() != '/') {
      return std::nullopt;
    }
    std::string at = "/";
    std::size_t from = 1;
    while (from <= path.size()) {
      const std::size_t end = std::min(path.find('/', from), path.size());
      const std::string name = path.substr(from, end - from);
      from = end + 1;
      if (name.empty() || name == ".") {
        continue;
      }
      if (name == "..") {
        at = at.rfind('/') == 0 ? "/" : at.substr(0, at.rfind('/'));
        continue;
      }
      const std::string next = at == "/" ? "/" + name : at + "/" + name;
      const auto found = nodes_.find(next);
      if (found == nodes_.end()) {
        return std::nullopt;
      }
      if ((found->second.mode & 0170000U) != 0120000U) {
        at = next;
        continue;
      }
      const std::string& to = found->second.text;
      const auto target = follow(to.front() == '/' ? to : at + "/" + to, depth + 1);
      if (!target) {
        return std::nullopt;
      }
      at = *target;
    }
    return at;
  }

  std::map<std::string, Node> nodes_;
  std::uint64_t last_inode_ = 0;
};

}  // namespace calaboose::test
