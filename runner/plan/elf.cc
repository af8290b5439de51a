// SPDX-License-Identifier: Apache-2.0
// A reader of the few ELF parts that name other files (System V gABI, chapters 4 and 5).
// Place: runner/plan. Pure.
#include "runner/plan/elf.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace calaboose::plan {
namespace {

constexpr std::size_t kMaxHeaders = 128;
constexpr std::size_t kMaxDynamic = 4096;
constexpr std::size_t kMaxNeeded = 256;
constexpr std::size_t kMaxName = 4096;

/// Little-endian reads that answer 0 outside the text.
class Bytes {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}

  std::uint64_t read(std::uint64_t at, unsigned width) const {
    if (at > text_.size() || text_.size() - at < width) {
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = width; i-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(text_[static_cast<std::size_t>(at) + i]);
    }
    return value;
  }

  std::string_view name(std::uint64_t at) const {
    if (at >= text_.size()) {
      return {};
    }
    const std::string_view rest = text_.substr(static_cast<std::size_t>(at), kMaxName);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }

 private:
  std::string_view text_;
};

struct Segment {
  std::uint64_t type;
  std::uint64_t offset;
  std::uint64_t address;
  std::uint64_t size;
};

std::vector<Segment> segments_of(const Bytes& bytes) {
  const std::uint64_t table = bytes.read(32, 8);
  const std::uint64_t entry = bytes.read(54, 2);
  const std::uint64_t count = std::min<std::uint64_t>(bytes.read(56, 2), kMaxHeaders);
  std::vector<Segment> out;
  if (entry < 56 || table > (1ULL << 40U)) {
    return out;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = table + i * entry;
    out.push_back(
        {bytes.read(at, 4), bytes.read(at + 8, 8), bytes.read(at + 16, 8), bytes.read(at + 32, 8)});
  }
  return out;
}

std::uint64_t file_offset(const std::vector<Segment>& segments, std::uint64_t address) {
  constexpr std::uint64_t kLoad = 1;
  for (const Segment& each : segments) {
    if (each.type == kLoad && address >= each.address && address - each.address < each.size) {
      return each.offset + (address - each.address);
    }
  }
  return ~0ULL;
}

void split(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty() && out.size() < kMaxNeeded) {
    const std::size_t colon = std::min(list.find(':'), list.size());
    if (colon > 0) {
      out.emplace_back(list.substr(0, colon));
    }
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
}

void read_dynamic(const Bytes& bytes, const std::vector<Segment>& segments, const Segment& dynamic,
                  ElfInfo& out) {
  constexpr std::uint64_t kNull = 0;
  constexpr std::uint64_t kNeeded = 1;
  constexpr std::uint64_t kStringTable = 5;
  constexpr std::uint64_t kRpath = 15;
  constexpr std::uint64_t kRunpath = 29;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> names;
  std::uint64_t strings = ~0ULL;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(dynamic.size / 16, kMaxDynamic); ++i) {
    const std::uint64_t tag = bytes.read(dynamic.offset + i * 16, 8);
    const std::uint64_t value = bytes.read(dynamic.offset + i * 16 + 8, 8);
    if (tag == kNull) {
      break;
    }
    if (tag == kStringTable) {
      strings = file_offset(segments, value);
    } else if (tag == kNeeded || tag == kRpath || tag == kRunpath) {
      names.emplace_back(tag, value);
    }
  }
  if (strings > (1ULL << 40U)) {
    return;
  }
  for (const auto& [tag, offset] : names) {
    if (offset > (1ULL << 32U)) {
      continue;
    }
    const std::string_view name = bytes.name(strings + offset);
    if (tag != kNeeded) {
      split(name, out.run_path);
    } else if (!name.empty() && out.needed.size() < kMaxNeeded) {
      out.needed.emplace_back(name);
    }
  }
}

}  // namespace

std::optional<ElfInfo> parse_elf(std::string_view head) {
  constexpr std::string_view kMagic(
      "\x7f"
      "ELF\x02\x01",
      6);
  if (head.size() < 64 || head.substr(0, kMagic.size()) != kMagic) {
    return std::nullopt;
  }
  constexpr std::uint64_t kDynamic = 2;
  constexpr std::uint64_t kInterpreter = 3;
  const Bytes bytes(head);
  const std::vector<Segment> segments = segments_of(bytes);
  ElfInfo out;
  for (const Segment& each : segments) {
    if (each.type == kInterpreter) {
      out.interpreter = std::string(bytes.name(each.offset));
    } else if (each.type == kDynamic && each.offset < (1ULL << 40U)) {
      read_dynamic(bytes, segments, each, out);
    }
  }
  return out;
}

}  // namespace calaboose::plan
