// SPDX-License-Identifier: Apache-2.0
// The same conversation with a server directly and through `calaboose run`: what the host sees must be equal (I4).
import assert from 'node:assert/strict';

import { memberText, minify } from './json_text.mjs';
import { RawPeer } from './raw_peer.mjs';
import { calaboose, packageFile } from './scratch.mjs';

// By file name: the packages are installed in the build folder, not beside this file.
const { Client } = await import(packageFile('@modelcontextprotocol/client', 'dist/index.mjs'));
const { StdioClientTransport } = await import(packageFile('@modelcontextprotocol/client', 'dist/stdio.mjs'));

/** `command` behind calaboose run; `options` are run's own. */
export function jailed(command, options = []) {
  return [calaboose, 'run', ...options, '--', ...command];
}

const LISTS = [
  ['tools', 'tools/list'], ['prompts', 'prompts/list'],
  ['resources', 'resources/list'], ['resources', 'resources/templates/list'],
];

/** Metadata that every request of revision 2026-07-28 carries. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'calaboose-e2e', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function converse(command, { env, cwd, steps, modern }) {
  const peer = new RawPeer(command, { env, cwd });
  const lines = [];
  const ask = async (method, params = {}) => {
    const full = modern ? { ...params, _meta: { ...modernMeta, ...params._meta } } : params;
    const answer = await peer.request(method, full);
    lines.push([`${method} ${JSON.stringify(params).slice(0, 80)}`, minify(answer.line)]);
    return answer.message;
  };
  const opening = modern ? await ask('server/discover') : (await peer.open()).message;
  // The answer to the handshake is put together from what the server said: its result is compared.
  lines[0] = ['opening', memberText(minify(peer.lines.find((line) => line.includes('"result"'))), 'result')];
  const capabilities = opening.result.capabilities;
  for (const [capability, method] of LISTS) {
    if (capabilities[capability]) await ask(method);
  }
  for (const [method, params] of steps) await ask(method, params);
  const { code } = await peer.close();
  assert.equal(code, 0, `${command.join(' ')} ended with ${code}: ${peer.stderr.slice(-2000)}`);
  return { lines, opening };
}

/**
 * Plays opening, all lists and `steps` ([method, params]…) twice and compares every answer byte for byte after
 * minifying. `options`: run's own; `before`: called before each of the two conversations.
 */
export async function sameBytes({ command, options, env, cwd, steps, modern = false, before = () => {} }) {
  before();
  const direct = await converse(command, { env, cwd, steps, modern });
  before();
  const through = await converse(jailed(command, options), { env, cwd, steps, modern });
  assert.equal(through.lines.length, direct.lines.length);
  for (const [index, [what, line]] of direct.lines.entries()) {
    assert.equal(through.lines[index][1], line, `${what}: calaboose changed the answer`);
  }
  return direct;
}

/** A connected official client; closed when the test ends. `mode`: 'legacy' or 'auto' (2026-07-28 if offered). */
export async function officialClient(t, command, { env, cwd, mode = 'legacy', capabilities = {} }) {
  const client = new Client({ name: 'calaboose-e2e', version: '1' }, { capabilities, versionNegotiation: { mode } });
  const transport = new StdioClientTransport({ command: command[0], args: command.slice(1), env, cwd, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (data) => { stderr += data; });
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`the official client could not connect: ${error.message}; stderr: ${stderr.slice(-2000)}`);
  }
  t.after(() => client.close());
  return client;
}

/** `execution` (tasks of 2025-11-25) does not exist in 2026-07-28; everything else crosses unchanged. */
function inOtherEra(seen) {
  return { ...seen, tools: seen.tools?.map(({ execution, ...tool }) => tool) };
}

async function everythingListed(client) {
  const capabilities = client.getServerCapabilities() ?? {};
  return {
    tools: capabilities.tools ? (await client.listTools()).tools : undefined,
    prompts: capabilities.prompts ? (await client.listPrompts()).prompts : undefined,
    resources: capabilities.resources ? (await client.listResources()).resources : undefined,
    templates: capabilities.resources ? (await client.listResourceTemplates()).resourceTemplates : undefined,
    instructions: client.getInstructions(),
  };
}

async function outcome(client, call) {
  try {
    const { content, structuredContent, isError } = await client.callTool(call);
    return { content, structuredContent, isError };
  } catch (error) {
    return { thrown: error.message, code: error.code };
  }
}

/**
 * The official client, directly in the server's own era and through calaboose in both: lists and the outcomes of
 * `calls` ({name, arguments}…) must be deeply equal.
 */
export async function sameForOfficialClient(t, { command, options, env, cwd, calls, before = () => {} }) {
  const play = async (target, mode) => {
    before();
    const client = await officialClient(t, target, { env, cwd, mode });
    const seen = { ...(await everythingListed(client)), calls: [] };
    for (const call of calls) seen.calls.push(await outcome(client, call));
    const version = client.getNegotiatedProtocolVersion();
    await client.close();
    return { seen, version };
  };
  const direct = await play(command, 'auto');
  for (const mode of ['legacy', 'auto']) {
    const through = await play(jailed(command, options), mode);
    assert.equal(through.version, mode === 'auto' ? '2026-07-28' : '2025-11-25');
    const crossesEras = through.version !== direct.version;
    assert.deepEqual(through.seen, crossesEras ? inOtherEra(direct.seen) : direct.seen, `official client, mode ${mode}`);
  }
}
