// SPDX-License-Identifier: Apache-2.0
// @wonderwhy-er/desktop-commander: rewrites its own configuration at home, starts shells, looks for the network.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { jailed, officialClient } from './lib/compare.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

const command = servers.desktopCommander;
const text = (result) => result.content.map((part) => part.text).join('\n');

test('the lists are the same in both eras', async (t) => {
  const { env, work } = makeScratch(t);
  const listed = async (target, mode) => {
    const client = await officialClient(t, target, { env, cwd: work, mode });
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  };
  const direct = await listed(command, 'legacy');
  assert.equal(direct.length, 26);
  // Where it believes to be in a container, it describes what it sees there, and inside it sees less, rightly.
  const aboutItsPlace = new Set(direct.filter(({ description }) => /container|docker/i.test(description)).map(({ name }) => name));
  const comparable = (tools) => tools.map(({ execution, ...tool }) =>
    aboutItsPlace.has(tool.name) ? { ...tool, description: '' } : tool);
  for (const mode of ['legacy', 'auto']) {
    assert.deepEqual(comparable(await listed(jailed(command), mode)), comparable(direct), mode);
  }
});

for (const mode of ['legacy', 'auto']) {
  test(`lists a granted folder, runs a shell, keeps to its jail (${mode})`, async (t) => {
    const { env, work, at } = makeScratch(t);
    fs.mkdirSync(at('work', 'granted'));
    fs.writeFileSync(at('work', 'granted', 'note.txt'), 'note');
    const client = await officialClient(
      t, jailed(command, ['--write', at('work', 'granted')]), { env, cwd: work, mode });
    const call = async (name, args) => text(await client.callTool({ name, arguments: args }));

    assert.match(await call('list_directory', { path: at('work', 'granted') }), /note\.txt/);
    const shell = (line) => call('start_process', { command: line, timeout_ms: 10_000, shell: '/bin/sh' });
    assert.match(await shell('echo $((6 * 7)); id -u'), /42/);
    assert.match(await shell(`cat ${at('work', 'granted', 'note.txt')}`), /note/);
    assert.match(await shell('cat /etc/shadow; echo status=$?'), /status=1/);
    assert.match(await shell(`ls ${env.HOME}; echo status=$?`), /status=[12]/);
    await client.close();
    // Its settings went into its private home, not into the user's.
    assert.deepEqual(fs.readdirSync(env.HOME), []);
  });
}
