// SPDX-License-Identifier: Apache-2.0
// @bytebase/dbhub --demo: a server of revision 2026-07-28 with SQL on its in-memory database.
import assert from 'node:assert/strict';
import test from 'node:test';

import { expectExit } from './lib/command.mjs';
import { sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const command = servers.dbhub;
const sql = (text) => ({ name: 'execute_sql', arguments: { sql: text } });
const steps = [
  ['tools/call', sql('select 1 + 1 as two')],
  ['tools/call', sql('select emp_no, first_name from employee order by emp_no limit 3')],
  ['tools/call', sql('select nonsense from nowhere')],
  ['tools/call', { name: 'no-such-tool', arguments: {} }],
];

test('raw answers are equal with and without calaboose (2026-07-28)', async (t) => {
  const { env, work } = makeScratch(t);
  await sameBytes({ command, env, cwd: work, steps, modern: true });
});

test('raw answers are equal with and without calaboose (2025-11-25)', async (t) => {
  const { env, work } = makeScratch(t);
  await sameBytes({ command, env, cwd: work, steps });
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work } = makeScratch(t);
  await sameForOfficialClient(t, { command, env, cwd: work, calls: steps.map(([, params]) => params) });
});

test('call works from the command line', async (t) => {
  const { env, work } = makeScratch(t);
  const { stdout } = await expectExit(
    0, ['call', 'execute_sql', '--arg', 'sql=select 40 + 2 as answer', '--', ...command], { env, cwd: work });
  assert.match(stdout, /42/);
});
