#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that need no compiler: who may include whom, pure folders, file length, SPDX lines, forbidden constructs.

usage: tools/lint/check_tree.py            (in the repository; looks at tracked and new files)
       tools/lint/check_tree.py --self-test (proves that every rule can fail)
Prints path:line: message for every finding and exits 1 if there is one.
"""
import json
import re
import subprocess
import sys

MAX_LINES = 400

# Folder -> folders whose headers it may include, besides its own. The longest matching prefix counts.
# docs/architecture.md draws the same arrows; the CMake targets link in the same directions.
DIRECTIONS = {
    'base': (),
    'policy': ('base',),
    'mcp/wire': ('base',),
    'mcp/session': ('base', 'mcp/wire'),
    'runner/plan': ('base', 'policy', 'runner/host/facts.h'),
    'runner/host': ('base', 'policy', 'runner/plan'),
    'runner/jail': ('base', 'runner/plan'),
    'runner/audit': ('base',),
    'runner/demo': ('base',),
    'runner/gateway': ('base', 'policy', 'mcp', 'runner/plan', 'runner/host', 'runner/jail', 'runner/audit'),
    'runner/cli': ('base', 'policy', 'mcp', 'runner'),
}
OUR_FOLDERS = ('base/', 'policy/', 'mcp/', 'runner/')

# No system calls and no event loop here: these folders are tested and fuzzed without a machine around them.
PURE = ('base/', 'policy/', 'mcp/wire/', 'mcp/session/', 'runner/plan/')
IMPURE_HEADERS = re.compile(
    r'(boost/(asio|beast|process)\b.*|unistd\.h|fcntl\.h|poll\.h|spawn\.h|signal\.h|csignal|pthread\.h|dirent\.h|netdb\.h'
    r'|sys/.*|netinet/.*|arpa/.*|linux/(?!audit\.h|filter\.h|seccomp\.h|landlock\.h|capability\.h).*'
    r'|thread|mutex|condition_variable|future|fstream|filesystem|iostream)$')
# Programs that run during the build only and end up in no library.
BUILD_TOOLS = ('runner/plan/seccomp/generate.cc', 'runner/plan/seccomp/prologue.')
# (file, header): reason
IMPURE_ALLOWED = {
    ('base/fd.h', 'unistd.h'): 'owns a descriptor: close(2)',
}

# (pattern, where it is forbidden, what to say)
FORBIDDEN = (
    (re.compile(r'\bstd::(basic_)?regex\b|#include <regex>'), r'\.(cc|h)$', 'std::regex: use RE2 or a hand-written matcher'),
    (re.compile(r'\basio::detached\b'), r'\.(cc|h)$', 'asio::detached: give every spawn a handler'),
    (re.compile(r'\.detach\(\)'), r'\.(cc|h)$', 'detached thread: own and join it'),
    (re.compile(r'\b(secure_)?getenv\s*\('), r'^(base|policy|mcp|runner/(?!cli/main\.cc|demo/)).*\.(cc|h)$',
     'getenv below main: pass the value in'),
    (re.compile(r'\b(sleep_for|sleep_until|usleep|nanosleep)\b|(?<![\w.:])sleep\s*\('), r'^(tests/(?!support/|victims/|e2e/)|fuzz/).*\.(cc|h)$',
     'sleep in a test: wait for the event'),
    (re.compile(r'#include <iostream>'), r'^(base|policy|mcp|runner)/.*\.(cc|h)$', 'iostream in product code'),
    (re.compile(r'^\s*using namespace\b'), r'\.h$', 'using namespace in a header'),
    (re.compile(r'\bcatch \(\.\.\.\)'), r'^(base|policy|mcp)/.*\.(cc|h)$', 'catch-all handler below main'),
    (re.compile(r'\b(TODO|FIXME|XXX)\b'), r'^(?!tools/lint/).*\.(cc|h|mjs|py|cmake|txt|md)$', 'unfinished: do it or write an issue'),
    (re.compile(r'(?<![\w.$}/])/(work|root|farm)/[\w.]'), r'^(?!tools/lint/).*', 'path of some machine'),
    (re.compile(r'registry\.npmjs\.org|deb\.debian\.org'), r'^(?!tools/lint/).*', 'host of a package registry'),
)
# (file, message): reason. Tests about these very things.
FORBIDDEN_ALLOWED = {}

NEEDS_SPDX = re.compile(r'(\.(cc|h|mjs|py|sh)|^dev|^\.ci/run|^bench/run|^tools/.*)$')
SPDX = 'SPDX-License-Identifier: Apache-2.0'
LENGTH_CHECKED = re.compile(r'\.(cc|h|mjs|py)$')
BINARY = re.compile(r'^fuzz/(corpus|regressions)/|^tests/data/')


def folder_of(path):
    """The longest key of DIRECTIONS that `path` lies in, or None."""
    keys = [k for k in DIRECTIONS if path.startswith(k + '/')]
    return max(keys, key=len) if keys else None


def may_include(path, header):
    own = folder_of(path)
    if own is None:
        return True
    return any(header == allowed or header.startswith(allowed + '/') for allowed in (own,) + DIRECTIONS[own])


def check_includes(path, lines):
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not match:
            continue
        kind, header = match.groups()
        if header.startswith(OUR_FOLDERS):
            if kind == '<':
                yield number, f'our own header <{header}> in angle brackets'
            if not may_include(path, header):
                yield number, f'{folder_of(path)} may not include {header} (tools/lint/check_tree.py, DIRECTIONS)'
        elif (path.startswith(PURE) and not path.startswith(BUILD_TOOLS) and IMPURE_HEADERS.match(header)
              and (path, header) not in IMPURE_ALLOWED):
            yield number, f'pure folder includes {header}'
        if path.endswith('.h') and re.match(r'boost/(asio\.hpp|beast\.hpp)$', header):
            yield number, f'{header} in a header: include the one part that is needed'


def check_text(path, lines):
    for pattern, where, message in FORBIDDEN:
        if not re.search(where, path) or (path, message) in FORBIDDEN_ALLOWED:
            continue
        for number, line in enumerate(lines, 1):
            if pattern.search(line):
                yield number, message


def check_shape(path, lines):
    if LENGTH_CHECKED.search(path) and len(lines) > MAX_LINES:
        yield MAX_LINES, f'{len(lines)} lines; at most {MAX_LINES}: split it'
    if NEEDS_SPDX.search(path) and not any(SPDX in line for line in lines[:2]):
        yield 1, f'first line lacks "{SPDX}"'
    if path.endswith('.h') and not any(line.startswith('#pragma once') for line in lines):
        yield 1, 'header without #pragma once'


def check_lock(path, lines):
    if not path.endswith('package-lock.json'):
        return
    text = '\n'.join(lines)
    for name, entry in json.loads(text)['packages'].items():
        if 'resolved' in entry:
            yield 1, f'"resolved" of {name}: run tests/e2e/update_lock'
        if name and 'integrity' not in entry:
            yield 1, f'{name} has no integrity digest'
    for number, line in enumerate(lines, 1):
        if re.search(r'https?://', line):
            yield number, 'URL in a lock file: run tests/e2e/update_lock'


def check(path, text):
    lines = text.splitlines()
    for rule in (check_includes, check_text, check_shape, check_lock):
        yield from rule(path, lines)


def self_test():
    """Each line must be found; each of the good ones must not."""
    spdx = '// ' + SPDX + '\n'
    bad = [
        ('base/a.cc', spdx + '#include "policy/scan/scan.h"\n'), ('mcp/wire/a.cc', spdx + '#include "mcp/session/bridge.h"\n'),
        ('policy/scan/a.cc', spdx + '#include "mcp/wire/message.h"\n'), ('runner/jail/a.cc', spdx + '#include "policy/scan/scan.h"\n'),
        ('runner/plan/a.cc', spdx + '#include "runner/host/doctor.h"\n'), ('runner/plan/a.cc', spdx + '#include <sys/stat.h>\n'),
        ('base/a.cc', spdx + '#include <boost/asio/awaitable.hpp>\n'), ('runner/jail/a.h', spdx + '#pragma once\n#include <boost/asio.hpp>\n'),
        ('base/a.cc', spdx + '#include <base/fd.h>\n'), ('tests/a.cc', spdx + 'std::regex r;\n'),
        ('runner/jail/a.cc', spdx + 'auto x = getenv("HOME");\n'), ('tests/a.cc', spdx + 'usleep(3);\n'),
        ('runner/cli/a.cc', spdx + 'thread.detach();\n'), ('base/a.h', spdx + '#pragma once\nusing namespace std;\n'),
        ('base/a.h', spdx), ('base/a.cc', '// no licence\n'), ('base/a.cc', spdx + '\n' * MAX_LINES),
        ('README.md', 'see /' + 'root/x\n'), ('base/a.cc', spdx + '// TO' + 'DO later\n'),
        ('x/package-lock.json', '{"packages":{"a":{"integrity":"x","resolved":"u"}}}'), ('x/package-lock.json', '{"packages":{"a":{}}}'),
    ]
    good = [
        ('runner/gateway/a.cc', spdx + '#include "policy/scan/scan.h"\n#include "mcp/session/bridge.h"\n'),
        ('runner/plan/a.cc', spdx + '#include "runner/host/facts.h"\n#include <linux/filter.h>\n'), ('base/fd.h', spdx + '#pragma once\n#include <unistd.h>\n'),
        ('tests/a.cc', spdx + '#include "runner/jail/jail.h"\n'), ('runner/cli/main.cc', spdx + 'getenv("HOME");\n'),
        ('runner/jail/a.cc', spdx + '#include <sys/mount.h>\n'),
    ]
    failures = [f'not found: {path}: {text!r}' for path, text in bad if not list(check(path, text))]
    failures += [f'wrongly found: {path}: {found}' for path, text in good for found in check(path, text)]
    print('\n'.join(failures) or f'{len(bad) + len(good)} self-tests passed')
    return 1 if failures else 0


def tracked_files():
    out = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                         check=True, capture_output=True).stdout
    return sorted(p for p in out.decode().split('\0') if p)


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    findings = 0
    for path in tracked_files():
        if BINARY.search(path):
            continue
        try:
            with open(path, encoding='utf-8') as file:
                text = file.read()
        except FileNotFoundError:
            continue
        except UnicodeDecodeError:
            print(f'{path}:1: not UTF-8')
            findings += 1
            continue
        for number, message in check(path, text):
            print(f'{path}:{number}: {message}')
            findings += 1
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
