// SPDX-License-Identifier: Apache-2.0
// `check config` and `policy explain`.
#include "base/json/write.h"
#include "base/text.h"
#include "policy/config/check.h"
#include "policy/config/explain.h"
#include "runner/cli/command.h"
#include "runner/cli/target.h"

namespace calaboose::cli {
namespace {

std::string access_of(const plan::Mount& mount) {
  std::string out = mount.writable ? "read, write" : "read";
  return out + (mount.executable ? "" : ", no execution");
}

bool is_grant(const plan::Mount& mount) {
  return mount.kind == plan::Mount::Kind::kBind && !mount.is_device;
}

std::string grants_text(const Prepared& prepared) {
  std::string out =
      "\nprogram     " + printable(prepared.built.plan.argv.front()) + "\nprofile     " +
      prepared.built.profile + "\nidentity    " + prepared.built.identity.sid + "\nhome        " +
      printable(prepared.built.home) + "\ndirectory   " + printable(prepared.built.plan.cwd) +
      "\n\nfiles of this machine that the server can see (nothing else exists for it):\n";
  for (const plan::Mount& mount : prepared.built.plan.mounts) {
    if (is_grant(mount)) {
      out += "  " + printable(mount.target) + "  (" + access_of(mount) + ")\n      " +
             printable(mount.reason) +
             (mount.origin.empty() ? "" : "; from " + printable(mount.origin)) + "\n";
    }
  }
  out += "\nvariables it gets (values not shown):\n  ";
  std::string names;
  for (const std::string& entry : prepared.built.plan.env) {
    names += (names.empty() ? "" : " ") + printable(entry.substr(0, entry.find('=')));
  }
  out += names + "\n";
  for (const std::string& note : prepared.built.plan.notes) {
    out += "  " + printable(note) + "\n";
  }
  for (const std::string& proposal : prepared.built.proposals) {
    out += "\nnot granted: " + printable(proposal) + "\n";
  }
  return out;
}

std::string grants_json(const Prepared& prepared) {
  std::string grants = "[";
  for (const plan::Mount& mount : prepared.built.plan.mounts) {
    if (!is_grant(mount)) {
      continue;
    }
    grants += grants.size() > 1 ? "," : "";
    json::ObjectWriter writer(grants);
    writer.string("path", printable(mount.target)).boolean("write", mount.writable);
    writer.boolean("execute", mount.executable);
    writer.string("reason", printable(mount.reason)).string("origin", printable(mount.origin));
    writer.close();
  }
  std::string env = "[";
  for (const std::string& entry : prepared.built.plan.env) {
    env += (env.size() > 1 ? "," : "") + json::quoted(printable(entry.substr(0, entry.find('='))));
  }
  std::string out;
  json::ObjectWriter writer(out);
  writer.raw("policy", policy::explain_json(prepared.policy));
  writer.string("program", printable(prepared.built.plan.argv.front()))
      .string("profile", prepared.built.profile);
  writer.string("sid", prepared.built.identity.sid).string("home", printable(prepared.built.home));
  writer.raw("grants", grants + "]").raw("environment", env + "]");
  writer.close();
  return out + "\n";
}

}  // namespace

int explain_command(const Context& context, const Args& args) {
  Args target = args;
  if (!args.positionals.empty()) {
    target.options["--server"] = {args.positionals[0]};
  }
  const auto prepared = prepare(context, target);
  if (!prepared.ok()) {
    return fail(prepared.error());
  }
  print(context.json(args) ? grants_json(*prepared)
                           : policy::explain_text(prepared->policy) + grants_text(*prepared));
  return 0;
}

int check_config_command(const Context& context, const Args& args) {
  if (args.positionals.empty()) {
    const auto loaded = load_configuration(context, args);
    if (!loaded.ok()) {
      return fail(loaded.error());
    }
    print(context.json(args) ? policy::check_json(*loaded) + "\n" : policy::check_text(*loaded));
    return loaded->ok() ? 0 : exit_code_of(Errc::kInvalidConfig);
  }
  int code = 0;
  for (const std::string& path : args.positionals) {
    auto text = read_file(path, policy::kMaxConfigBytes);
    if (!text.ok()) {
      return fail(text.error());
    }
    policy::SourceText source;
    source.path = path;
    source.kind = policy::kind_of(*text);
    source.digest = sha256_hex(*text);
    source.text = std::move(*text);
    const policy::LoadResult loaded = policy::load_config({source});
    print(context.json(args) ? policy::check_json(loaded) + "\n" : policy::check_text(loaded));
    if (!loaded.ok()) {
      code = exit_code_of(Errc::kInvalidConfig);
    }
  }
  return code;
}

}  // namespace calaboose::cli
