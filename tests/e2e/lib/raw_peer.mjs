// SPDX-License-Identifier: Apache-2.0
// A raw MCP host over stdio: sends lines, keeps the answers' bytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const DEADLINE_MS = 30_000;

// A failed test leaves nothing behind.
const running = new Set();
process.on('exit', () => { for (const child of running) child.kill('SIGKILL'); });

export class RawPeer {
  /** `command` is [program, ...args]. */
  constructor(command, { env, cwd }) {
    this.child = spawn(command[0], command.slice(1), { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    running.add(this.child);
    this.child.once('exit', () => running.delete(this.child));
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.closed = once(this.child, 'close');
    this.stderr = '';
    this.lines = [];          // all of them, in the order of arrival
    this.notifications = [];  // lines with a method and no id
    this.requests = [];       // lines with a method and an id
    this.strays = [];         // lines that are not JSON
    this.waiting = new Map();
    this.watchers = new Set();
    this.nextId = 1;
    let rest = '';
    this.child.stdin.on('error', () => {});  // the other side may be gone: the tests look at answers
    this.child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.#onLine(line);
    });
    this.closed.then(() => {
      for (const { reject } of this.waiting.values()) {
        reject(new Error(`the server ended without an answer; stderr: ${this.stderr.slice(-2000)}`));
      }
      this.waiting.clear();
    });
  }

  #onLine(line) {
    this.lines.push(line);
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.strays.push(line);
      return;
    }
    if (message.method !== undefined) {
      (message.id === undefined ? this.notifications : this.requests).push(line);
    } else {
      const key = JSON.stringify(message.id);
      this.waiting.get(key)?.resolve({ line, message });
      this.waiting.delete(key);
    }
    for (const watcher of this.watchers) watcher();
  }

  send(line) {
    this.child.stdin.write(line + '\n');
  }

  /** The answer to one request: its line as it came, and parsed. */
  request(method, params, id = this.nextId++) {
    const answer = this.answerTo(id, method);
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
    return answer;
  }

  answerTo(id, what = 'request') {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${what} within ${DEADLINE_MS} ms; stderr: ${this.stderr.slice(-2000)}`)),
        DEADLINE_MS);
      const settle = (how) => (value) => { clearTimeout(timer); how(value); };
      this.waiting.set(JSON.stringify(id), { resolve: settle(resolve), reject: settle(reject) });
    });
  }

  notify(method, params) {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }));
  }

  /** Resolves as soon as `condition()` holds, looked at after every line. */
  async until(condition, what) {
    if (condition()) return;
    await new Promise((resolve, reject) => {
      const done = (how, value) => { clearTimeout(timer); this.watchers.delete(watcher); how(value); };
      const watcher = () => { if (condition()) done(resolve); };
      const timer = setTimeout(() => done(reject, new Error(`${what}: not within ${DEADLINE_MS} ms`)), DEADLINE_MS);
      this.watchers.add(watcher);
    });
  }

  async open(revision = '2025-11-25', capabilities = {}) {
    const opening = await this.request('initialize', {
      protocolVersion: revision,
      capabilities,
      clientInfo: { name: 'calaboose-e2e', version: '1' },
    });
    if (!opening.message.error) this.notify('notifications/initialized');
    return opening;
  }

  /** Closes stdin and waits for the end. */
  async close() {
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), DEADLINE_MS);
    await this.closed;
    clearTimeout(timer);
    return this.exited;
  }
}
