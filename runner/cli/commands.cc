// SPDX-License-Identifier: Apache-2.0
// The table of commands and options (design section 6).
#include <array>

#include "runner/cli/args.h"

namespace calaboose::cli {
namespace {

constexpr std::string_view kEveryday = "Everyday";
constexpr std::string_view kClient = "Ask a server";
constexpr std::string_view kOwner = "Look and check";

constexpr std::array kCommon{
    OptionSpec{"--config", "FILE", "use this configuration instead of the user's"},
    OptionSpec{"--expect", "sha256:DIGEST",
               "accept that configuration if it has exactly this digest"},
    OptionSpec{"--format", "text|json", "how to print the answer", false, "text|json"},
    OptionSpec{"--json", "", "short for --format json"},
    OptionSpec{"--help", "", "this text"},
};

constexpr std::array kTarget{
    OptionSpec{"--server", "NAME", "an entry of the configuration instead of a command"},
    OptionSpec{"--name", "NAME", "what to call the server (part of its identity)"},
    OptionSpec{"--profile", "NAME", "strict, runtime, node or python (default: by the command)",
               false, "strict|runtime|node|python"},
    OptionSpec{"--read", "PATH", "let the server read this file or folder", true},
    OptionSpec{"--write", "PATH", "let the server read and write this folder", true},
    OptionSpec{"--project", "ro|rw", "the working directory: read, or read and write", false,
               "ro|rw"},
    OptionSpec{"--allow-host", "HOST[:PORT]",
               "known, but network grants are not available in this version", true},
    OptionSpec{"--env", "NAME[=VALUE]", "pass a variable (its value from here, or this one)", true},
    OptionSpec{"--minimum-level", "LEVEL", "refuse anything weaker: full", false, "full|reduced"},
    OptionSpec{"--timeout", "MS", "bound of one request in milliseconds (60000)"},
    OptionSpec{"--audit", "FILE|off", "where to record (default: the state folder)"},
};

constexpr std::array kRun{
    OptionSpec{"--on-start-failure", "error", "answer the host's first request with the cause",
               false, "error"},
};

constexpr std::array kCall{
    OptionSpec{"--arg", "NAME=VALUE", "one argument (VALUE as JSON if it is JSON, else text)",
               true},
};

constexpr std::array kResources{
    OptionSpec{"--templates", "", "list resource templates instead"},
};

constexpr std::array kAuditVerify{
    OptionSpec{"--key", "FILE", "public key (PEM) instead of this machine's own"},
};

constexpr std::array kAuditTail{
    OptionSpec{"--lines", "N", "how many records (20)"},
};

constexpr std::array kCommands{
    CommandSpec{
        "run", kEveryday, "", "run a stdio MCP server in a jail and serve it on stdin and stdout",
        "Put it in front of a server's command in your agent's configuration; the tools keep their "
        "names:\n"
        "  \"command\": \"calaboose\", \"args\": [\"run\", \"--read\", \"/home/me/notes\", \"--\", "
        "\"node\", \"/opt/server/index.js\"]\n"
        "The server gets its program, its own private home, /tmp and what you grant; no network.",
        kRun, Target::kServer, 0, 0},
    CommandSpec{"status",
                kEveryday,
                "",
                "servers that have run: level, last run, last refusals",
                "",
                {},
                Target::kNone,
                0,
                0},
    CommandSpec{"doctor",
                kEveryday,
                "",
                "what this machine can enforce, and how to fix gaps",
                "",
                {},
                Target::kNone,
                0,
                0},
    CommandSpec{"demo",
                kEveryday,
                "",
                "a hostile server, bare and jailed, side by side",
                "",
                {},
                Target::kNone,
                0,
                0},
    CommandSpec{"version",
                kEveryday,
                "",
                "version, protocol revisions, kernel features",
                "",
                {},
                Target::kNone,
                0,
                0},
    CommandSpec{"tools", kClient, "", "list the server's tools", "", {}, Target::kServer, 0, 0},
    CommandSpec{
        "call", kClient, "TOOL [JSON|-]", "call a tool and print what it answers",
        "Arguments are one JSON object (- reads it from stdin), or several --arg NAME=VALUE.\n"
        "Exit 5 when the tool reports an error.",
        kCall, Target::kServer, 1, 2},
    CommandSpec{"resources", kClient, "", "list the server's resources", "", kResources,
                Target::kServer, 0, 0},
    CommandSpec{"read", kClient, "URI", "read a resource", "", {}, Target::kServer, 1, 1},
    CommandSpec{"prompts", kClient, "", "list the server's prompts", "", {}, Target::kServer, 0, 0},
    CommandSpec{
        "prompt", kClient, "NAME [KEY=VALUE…]", "get a prompt", "", {}, Target::kServer, 1, 64},
    CommandSpec{"policy explain",
                kOwner,
                "[SERVER]",
                "every effective setting and grant, with its origin",
                "",
                {},
                Target::kServer,
                0,
                1},
    CommandSpec{"check config",
                kOwner,
                "[FILE…]",
                "check configuration files",
                "",
                {},
                Target::kNone,
                0,
                16},
    CommandSpec{"audit verify", kOwner, "FILE", "is this log complete and unchanged?",
                "Exit 0: intact. Exit 3: it was changed; says which record. A log whose writer was "
                "killed is intact\n"
                "up to its last record, and that is said.",
                kAuditVerify, Target::kNone, 1, 1},
    CommandSpec{"audit tail", kOwner, "[FILE]", "the last records (default: of the newest log)", "",
                kAuditTail, Target::kNone, 0, 1},
    CommandSpec{"audit show",
                kOwner,
                "ID [FILE]",
                "one record in full (its number, or RUN:NUMBER)",
                "",
                {},
                Target::kNone,
                1,
                2},
};

}  // namespace

std::span<const CommandSpec> commands() {
  return kCommands;
}

std::span<const OptionSpec> common_options() {
  return kCommon;
}

std::span<const OptionSpec> target_options() {
  return kTarget;
}

}  // namespace calaboose::cli
