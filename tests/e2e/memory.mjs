// SPDX-License-Identifier: Apache-2.0
// server-memory: keeps a data file in the server's private home, which survives restarts and belongs to it alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { expectExit } from './lib/command.mjs';
import { sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs', 'ünïcödé'] }];
const relations = [{ from: 'Ada', to: 'Engine', relationType: 'programs' }];

test('raw answers are equal with and without calaboose', async (t) => {
  const { env, work, at } = makeScratch(t);
  const file = at('work', 'store', 'memory.jsonl');
  await sameBytes({
    command: servers.memory, env: { ...env, MEMORY_FILE_PATH: file }, cwd: work,
    options: ['--write', at('work', 'store'), '--env', 'MEMORY_FILE_PATH'],
    before: () => {
      fs.rmSync(at('work', 'store'), { recursive: true, force: true });
      fs.mkdirSync(at('work', 'store'));
    },
    steps: [
      ['tools/call', { name: 'create_entities', arguments: { entities } }],
      ['tools/call', { name: 'create_relations', arguments: { relations } }],
      ['tools/call', { name: 'read_graph', arguments: {} }],
      ['tools/call', { name: 'search_nodes', arguments: { query: 'programs' } }],
      ['tools/call', { name: 'create_entities', arguments: { entities: 'wrong' } }],
    ],
  });
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work, at } = makeScratch(t);
  await sameForOfficialClient(t, {
    command: servers.memory, env: { ...env, MEMORY_FILE_PATH: at('work', 'store', 'm.jsonl') }, cwd: work,
    options: ['--write', at('work', 'store'), '--env', 'MEMORY_FILE_PATH'],
    before: () => {
      fs.rmSync(at('work', 'store'), { recursive: true, force: true });
      fs.mkdirSync(at('work', 'store'));
    },
    calls: [{ name: 'create_entities', arguments: { entities } }, { name: 'read_graph', arguments: {} }],
  });
});

test('data in the private home survives a restart and is not seen by another server', async (t) => {
  const { env, work } = makeScratch(t);
  // A relative path is looked up beside the program, which is read-only: so the home is asked for first.
  const home = JSON.parse((await expectExit(0, ['call', 'get-env', '{}', '--', ...servers.everything], { env, cwd: work })).stdout).HOME;
  const call = async (name, tool, args) => (await expectExit(0, [
    'call', tool, JSON.stringify(args), '--name', name, '--env', `MEMORY_FILE_PATH=${home}/memory.jsonl`, '--', ...servers.memory,
  ], { env, cwd: work })).stdout;
  await call('first', 'create_entities', { entities });
  assert.match(await call('first', 'read_graph', {}), /Ada/);
  assert.doesNotMatch(await call('second', 'read_graph', {}), /Ada/);
  // It lies below our own data folder, and nowhere in the user's home.
  const found = fs.readdirSync(env.XDG_DATA_HOME, { recursive: true }).filter((name) => name.endsWith('memory.jsonl'));
  assert.equal(found.length, 1);
  assert.match(found[0], /^calaboose\/servers\/[0-9a-f]{64}\/home\/memory\.jsonl$/);
  assert.deepEqual(fs.readdirSync(env.HOME), []);
});
