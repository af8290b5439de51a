// SPDX-License-Identifier: Apache-2.0
// Servers that crash, flood, hang and talk nonsense: it costs themselves only, and the person and the host learn why (I9).
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { expectExit, run } from './lib/command.mjs';
import { jailed, officialClient } from './lib/compare.mjs';
import { descendants, isAlive, within } from './lib/processes.mjs';
import { RawPeer } from './lib/raw_peer.mjs';
import { makeScratch, supportProgram } from './lib/scratch.mjs';

const server = supportProgram('misbehaving_server');
const PEAK_MEMORY_KIB = 128 * 1024;
const call = (mode, ...options) => ['call', 'echo', '{"message":"hello"}', ...options, '--', server, mode];

function peakMemory(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
}

// mode, exit code, what stderr must say
const FAILURES = [
  ['exit-at-once', 5, [/status 7/, /left-pad/, /giving up/]],
  ['exit-after-initialize', 5, [/status 3/]],
  ['crash', 5, [/SIGSEGV/]],
  ['close-stdout', 5, [/standard output/]],
  ['wrong-ids', '5 or 6', []],
  ['string-ids', '5 or 6', []],
  ['neither-result-nor-error', '5 or 6', []],
  ['result-and-error', '5 or 6', []],
  ['method-and-result', '5 or 6', []],
  ['invalid-json-answer', '5 or 6', []],
  ['batch', '5 or 6', []],
  ['unknown-result-type', '5 or 6', []],
  ['huge-answer', '5 or 6', []],
  ['deep-answer', '5 or 6', []],
  ['no-newline', '5 or 6', []],
  ['half-line', '5 or 6', []],
  ['never-answers', 6, []],
  ['stops-reading', 6, []],
  ['never-reads-stdin', 6, []],
];

for (const [mode, expected, texts] of FAILURES) {
  test(`${mode}: exit ${expected}, the message names the server`, async (t) => {
    const { env, work } = makeScratch(t);
    const { code, stdout, stderr } = await run(call(mode, '--timeout', '1500'), { env, cwd: work });
    assert.ok(String(expected).split(' or ').includes(String(code)), `exit ${code}: ${stderr}`);
    assert.equal(stdout, '');
    assert.match(stderr, /misbehaving_server/);
    for (const text of texts) assert.match(stderr, text);
    // What a server wrote never reaches the terminal raw.
    assert.doesNotMatch(stderr, /[\x00-\x08\x0b-\x1f\x7f]/);
  });
}

test('a host sees the cause in the answer to initialize, and run exits 5', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed([server, 'exit-at-once']), { env, cwd: work });
  const { message } = await peer.open();
  const text = JSON.stringify(message.error);
  for (const part of [/misbehaving_server/, /status 7/, /left-pad/]) assert.match(text, part);
  assert.equal((await peer.close()).code, 5);
  assert.match(peer.stderr, /status 7/);
});

test('the same for a host of revision 2026-07-28', async (t) => {
  const { env, work } = makeScratch(t);
  await assert.rejects(officialClient(t, jailed([server, 'exit-at-once']), { env, cwd: work, mode: 'auto' }), /status 7/);
});

test('a program that does not exist: exit 127, also towards a host', async (t) => {
  const { env, work } = makeScratch(t);
  const { stderr } = await expectExit(127, ['tools', '--', '/no/such/program'], { env, cwd: work });
  assert.match(stderr, /\/no\/such\/program/);
  const peer = new RawPeer(jailed(['no-such-program-anywhere']), { env, cwd: work });
  const { message } = await peer.open();
  assert.match(JSON.stringify(message.error), /no-such-program-anywhere/);
  assert.equal((await peer.close()).code, 127);
});

for (const mode of ['crash', 'close-stdout']) {
  test(`${mode} in run: the call is answered with the cause`, async (t) => {
    const { env, work } = makeScratch(t);
    const peer = new RawPeer(jailed([server, mode]), { env, cwd: work });
    await peer.open();
    const { message } = await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } });
    assert.match(JSON.stringify(message.error ?? message.result), /misbehaving_server/);
    assert.equal((await peer.close()).code, 5);
  });
}

test('a server that ends between requests: run ends too, with the cause', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed([server, 'exit-after-initialize']), { env, cwd: work });
  await peer.open();
  // The runner may be gone before this request arrives; if not, the answer tells the cause.
  const answer = await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } }).catch(() => undefined);
  if (answer) assert.match(answer.line, /misbehaving_server/);
  assert.equal((await peer.exited).code, 5);
  assert.match(peer.stderr, /misbehaving_server.*status 3/);
});

for (const mode of ['flood-stdout', 'flood-garbage', 'flood-stderr', 'flood-progress']) {
  test(`${mode}: memory stays flat, calls are answered, a neighbour is not disturbed, the end is quick`, async (t) => {
    const { env, work } = makeScratch(t);
    const peer = new RawPeer(jailed([server, mode]), { env, cwd: work });
    const neighbour = new RawPeer(jailed([server, 'echo']), { env, cwd: work });
    const ask = async (who, message) => {
      const answer = await who.request('tools/call', { name: 'echo', arguments: { message } });
      assert.match(answer.line, new RegExp(message));
    };
    await Promise.all([peer.open(), neighbour.open()]);
    for (let i = 0; i < 20; i++) await Promise.all([ask(peer, `flood-${i}`), ask(neighbour, `calm-${i}`)]);
    const peak = peakMemory(peer.child.pid);
    assert.ok(peak < PEAK_MEMORY_KIB, `the runner's memory reached ${peak} KiB`);
    assert.ok(peer.stderr.length < 1 << 20, `${peer.stderr.length} bytes on stderr`);
    const before = descendants(peer.child.pid);
    const closed = Date.now();
    peer.child.stdin.end();
    await peer.exited;
    assert.ok(Date.now() - closed < 2000, `the end took ${Date.now() - closed} ms`);
    assert.ok(!before.some(isAlive));
    assert.equal((await neighbour.close()).code, 0);
  });
}

for (const mode of ['no-newline', 'huge-answer']) {
  test(`${mode}: memory stays bounded`, async (t) => {
    const { env, work } = makeScratch(t);
    const peer = new RawPeer(jailed([server, mode], ['--timeout', '3000']), { env, cwd: work });
    await peer.open();
    const { message } = await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } });
    assert.ok(message.error || message.result.isError, JSON.stringify(message).slice(0, 300));
    assert.ok(peakMemory(peer.child.pid) < PEAK_MEMORY_KIB);
    await peer.close();
  });
}

for (const mode of ['ignores-sigterm', 'orphans']) {
  test(`${mode}: nothing is alive 2 s after stdin closes (J48, J49)`, async (t) => {
    const { env, work } = makeScratch(t);
    const peer = new RawPeer(jailed([server, mode]), { env, cwd: work });
    await peer.open();
    await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } });
    const before = descendants(peer.child.pid);
    assert.ok(before.length > 0);
    const closed = Date.now();
    peer.child.stdin.end();
    assert.ok(await within(2000, () => !before.some(isAlive)));
    const { code } = await peer.exited;
    assert.ok(Date.now() - closed < 2000);
    assert.equal(code, 0);
  });
}

for (const mode of ['endless-pages', 'repeated-cursor']) {
  test(`${mode}: a list ends with an error (M42)`, async (t) => {
    const { env, work } = makeScratch(t);
    const { ms } = await expectExit(5, ['tools', '--json', '--', server, mode], { env, cwd: work });
    assert.ok(ms < 20_000);
  });
}

for (const mode of ['echo', 'dirty-stdout', 'die-on-probe', 'legacy-only', 'modern-only', 'both']) {
  for (const era of ['legacy', 'auto']) {
    test(`${mode} works for a host of either era (${era})`, async (t) => {
      const { env, work } = makeScratch(t);
      const client = await officialClient(t, jailed([server, mode]), { env, cwd: work, mode: era });
      const { content } = await client.callTool({ name: 'echo', arguments: { message: 'grüße' } });
      assert.match(content[0].text, /grüße/);
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'echo'));
    });
  }
}

test('hidden-text: nothing invisible gets through, and it is said what was removed (M02-M05)', async (t) => {
  const { env, work } = makeScratch(t);
  const hidden = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b\u001b\u009b\u0000-\u0008]/u;
  const hiddenTexts = ({ message }) => {
    const leaves = [];
    JSON.stringify(message, (key, value) => { leaves.push(key, value); return value; });
    return leaves.filter((leaf) => typeof leaf === 'string' && hidden.test(leaf));
  };
  const talk = async (peer) => [await peer.open(), await peer.request('tools/list', {}),
    await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } })];

  const bare = new RawPeer([server, 'hidden-text'], { env, cwd: work });
  for (const answer of await talk(bare)) assert.notDeepEqual(hiddenTexts(answer), []);
  await bare.close();

  const peer = new RawPeer(jailed([server, 'hidden-text']), { env, cwd: work });
  const seen = await talk(peer);
  for (const answer of seen) assert.deepEqual(hiddenTexts(answer), []);
  assert.match(seen[2].line, /"calaboose\/findings"/);
  assert.doesNotMatch(peer.stderr, /\u001b/);
  await peer.close();
});

test('a server cannot speak in our name (I6, M32)', async (t) => {
  const { env, work } = makeScratch(t);
  for (const mode of ['reserved-keys', 'imitate-errors']) {
    const peer = new RawPeer(jailed([server, mode]), { env, cwd: work });
    await peer.open();
    for (let i = 0; i < 3; i++) {
      const { message } = await peer.request('tools/call', { name: 'echo', arguments: { message: 'x' } });
      assert.doesNotMatch(JSON.stringify(message), /"calaboose\/decision"/);
      assert.ok(![-31001, -31002, -31003].includes(message.error?.code), JSON.stringify(message));
    }
    await peer.close();
  }
});
