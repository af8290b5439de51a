// SPDX-License-Identifier: Apache-2.0
// Which processes exist, seen from outside the jail.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

function stat(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, state: fields[0], parent: Number(fields[1]), started: fields[19] };
  } catch {
    return undefined;
  }
}

function all() {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((name) => stat(Number(name))).filter(Boolean);
}

/** Everything below `root` right now. */
export function descendants(root) {
  const children = new Map();
  for (const process of all()) {
    if (!children.has(process.parent)) children.set(process.parent, []);
    children.get(process.parent).push(process);
  }
  const found = [];
  const queue = [root];
  while (queue.length) {
    for (const child of children.get(queue.pop()) ?? []) {
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}

export function isAlive(process) {
  const now = stat(process.pid);
  return now !== undefined && now.started === process.started && now.state !== 'Z' && now.state !== 'X';
}

/** Processes whose command line contains `text` (other than this one). */
export function withCommandLine(text) {
  return all().filter(({ pid, state }) => {
    if (pid === globalThis.process.pid || state === 'Z') return false;
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

/** Waits until `condition()` holds; false when `ms` are over first. */
export async function within(ms, condition) {
  for (const end = Date.now() + ms; ;) {
    if (await condition()) return true;
    if (Date.now() >= end) return false;
    await delay(10);
  }
}
