// SPDX-License-Identifier: Apache-2.0
// server-sequential-thinking: state over several calls, structured content.
import test from 'node:test';

import { sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const thought = (number) => ({
  name: 'sequentialthinking',
  arguments: { thought: `step ${number}`, thoughtNumber: number, totalThoughts: 3, nextThoughtNeeded: number < 3 },
});

test('raw answers are equal with and without calaboose', async (t) => {
  const { env, work } = makeScratch(t);
  await sameBytes({
    command: servers.sequentialThinking, env, cwd: work,
    steps: [
      ...[1, 2, 3].map((number) => ['tools/call', thought(number)]),
      ['tools/call', { name: 'sequentialthinking', arguments: { thought: 1 } }],
    ],
  });
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work } = makeScratch(t);
  await sameForOfficialClient(t, { command: servers.sequentialThinking, env, cwd: work, calls: [1, 2, 3].map(thought) });
});
