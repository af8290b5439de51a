// SPDX-License-Identifier: Apache-2.0
// Ends and kills at any moment (I10): nothing of a jail outlives its runner, the log verifies, the next start works.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { expectExit } from './lib/command.mjs';
import { jailed } from './lib/compare.mjs';
import { descendants, isAlive, withCommandLine, within } from './lib/processes.mjs';
import { RawPeer } from './lib/raw_peer.mjs';
import { makeScratch, node, servers, supportProgram } from './lib/scratch.mjs';

/** The stubborn server under a path that occurs in no other process of this machine. */
function stubborn(t) {
  const scratch = makeScratch(t);
  const script = scratch.at('work', 'stubborn_server.mjs');
  fs.copyFileSync(path.join(import.meta.dirname, 'fixtures', 'stubborn_server.mjs'), script);
  return { ...scratch, script, command: [node, script] };
}

/** Everything that belongs to a runner: by descent, and by the script's name in the command line. */
function belongings(runner, script) {
  const found = new Map(descendants(runner).map((process) => [process.pid, process]));
  for (const process of withCommandLine(script)) if (process.pid !== runner) found.set(process.pid, process);
  return [...found.values()];
}

const gone = (processes, script) => !processes.some(isAlive) && withCommandLine(script).length === 0;

test('closing stdin ends everything within 2 s although the server ignores it and SIGTERM (J48, J49)', async (t) => {
  const { env, work, script, command } = stubborn(t);
  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  const before = belongings(peer.child.pid, script);
  assert.ok(before.length >= 2, 'the server and its child run');
  const closed = Date.now();
  peer.child.stdin.end();
  const { code } = await peer.exited;
  assert.ok(Date.now() - closed < 2000, `it took ${Date.now() - closed} ms`);
  assert.equal(code, 0);
  assert.ok(gone(before, script), 'nothing is alive when the runner has ended');
});

test('closing stdin while a call is open is an ordinary end: exit 0 within 2 s', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed([supportProgram('misbehaving_server'), 'never-answers']), { env, cwd: work });
  await peer.open();
  peer.send(JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'tools/call', params: { name: 'echo', arguments: {} } }));
  const closed = Date.now();
  peer.child.stdin.end();
  const { code } = await peer.exited;
  assert.ok(Date.now() - closed < 2000, `it took ${Date.now() - closed} ms`);
  assert.equal(code, 0, peer.stderr);
});

test('SIGTERM to the runner ends everything', async (t) => {
  const { env, work, script, command } = stubborn(t);
  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  const before = belongings(peer.child.pid, script);
  peer.child.kill('SIGTERM');
  const { code, signal } = await peer.exited;
  assert.ok(code === 143 || signal === 'SIGTERM', `${code} ${signal}`);
  assert.ok(await within(1000, () => gone(before, script)));
});

test('kill -9 at random moments: no process after 1 s, the log verifies, the next start works (J50, A06)', async (t) => {
  const { env, work, at, script, command } = stubborn(t);
  let logs = 0;
  for (let round = 0; round < 24; round++) {
    const log = at('work', `${round}.jsonl`);
    const peer = new RawPeer(jailed(command, ['--audit', log]), { env, cwd: work });
    // From the first instructions of the runner to calls in flight.
    const moment = round * 8;
    const talk = peer.open().then(async () => {
      for (let i = 0; i < 1000; i++) await peer.request('tools/call', { name: 'hello', arguments: { i } });
    }).catch(() => {});
    await delay(moment);
    const before = belongings(peer.child.pid, script);
    peer.child.kill('SIGKILL');
    await peer.exited;
    assert.ok(await within(1000, () => gone(before, script)),
      `round ${round}, killed after ${moment} ms: alive ${JSON.stringify(before.filter(isAlive))}`);
    await talk;
    if (fs.existsSync(log) && fs.statSync(log).size > 0) {
      logs++;
      await expectExit(0, ['audit', 'verify', log], { env, cwd: work });
    }
  }
  assert.ok(logs >= 12, `only ${logs} rounds got as far as a log`);
  const { stdout } = await expectExit(0, ['call', 'hello', '--', ...command], { env, cwd: work });
  assert.match(stdout, /hello/);
});

test('a killed jail ends with its runner also when the helper is still at work', async (t) => {
  const { env, work, script, command } = stubborn(t);
  for (let round = 0; round < 20; round++) {
    const peer = new RawPeer(jailed(command), { env, cwd: work });
    peer.notify('ping');
    const seen = await within(2000, () => descendants(peer.child.pid).length > 0);
    assert.ok(seen, `the helper never appeared: ${peer.stderr}`);
    const before = belongings(peer.child.pid, script);
    peer.child.kill('SIGKILL');
    await peer.exited;
    assert.ok(await within(1000, () => gone(before, script)), `round ${round}`);
  }
});

test('two runners of one server at once do not disturb each other (M33)', async (t) => {
  const { env, work } = makeScratch(t);
  const peers = [0, 1].map(() => new RawPeer(jailed(servers.everything), { env, cwd: work }));
  await Promise.all(peers.map((peer) => peer.open()));
  await Promise.all(peers.flatMap((peer, which) => Array.from({ length: 50 }, async (_, i) => {
    const message = `${which}-${i}`;
    const { message: answer } = await peer.request('tools/call', { name: 'echo', arguments: { message } });
    assert.equal(answer.result.content[0].text, `Echo: ${message}`);
  })));
  for (const peer of peers) assert.equal((await peer.close()).code, 0);
  const logs = fs.readdirSync(path.join(env.XDG_STATE_HOME, 'calaboose', 'audit')).filter((name) => name.endsWith('.jsonl'));
  assert.equal(logs.length, 2);
  for (const log of logs) {
    await expectExit(0, ['audit', 'verify', path.join(env.XDG_STATE_HOME, 'calaboose', 'audit', log)], { env, cwd: work });
  }
});

test('a host that goes away without closing anything takes the jail with it', async (t) => {
  const { env, work, script, command } = stubborn(t);
  const host = new RawPeer([node, '-e', `
    const { spawn } = require("node:child_process");
    const runner = spawn(process.argv[1], process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
    runner.stdout.once("data", () => process.stdout.write(JSON.stringify({ method: "up", pid: runner.pid }) + "\\n"));
    runner.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}\\n');
  `, ...jailed(command)], { env, cwd: work });
  await host.until(() => host.notifications.length > 0, 'the runner answers');
  const before = belongings(host.child.pid, script);
  assert.ok(before.length >= 3);
  host.child.kill('SIGKILL');
  assert.ok(await within(3000, () => gone(before, script)), `alive: ${JSON.stringify(before.filter(isAlive))}`);
});
