// SPDX-License-Identifier: Apache-2.0
// `audit verify`, `audit tail`, `audit show`.
#include "runner/audit/audit.h"

#include "base/json/write.h"
#include "base/text.h"
#include "runner/audit/reader.h"
#include "runner/cli/command.h"

namespace calaboose::cli {
namespace {

std::string_view status_name(audit::Verification::Status status) {
  switch (status) {
    case audit::Verification::Status::kIntact:
      return "intact";
    case audit::Verification::Status::kUnsealedTail:
      return "unsealed-tail";
    case audit::Verification::Status::kTornTail:
      return "torn-tail";
    case audit::Verification::Status::kTampered:
      return "tampered";
  }
  return "tampered";
}

std::string sentence(const std::string& path, const audit::Verification& found) {
  const std::string file = printable(path);
  const std::string records = std::to_string(found.records) + " records";
  switch (found.status) {
    case audit::Verification::Status::kIntact:
      return file + ": intact, " + records + ", all under the signed head\n";
    case audit::Verification::Status::kUnsealedTail:
      return file + ": intact, " + records + "; the last " +
             std::to_string(found.records - found.sealed) +
             " were written after the last signature (the writer was killed)\n";
    case audit::Verification::Status::kTornTail:
      return file + ": intact, " + records +
             "; the last line is incomplete (the writer was killed while writing)\n";
    case audit::Verification::Status::kTampered:
      return file + ": NOT intact" +
             (found.bad_line > 0 ? ", record at line " + std::to_string(found.bad_line)
                                 : std::string()) +
             ": " + found.reason + "\n";
  }
  return {};
}

Result<std::string> log_named_or_newest(const Context& context, const Args& args,
                                        std::size_t position) {
  if (args.positionals.size() > position) {
    return args.positionals[position];
  }
  return audit::find_latest_log(context.audit_dir());
}

}  // namespace

int audit_verify_command(const Context& context, const Args& args) {
  const std::string& path = args.positionals[0];
  const auto found = audit::verify(path, args.one("--key").value_or(""), context.keys_dir());
  if (!found.ok()) {
    return fail(found.error());
  }
  const bool good = found->status != audit::Verification::Status::kTampered;
  if (context.json(args)) {
    std::string out;
    json::ObjectWriter writer(out);
    writer.string("file", printable(path))
        .boolean("ok", good)
        .string("status", status_name(found->status));
    writer.integer("records", static_cast<std::int64_t>(found->records));
    writer.integer("sealed", static_cast<std::int64_t>(found->sealed));
    if (!good) {
      writer.integer("line", static_cast<std::int64_t>(found->bad_line))
          .string("reason", printable(found->reason));
    }
    writer.close();
    print(out + "\n");
  } else {
    print(sentence(path, *found));
  }
  return good ? 0 : exit_code_of(Errc::kDenied);
}

int audit_tail_command(const Context& context, const Args& args) {
  const std::string count = args.one("--lines").value_or("20");
  if (count.empty() || count.size() > 6 ||
      count.find_first_not_of("0123456789") != std::string::npos) {
    return fail(
        Error(Errc::kUsage, "--lines takes a number, not \"" + printable(count, 40) + "\""));
  }
  const auto path = log_named_or_newest(context, args, 0);
  if (!path.ok()) {
    return fail(path.error());
  }
  const auto lines = audit::tail(*path, std::stoul(count));
  if (!lines.ok()) {
    return fail(lines.error());
  }
  std::string out;
  for (const std::string& line : *lines) {
    out += line + "\n";
  }
  print(out);
  return 0;
}

int audit_show_command(const Context& context, const Args& args) {
  const auto id = audit::RecordId::parse(args.positionals[0]);
  if (!id.ok()) {
    return fail(id.error());
  }
  const auto path = log_named_or_newest(context, args, 1);
  if (!path.ok()) {
    return fail(path.error());
  }
  const auto text = audit::show(*path, *id);
  if (!text.ok()) {
    return fail(text.error());
  }
  print(*text);
  return 0;
}

}  // namespace calaboose::cli
