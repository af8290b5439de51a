// SPDX-License-Identifier: Apache-2.0
// One-shot commands of calaboose.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { calaboose } from './scratch.mjs';

/** Runs calaboose to its end: {code, signal, stdout, stderr, ms}. */
export async function run(args, { env, cwd, input = '', timeout = 30_000 }) {
  const started = Date.now();
  const child = spawn(calaboose, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  return { code, signal, stdout, stderr, ms: Date.now() - started };
}

/** Like run(), and the exit code must be `expected`. */
export async function expectExit(expected, args, options) {
  const result = await run(args, options);
  if (result.code !== expected) {
    throw new Error(`calaboose ${args.join(' ')}\nended with ${result.code ?? result.signal}, not ${expected}` +
      `\nstdout: ${result.stdout.slice(-2000)}\nstderr: ${result.stderr.slice(-4000)}`);
  }
  return result;
}
