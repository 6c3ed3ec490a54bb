/** Which processes belong to one editor, and how they are ended. Linux only: it reads /proc. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Every process of one editor has this variable, and so has what they start, however detached. */
export const MARKER_VARIABLE = 'RATCHET_TEST_HOST';

export interface ProcessSeen {
  readonly pid: number;
  readonly command: string;
}

export function newMarker(): string {
  return randomUUID();
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // It ended between the listing and this line, or is not ours.
    return '';
  }
}

/**
 * The living processes with this marker, or in one of these sessions (a browser's helpers overwrite their environment,
 * but stay in the session of the browser). What has ended and only waits to be collected is not counted.
 */
export function processesOf(marker: string, sessions: readonly number[]): ProcessSeen[] {
  const seen: ProcessSeen[] = [];
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // The name in parentheses may hold anything, so the fields are counted from its end: state, parent, group, session.
    const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || state === '' || state === 'Z' || state === 'X') continue;
    const marked = read(`/proc/${name}/environ`).split('\0').includes(`${MARKER_VARIABLE}=${marker}`);
    if (!marked && !sessions.includes(Number(session))) continue;
    const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
    seen.push({ pid: Number(name), command });
  }
  return seen;
}

/** Waits until `find` finds nothing, at most `limitMs`, and gives what is still there. */
export async function waitUntilGone(find: () => ProcessSeen[], limitMs: number): Promise<ProcessSeen[]> {
  const until = performance.now() + limitMs;
  for (;;) {
    const left = find();
    if (left.length === 0 || performance.now() > until) return left;
    await delay(50);
  }
}

/** Sends a signal to each; one that has just ended is no error. */
export function signalAll(processes: readonly ProcessSeen[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
