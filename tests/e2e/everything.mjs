// SPDX-License-Identifier: Apache-2.0
// server-everything: every kind of message, both eras of host, progress, cancellation, errors; the acceptance commands.
import assert from 'node:assert/strict';
import test from 'node:test';

import { expectExit } from './lib/command.mjs';
import { jailed, officialClient, sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { RawPeer } from './lib/raw_peer.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const command = servers.everything;

test('raw answers are equal with and without calaboose', async (t) => {
  const { env, work } = makeScratch(t);
  const { opening } = await sameBytes({
    command, env, cwd: work,
    steps: [
      ['tools/call', { name: 'echo', arguments: { message: 'grüße 你好 \u{1f600} "quoted" \\ / <b>' } }],
      ['tools/call', { name: 'get-sum', arguments: { a: 1.5, b: 2e3 } }],
      ['tools/call', { name: 'get-structured-content', arguments: { location: 'New York' } }],
      ['tools/call', { name: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true } }],
      ['tools/call', { name: 'get-tiny-image', arguments: {} }],
      ['tools/call', { name: 'get-resource-links', arguments: { count: 3 } }],
      ['tools/call', { name: 'echo', arguments: { wrong: 1 } }],
      ['tools/call', { name: 'no-such-tool', arguments: {} }],
      ['prompts/get', { name: 'simple-prompt' }],
      ['prompts/get', { name: 'args-prompt', arguments: { city: 'Paris', state: 'TX' } }],
      ['prompts/get', { name: 'no-such-prompt' }],
      ['completion/complete', {
        ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' },
      }],
      ['resources/read', { uri: 'demo://resource/static/document/features.md' }],
      ['resources/read', { uri: 'demo://no/such/thing' }],
      ['logging/setLevel', { level: 'error' }],
    ],
  });
  assert.equal(opening.result.serverInfo.name, 'mcp-servers/everything');
});

test('ping and unknown methods are answered by us', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  assert.deepEqual((await peer.request('ping')).message.result, {});
  assert.equal((await peer.request('no/such/method')).message.error.code, -32601);
  assert.equal((await peer.close()).code, 0);
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work } = makeScratch(t);
  await sameForOfficialClient(t, {
    command, env, cwd: work,
    calls: [
      { name: 'echo', arguments: { message: 'hi' } },
      { name: 'get-sum', arguments: { a: 2, b: 3 } },
      { name: 'get-structured-content', arguments: { location: 'Chicago' } },
      { name: 'echo', arguments: {} },
      { name: 'no-such-tool', arguments: {} },
    ],
  });
});

for (const mode of ['legacy', 'auto']) {
  test(`progress arrives in order, before the result (${mode})`, async (t) => {
    const { env, work } = makeScratch(t);
    const client = await officialClient(t, jailed(command), { env, cwd: work, mode });
    const seen = [];
    const result = await client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 5 } },
      { onprogress: ({ progress, total }) => seen.push([progress, total]) });
    assert.match(result.content[0].text, /completed/);
    // The client forgets its handler as soon as the result is there: the last report may be lost on it.
    assert.deepEqual(seen.slice(0, 4), [[1, 5], [2, 5], [3, 5], [4, 5]]);
  });

  test(`a cancelled call ends at once and the session goes on (${mode})`, async (t) => {
    const { env, work } = makeScratch(t);
    const client = await officialClient(t, jailed(command), { env, cwd: work, mode });
    const abort = new AbortController();
    const call = client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 20, steps: 40 } },
      { signal: abort.signal, onprogress: () => abort.abort('enough') });
    await assert.rejects(call);
    const { content } = await client.callTool({ name: 'echo', arguments: { message: 'still here' } });
    assert.equal(content[0].text, 'Echo: still here');
  });
}

test('every progress report carries the host\'s own token and comes before the result', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  await peer.request('tools/call', {
    name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 5 }, _meta: { progressToken: 'mine-7' },
  }, 'call-7');
  const messages = peer.lines.map((line) => JSON.parse(line));
  const answer = messages.findIndex(({ id }) => id === 'call-7');
  const reports = messages.slice(0, answer).filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);
  assert.deepEqual(reports, [1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5, progressToken: 'mine-7' })));
  assert.equal((await peer.close()).code, 0);
});

test('a cancelled request gets no late answer, its progress stops', async (t) => {
  const { env, work } = makeScratch(t);
  const peer = new RawPeer(jailed(command), { env, cwd: work });
  await peer.open();
  peer.send(JSON.stringify({
    jsonrpc: '2.0', id: 'long', method: 'tools/call',
    params: {
      name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 20 }, _meta: { progressToken: 'mine' },
    },
  }));
  await peer.until(() => peer.notifications.some((line) => line.includes('"progressToken":"mine"')), 'progress');
  let late = false;
  peer.answerTo('long').then(() => { late = true; }, () => {});
  peer.notify('notifications/cancelled', { requestId: 'long', reason: 'enough' });
  await peer.request('ping');
  const progress = peer.notifications.length;
  // As long as the server itself would have needed.
  await peer.request('tools/call', { name: 'trigger-long-running-operation', arguments: { duration: 1.5, steps: 1 } });
  assert.equal(late, false);
  assert.equal(peer.notifications.length, progress);
  assert.equal((await peer.close()).code, 0);
});

test('acceptance: tools --json lists 13 tools', async (t) => {
  const { env, work } = makeScratch(t);
  const { stdout } = await expectExit(0, ['tools', '--json', '--', ...command], { env, cwd: work });
  assert.equal(JSON.parse(stdout).tools.length, 13);
});

test('acceptance: call prints the text; audit verify passes, and finds any changed byte', async (t) => {
  const fs = await import('node:fs');
  const { env, work, at } = makeScratch(t);
  const log = at('work', 'a.jsonl');
  const called = await expectExit(0, ['call', 'echo', '{"message":"hi"}', '--audit', log, '--', ...command], { env, cwd: work });
  assert.match(called.stdout, /hi/);
  await expectExit(0, ['audit', 'verify', log], { env, cwd: work });
  const good = fs.readFileSync(log);
  assert.ok(good.length > 500, 'the log has records');
  // Every 97th byte, and the last one of the text.
  for (let at = 0; at < good.length - 1; at += 97) {
    const bad = Buffer.from(good);
    bad[at] ^= 1;
    fs.writeFileSync(log, bad);
    const { stdout, stderr } = await expectExit(3, ['audit', 'verify', log], { env, cwd: work });
    assert.match(stdout + stderr, /(record|line) \d+/, `byte ${at}`);
  }
  fs.writeFileSync(log, good);
  await expectExit(0, ['audit', 'verify', log], { env, cwd: work });
});

test('acceptance: run at minimum level full', async (t) => {
  const { env, work } = makeScratch(t);
  for (const mode of ['legacy', 'auto']) {
    const client = await officialClient(t, jailed(command, ['--minimum-level', 'full']), { env, cwd: work, mode });
    assert.equal((await client.listTools()).tools.length, 13);
    await client.close();
  }
});

test('one-shot commands: prompts, prompt, resources, read', async (t) => {
  const { env, work } = makeScratch(t);
  const json = async (...args) => JSON.parse((await expectExit(0, [...args, '--json', '--', ...command], { env, cwd: work })).stdout);
  assert.ok((await json('prompts')).prompts.some(({ name }) => name === 'args-prompt'));
  assert.match(JSON.stringify(await json('prompt', 'args-prompt', 'city=Paris')), /Paris/);
  const { resources } = await json('resources');
  assert.ok(resources.length > 0);
  assert.ok((await json('read', resources[0].uri)).contents.length > 0);
  assert.ok((await json('resources', '--templates')).resourceTemplates.length > 0);
});

test('a tool error exits 5, an unknown tool too', async (t) => {
  const { env, work } = makeScratch(t);
  await expectExit(5, ['call', 'get-sum', '{"a":"x"}', '--', ...command], { env, cwd: work });
  await expectExit(5, ['call', 'no-such-tool', '--', ...command], { env, cwd: work });
});

test('the server sees the curated environment only', async (t) => {
  const { env, work } = makeScratch(t);
  const secret = { ...env, AWS_SECRET_ACCESS_KEY: 'e2e-secret', GRANTED: 'yes', SSH_AUTH_SOCK: '/tmp/agent' };
  const { stdout } = await expectExit(0, ['call', 'get-env', '{}', '--env', 'GRANTED', '--', ...command], { env: secret, cwd: work });
  const seen = JSON.parse(stdout);
  assert.equal(seen.GRANTED, 'yes');
  assert.ok(!stdout.includes('e2e-secret'));
  assert.equal(seen.SSH_AUTH_SOCK, undefined);
  assert.notEqual(seen.HOME, env.HOME);
});
