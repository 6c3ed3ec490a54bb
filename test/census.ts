import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** A living process, as a failed test shows it. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/**
 * Living processes among `wanted`: a number is a process or anything below it, a text is a mark (`RATCHET_MARK`) or any
 * other text of the environment it began with. What has ended and only waits to be collected is not alive.
 * Written apart from the engine's own search, so that a mistake there shows. Where there is no /proc only numbers are seen.
 */
export function census(...wanted: readonly (number | string)[]): readonly Survivor[] {
  const numbers = wanted.filter((each) => typeof each === 'number');
  const texts = wanted.filter((each) => typeof each === 'string');
  const all = processes();
  if (all === undefined) return numbers.filter(exists).map((pid) => ({ pid, command: '?' }));
  const below = (pid: number): boolean => numbers.includes(pid) || (all.has(pid) && below(all.get(pid)?.parent ?? 0));
  return [...all.entries()]
    .filter(([pid, { state }]) => pid !== process.pid && !'ZXx'.includes(state)
      && (below(pid) || texts.some((text) => read(`/proc/${String(pid)}/environ`).includes(text))))
    .map(([pid]) => ({ pid, command: read(`/proc/${String(pid)}/cmdline`).replaceAll('\0', ' ').trim() }));
}

/** Fails, naming them, if any of `wanted` (as in `census`) is alive; with `withinMs`, if any still is after that time. */
export async function assertNoSurvivors(wanted: readonly (number | string)[], withinMs = 0): Promise<void> {
  const deadline = Date.now() + withinMs;
  let alive = census(...wanted);
  while (alive.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    alive = census(...wanted);
  }
  assert.deepEqual(alive, [], 'processes are still alive');
}

function processes(): ReadonlyMap<number, { readonly parent: number; readonly state: string }> | undefined {
  let names: readonly string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return new Map(names.flatMap((name) => {
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(read(`/proc/${name}/stat`)) ?? [];
    return state === undefined ? [] : [[Number(name), { state, parent: Number(parent) }] as const];
  }));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
