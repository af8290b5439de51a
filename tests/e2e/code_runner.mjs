// SPDX-License-Identifier: Apache-2.0
// mcp-server-code-runner: stray lines on stdout, and any code in the jail that a caller likes.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { expectExit } from './lib/command.mjs';
import { jailed, sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { RawPeer } from './lib/raw_peer.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const command = servers.codeRunner;
const javascript = (code) => ({ name: 'run-code', arguments: { languageId: 'javascript', code } });

test('raw answers are equal with and without calaboose', async (t) => {
  const { env, work } = makeScratch(t);
  await sameBytes({
    command, env, cwd: work,
    steps: [
      ['tools/call', javascript('console.log(6 * 7)')],
      ['tools/call', javascript('console.log(JSON.stringify([1.0, "ä", null]))')],
      ['tools/call', { name: 'run-code', arguments: { languageId: 'klingon', code: 'x' } }],
    ],
  });
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work } = makeScratch(t);
  await sameForOfficialClient(t, { command, env, cwd: work, calls: [javascript('console.log(6 * 7)')] });
});

test('stray lines never reach the host, and the person is told', async (t) => {
  const { env, work } = makeScratch(t);
  const bare = new RawPeer(command, { env, cwd: work });
  await bare.open();
  await bare.request('tools/call', javascript('1'));
  await bare.close();
  assert.ok(bare.strays.length > 0, 'without calaboose there are stray lines');

  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  await peer.request('tools/call', javascript('1'));
  assert.equal((await peer.close()).code, 0);
  assert.deepEqual(peer.strays, []);
  assert.match(peer.stderr, /Code Runner MCP Server running on stdio/);
});

/** Runs `code` in the jail and returns what it printed as JSON. */
async function inJail(code, { env, work, options = [] }) {
  const { stdout } = await expectExit(0, [
    'call', 'run-code', JSON.stringify({ languageId: 'javascript', code: `console.log(JSON.stringify((() => {${code}})()))` }),
    ...options, '--', ...command,
  ], { env, cwd: work });
  return JSON.parse(stdout);
}

test('acceptance: curated variables only, no /etc/shadow', async (t) => {
  const { env, work } = makeScratch(t);
  const { stdout } = await expectExit(0, ['call', 'run-code', JSON.stringify({
    languageId: 'javascript',
    code: 'console.log(Object.keys(process.env), require("fs").existsSync("/etc/shadow"))',
  }), '--', ...command], { env: { ...env, E2E_SECRET: 'x', AWS_SECRET_ACCESS_KEY: 'x', SSH_AUTH_SOCK: '/x' }, cwd: work });
  assert.match(stdout, /false\s*$/);
  const names = [...stdout.matchAll(/'([A-Za-z_]+)'/g)].map(([, name]) => name);
  assert.ok(names.includes('HOME') && names.includes('PATH'));
  const known = /^(HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_ALL|TZ|TMPDIR|PWD|OLDPWD|SHLVL|_|XDG_\w+|npm_config_\w+|NPM_CONFIG_\w+|NODE_\w+|PYTHON\w+|PIP_\w+|UV_\w+|NO_UPDATE_NOTIFIER)$/;
  assert.deepEqual(names.filter((name) => !known.test(name)), []);
});

test('nothing of the user or the system is there', async (t) => {
  const { env, work, at } = makeScratch(t);
  fs.mkdirSync(at('home', '.ssh'));
  fs.writeFileSync(at('home', '.ssh', 'id_ed25519'), 'key');
  const seen = await inJail(`
    const fs = require("fs");
    const there = (path) => { try { fs.lstatSync(path); return true; } catch { return false; } };
    return {
      paths: ${JSON.stringify([at('home', '.ssh', 'id_ed25519'), at('home'), '/etc/shadow', '/run', '/var/run/docker.sock',
        '/run/docker.sock', '/sys/kernel', env.XDG_STATE_HOME, env.XDG_CONFIG_HOME, '/boot', '/dev/kmsg', '/dev/mem'])}.filter(there),
      status: fs.readFileSync("/proc/self/status", "utf8"),
      processes: fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).length,
      interfaces: Object.keys(require("os").networkInterfaces()),
    };`, { env, work });
  assert.deepEqual(seen.paths, []);
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    assert.match(seen.status, new RegExp(`^${set}:\\s*0{16}$`, 'm'));
  }
  assert.match(seen.status, /^NoNewPrivs:\s*1$/m);
  assert.match(seen.status, /^Seccomp:\s*2$/m);
  assert.ok(seen.processes < 10, `${seen.processes} processes are visible`);
  assert.deepEqual(seen.interfaces.filter((name) => name !== 'lo'), []);
});

test('no connection leaves, and the attempt fails at once', async (t) => {
  const { env, work } = makeScratch(t);
  const { stdout } = await expectExit(0, ['call', 'run-code', JSON.stringify({
    languageId: 'javascript',
    code: `const net = require("net"), began = Date.now();
      const done = (what) => { console.log(JSON.stringify({ what, ms: Date.now() - began })); process.exit(0); };
      net.connect(53, "192.0.2.1").on("connect", () => done("connected")).on("error", (e) => done(e.code));`,
  }), '--', ...command], { env, cwd: work });
  const { what, ms } = JSON.parse(stdout);
  assert.match(what, /^(ENETUNREACH|EACCES|EPERM|EHOSTUNREACH)$/);
  assert.ok(ms < 2000);
});
