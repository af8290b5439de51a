// SPDX-License-Identifier: Apache-2.0
// Every way to change a log must be seen, and the place named (A01, A02, A03).
#include <functional>

#include "runner/audit/digest.h"
#include "runner/audit/head.h"
#include "runner/audit/verify.h"
#include "support.h"

namespace calaboose::audit::test {
namespace {

using Lines = std::vector<std::string>;

struct Attack {
  const char* name;
  std::function<void(Lines&)> act;
  std::uint64_t bad_line;
};

/// Changes one field of a line without touching anything else.
void replace_in(std::string& line, const std::string& from, const std::string& to) {
  const std::size_t at = line.find(from);
  ASSERT_NE(at, std::string::npos);
  line.replace(at, from.size(), to);
}

void set_prev(std::string& line, const Digest& prev) {
  std::string text;
  append_hex(text, prev);
  line.replace(line.size() - 66, 64, text);
}

/// What an attacker without the key can do at best: every `prev` is right again.
void rechain(Lines& lines, std::size_t from) {
  for (std::size_t i = std::max<std::size_t>(from, 1); i < lines.size(); ++i) {
    set_prev(lines[i], sha256(lines[i - 1]));
  }
}

const std::vector<Attack>& attacks() {
  static const std::vector<Attack> table = {
      {"EditFirst", [](Lines& l) { replace_in(l[0], "echo", "ech0"); }, 1},
      {"EditMiddle", [](Lines& l) { replace_in(l[3], "echo", "ech0"); }, 4},
      {"EditLast", [](Lines& l) { replace_in(l[7], "echo", "ech0"); }, 8},
      {"EditLastButOne", [](Lines& l) { replace_in(l[6], "echo", "ech0"); }, 7},
      {"EditSeq", [](Lines& l) { replace_in(l[3], "\"seq\":4", "\"seq\":3"); }, 4},
      {"EditRunOfFirst", [](Lines& l) { replace_in(l[0], "run-1", "run-2"); }, 1},
      {"EditServerOfFirst", [](Lines& l) { replace_in(l[0], "tickets", "tackets"); }, 1},
      {"DeleteFirst", [](Lines& l) { l.erase(l.begin()); }, 1},
      {"DeleteMiddle", [](Lines& l) { l.erase(l.begin() + 3); }, 4},
      {"DeleteLast", [](Lines& l) { l.pop_back(); }, 8},
      {"DeleteAll", [](Lines& l) { l.clear(); }, 1},
      {"InsertCopyOfOther", [](Lines& l) { l.insert(l.begin() + 5, l[1]); }, 6},
      {"InsertChained",
       [](Lines& l) {
         std::string forged = l[4];
         set_prev(forged, sha256(l[3]));
         replace_in(forged, "echo", "evil");
         l.insert(l.begin() + 4, forged);
       },
       5},
      {"InsertEmptyLine", [](Lines& l) { l.insert(l.begin() + 2, ""); }, 3},
      {"Reorder", [](Lines& l) { std::swap(l[2], l[3]); }, 3},
      {"ReorderEnds", [](Lines& l) { std::swap(l[0], l[7]); }, 1},
      {"Duplicate", [](Lines& l) { l.insert(l.begin() + 3, l[2]); }, 4},
      {"DuplicateLast", [](Lines& l) { l.push_back(l.back()); }, 9},
      {"RecomputeChain",  // A03
       [](Lines& l) {
         replace_in(l[3], "echo", "ech0");
         rechain(l, 4);
       },
       8},
      {"RecomputeAfterDelete",  // A03
       [](Lines& l) {
         l.erase(l.begin() + 6);
         replace_in(l[6], "\"seq\":8", "\"seq\":7");
         rechain(l, 6);
       },
       8},
      {"AppendAfterClose",
       [](Lines& l) {
         std::string forged = l[7];
         replace_in(forged, "\"seq\":8", "\"seq\":9");
         set_prev(forged, sha256(l[7]));
         l.push_back(forged);
       },
       9},
      {"JoinLines",
       [](Lines& l) {
         l[2] += l[3];
         l.erase(l.begin() + 3);
       },
       3},
      {"AddSpace", [](Lines& l) { replace_in(l[5], ",\"seq\"", ", \"seq\""); }, 6},
  };
  return table;
}

class AuditAttack : public testing::TestWithParam<Attack> {};

TEST_P(AuditAttack, IsSeenAndNamed_A01_A02_A03) {
  const Scene scene;
  write_log(scene, 8);
  ASSERT_EQ(scene.check().status, Status::kIntact);
  auto lines = split_lines(read_file(scene.path));
  ASSERT_EQ(lines.size(), 8U);
  GetParam().act(lines);
  write_file(scene.path, join_lines(lines));
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_EQ(found.bad_line, GetParam().bad_line) << found.reason;
  EXPECT_FALSE(found.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(Attacks, AuditAttack, testing::ValuesIn(attacks()),
                         [](const auto& row) { return std::string(row.param.name); });

/// A log, its head and the key, in memory: these tests check thousands of variants.
struct Texts {
  explicit Texts(int count) {
    write_log(scene, count);
    log = read_file(scene.path);
    head = read_file(scene.head);
  }

  Verification check(const std::string& some_log, const std::string& some_head) const {
    return examine(LineReader::from_text(some_log), some_head, key)->result;
  }

  Scene scene;
  std::string log;
  std::string head;
  PublicKey key = load_or_create_keys(scene.keys)->public_key();
};

std::string flipped(std::string text, std::size_t at, unsigned bits) {
  text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ bits);
  return text;
}

TEST(AuditTamper, AnyByteOfTheLogCounts_A01) {
  const Texts good(3);
  std::uint64_t line = 1;
  for (std::size_t i = 0; i < good.log.size(); ++i) {
    for (const unsigned bits : {0x01U, 0x20U}) {
      const Verification found = good.check(flipped(good.log, i, bits), good.head);
      ASSERT_EQ(found.status, Status::kTampered) << "byte " << i << " bits " << bits;
      ASSERT_EQ(found.bad_line, line) << "byte " << i << ": " << found.reason;
    }
    line += good.log[i] == '\n' ? 1U : 0U;
  }
  EXPECT_EQ(good.check(good.log, good.head).status, Status::kIntact);
}

TEST(AuditTamper, AnyByteOfTheHeadCounts_A02) {
  const Texts good(2);
  for (std::size_t i = 0; i < good.head.size(); ++i) {
    for (const unsigned bits : {0x01U, 0x20U, 0x80U}) {
      ASSERT_EQ(good.check(good.log, flipped(good.head, i, bits)).status, Status::kTampered)
          << "byte " << i << " bits " << bits;
    }
  }
}

TEST(AuditTamper, AnyCutOfLogOrHeadCounts_A02) {
  const Texts good(3);
  for (std::size_t size = 0; size < good.log.size(); ++size) {
    ASSERT_EQ(good.check(good.log.substr(0, size), good.head).status, Status::kTampered) << size;
  }
  for (std::size_t size = 0; size < good.head.size(); ++size) {
    ASSERT_EQ(good.check(good.log, good.head.substr(0, size)).status, Status::kTampered) << size;
  }
  EXPECT_EQ(good.check(good.log + "\n", good.head).status, Status::kTampered);
  EXPECT_EQ(good.check(good.log, good.head + "\n").status, Status::kTampered);
}

TEST(AuditTamper, MissingHeadCounts_A02) {
  const Scene scene;
  write_log(scene, 2);
  std::filesystem::remove(scene.head);
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_NE(found.reason.find("the head is missing"), std::string::npos);
}

TEST(AuditTamper, HeadOfAnotherLogCounts_A02) {
  const Scene scene;
  write_log(scene, 2);
  Options other = scene.options("run-2");
  other.path = scene.dir.path() + "/audit/two.jsonl";
  {
    const auto log = Log::open(other);
    ASSERT_TRUE(log.ok());
    ASSERT_TRUE((*log)->append(message("a")).ok());
    ASSERT_TRUE((*log)->append(message("b")).ok());
  }
  write_file(scene.head, read_file(other.path + ".head"));
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_EQ(found.bad_line, 1U);
}

// The whole log written anew, with a key of the attacker's own (A03).
TEST(AuditTamper, HeadOfAnotherKeyCounts_A03) {
  const Scene scene;
  const Scene forger;
  write_log(scene, 2);
  write_log(forger, 2);
  write_file(scene.path, read_file(forger.path));
  write_file(scene.head, read_file(forger.head));
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_NE(found.reason.find("another key"), std::string::npos) << found.reason;
}

// Same, and the key id is the victim's: only the signature can tell.
TEST(AuditTamper, ForgedKeyIdCounts_A03) {
  const Scene scene;
  const Scene forger;
  write_log(scene, 2);
  write_log(forger, 2);
  std::string head = read_file(forger.head);
  const std::string field = "\"key\":\"";
  const std::string victim = read_file(scene.head);
  head.replace(head.find(field) + field.size(), 16,
               victim.substr(victim.find(field) + field.size(), 16));
  write_file(scene.path, read_file(forger.path));
  write_file(scene.head, head);
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_NE(found.reason.find("signature"), std::string::npos) << found.reason;
}

TEST(AuditTamper, LogBehindAnOpenHeadCounts_A02) {
  const Scene scene;
  write_log(scene, 3);
  auto key = load_or_create_keys(scene.keys);
  ASSERT_TRUE(key.ok());
  auto head = check_head(read_file(scene.head), key->public_key());
  ASSERT_TRUE(head.ok());
  head->open = true;
  write_file(scene.head, *sign_head(*head, *key));
  ASSERT_EQ(scene.check().status, Status::kIntact);
  auto lines = split_lines(read_file(scene.path));
  lines.pop_back();
  write_file(scene.path, join_lines(lines));
  EXPECT_EQ(scene.check().status, Status::kTampered);
  EXPECT_EQ(scene.check().bad_line, 3U);
}

TEST(AuditTamper, EndlessLineIsBounded) {
  const Scene scene;
  write_log(scene, 1);
  write_file(scene.path, read_file(scene.path) + std::string(8U << 20U, 'x'));
  const Verification found = scene.check();
  EXPECT_EQ(found.status, Status::kTampered);
  EXPECT_EQ(found.bad_line, 2U);
}

TEST(AuditVerify, WorksOnMovedFiles) {
  const Scene scene;
  write_log(scene, 3);
  const std::string moved = scene.dir.path() + "/elsewhere.jsonl";
  std::filesystem::rename(scene.path, moved);
  std::filesystem::rename(scene.head, moved + ".head");
  const auto found = verify(moved, scene.keys + "/audit.pub", "");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->status, Status::kIntact);
}

TEST(AuditVerify, UnreadableFilesAreErrors) {
  const Scene scene;
  EXPECT_FALSE(verify(scene.path, "", scene.keys).ok());
  write_log(scene, 1);
  EXPECT_FALSE(verify(scene.path + "x", "", scene.keys).ok());
  EXPECT_FALSE(verify(scene.path, scene.path, "").ok());
}

}  // namespace
}  // namespace calaboose::audit::test
