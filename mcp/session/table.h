// SPDX-License-Identifier: Apache-2.0
// Tables of requests in flight: slots that are used again, and a flat index from a key to a slot.
// Place: mcp/session, internal. Pure. In a steady state nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace calaboose::mcp {

inline constexpr std::uint32_t kNoSlot = 0xFFFFFFFFU;

/// Slots with stable addresses. A released slot keeps its strings' memory for the next one; the
/// user resets it.
template <class T>
class Slots {
 public:
  std::uint32_t acquire() {
    ++live_;
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void release(std::uint32_t slot) {
    free_.push_back(slot);
    --live_;
  }

  T& operator[](std::uint32_t slot) { return items_[slot]; }

  const T& operator[](std::uint32_t slot) const { return items_[slot]; }

  /// Slots ever made, live or free.
  std::uint32_t size() const { return static_cast<std::uint32_t>(items_.size()); }

  std::size_t live() const { return live_; }

 private:
  std::deque<T> items_;
  std::vector<std::uint32_t> free_;
  std::size_t live_ = 0;
};

/// Open addressing from a 64-bit key to a slot number; equal keys may occur (the caller compares
/// what lies behind them). Consecutive integers as keys never collide until the table wraps.
class FlatIndex {
 public:
  FlatIndex() : cells_(64) {}

  std::size_t size() const { return size_; }

  /// The first slot under `key` for which `same(slot)` holds, or kNoSlot.
  template <class Same>
  std::uint32_t find(std::uint64_t key, Same&& same) const {
    for (std::size_t i = home(key); cells_[i].slot != kNoSlot; i = next(i)) {
      if (cells_[i].key == key && same(cells_[i].slot)) {
        return cells_[i].slot;
      }
    }
    return kNoSlot;
  }

  std::uint32_t find(std::uint64_t key) const {
    return find(key, [](std::uint32_t) { return true; });
  }

  void insert(std::uint64_t key, std::uint32_t slot) {
    if ((size_ + 1) * 2 > cells_.size()) {
      grow();
    }
    place(key, slot);
    ++size_;
  }

  void erase(std::uint64_t key, std::uint32_t slot) {
    std::size_t i = home(key);
    while (cells_[i].slot != kNoSlot && !(cells_[i].key == key && cells_[i].slot == slot)) {
      i = next(i);
    }
    if (cells_[i].slot == kNoSlot) {
      return;
    }
    --size_;
    // Later cells of the same run move up, so that no marks for deleted cells are needed.
    for (std::size_t j = next(i); cells_[j].slot != kNoSlot; j = next(j)) {
      const std::size_t wish = home(cells_[j].key);
      if (((j - wish) & mask()) >= ((j - i) & mask())) {
        cells_[i] = cells_[j];
        i = j;
      }
    }
    cells_[i].slot = kNoSlot;
  }

 private:
  struct Cell {
    std::uint64_t key = 0;
    std::uint32_t slot = kNoSlot;
  };

  std::size_t mask() const { return cells_.size() - 1; }

  std::size_t home(std::uint64_t key) const { return static_cast<std::size_t>(key) & mask(); }

  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }

  void place(std::uint64_t key, std::uint32_t slot) {
    std::size_t i = home(key);
    while (cells_[i].slot != kNoSlot) {
      i = next(i);
    }
    cells_[i] = {key, slot};
  }

  void grow() {
    std::vector<Cell> old(cells_.size() * 2);
    old.swap(cells_);
    for (const Cell& cell : old) {
      if (cell.slot != kNoSlot) {
        place(cell.key, cell.slot);
      }
    }
  }

  std::vector<Cell> cells_;
  std::size_t size_ = 0;
};

/// FNV-1a. The keys are the host's own ids and their number is bounded, so a flood of collisions
/// hurts only its sender.
inline std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash ^ (hash >> 32U);
}

}  // namespace calaboose::mcp
