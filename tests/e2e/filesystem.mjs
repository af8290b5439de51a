// SPDX-License-Identifier: Apache-2.0
// server-filesystem: a granted folder works as without a jail; everything else does not exist.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { expectExit, run } from './lib/command.mjs';
import { sameBytes, sameForOfficialClient } from './lib/compare.mjs';
import { makeScratch, servers } from './lib/scratch.mjs';

function folder(t) {
  const scratch = makeScratch(t);
  const root = scratch.at('work', 'granted');
  const before = () => {
    fs.rmSync(root, { recursive: true, force: true });
    fs.mkdirSync(root);
    fs.writeFileSync(`${root}/hello.txt`, 'hello from outside\n');
  };
  before();
  fs.writeFileSync(scratch.at('work', 'private.txt'), 'not granted\n');
  return { ...scratch, root, before, command: [...servers.filesystem, root] };
}

test('raw answers are equal with and without calaboose', async (t) => {
  const { env, work, root, before, command } = folder(t);
  await sameBytes({
    command, env, cwd: work, before, options: ['--write', root],
    steps: [
      ['tools/call', { name: 'list_allowed_directories', arguments: {} }],
      ['tools/call', { name: 'read_text_file', arguments: { path: `${root}/hello.txt` } }],
      ['tools/call', { name: 'write_file', arguments: { path: `${root}/new.txt`, content: 'one\ntwo\n' } }],
      ['tools/call', { name: 'edit_file', arguments: { path: `${root}/new.txt`, edits: [{ oldText: 'two', newText: 'three' }] } }],
      ['tools/call', { name: 'create_directory', arguments: { path: `${root}/sub/deeper` } }],
      ['tools/call', { name: 'move_file', arguments: { source: `${root}/new.txt`, destination: `${root}/sub/moved.txt` } }],
      ['tools/call', { name: 'directory_tree', arguments: { path: root } }],
      ['tools/call', { name: 'search_files', arguments: { path: root, pattern: '**/*.txt' } }],
      ['tools/call', { name: 'read_text_file', arguments: { path: `${work}/private.txt` } }],
    ],
  });
  // What was written inside is the user's own file outside.
  assert.equal(fs.readFileSync(`${root}/sub/moved.txt`, 'utf8'), 'one\nthree\n');
  assert.equal(fs.statSync(`${root}/sub/moved.txt`).uid, process.getuid());
});

test('the official client sees the same in both eras', async (t) => {
  const { env, work, root, before, command } = folder(t);
  await sameForOfficialClient(t, {
    command, env, cwd: work, before, options: ['--write', root],
    calls: [
      { name: 'write_file', arguments: { path: `${root}/a.txt`, content: 'x' } },
      { name: 'read_text_file', arguments: { path: `${root}/a.txt` } },
      { name: 'directory_tree', arguments: { path: root } },
      { name: 'read_text_file', arguments: { path: '/etc/shadow' } },
    ],
  });
});

test('a read grant does not let it write', async (t) => {
  const { env, work, root, command } = folder(t);
  const call = (name, args) => run(['call', name, JSON.stringify(args), '--read', root, '--', ...command], { env, cwd: work });
  const read = await call('read_text_file', { path: `${root}/hello.txt` });
  assert.equal(read.code, 0, read.stderr);
  assert.match(read.stdout, /hello from outside/);
  const write = await call('write_file', { path: `${root}/new.txt`, content: 'x' });
  assert.equal(write.code, 5, write.stderr);
  assert.ok(!fs.existsSync(`${root}/new.txt`));
});

test('a folder that is only named in the arguments is not granted, and the person is told how to grant it', async (t) => {
  const { env, work, root, command } = folder(t);
  const { stdout, stderr } = await run(
    ['call', 'read_text_file', JSON.stringify({ path: `${root}/hello.txt` }), '--', ...command], { env, cwd: work });
  assert.ok(!stdout.includes('hello from outside'));
  assert.match(stderr, /--(read|write)/);
  assert.ok(stderr.includes(root));
});

test('a grant of the home folder, of / or of a symlink is refused', async (t) => {
  const { env, work, at, root, command } = folder(t);
  fs.symlinkSync(root, at('work', 'link'));
  for (const path of ['/', env.HOME]) {
    await expectExit(2, ['tools', '--write', path, '--', ...command], { env, cwd: work });
  }
});
