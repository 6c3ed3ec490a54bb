import type { ResourceLimits } from '../../records.ts';
import type { Exceeded } from '../../loop/score/over-limit.ts';
import type { Cgroup } from './cgroup.ts';
import type { Family } from './family.ts';
import { proportionalBytes, residentBytes, taskCount } from './proc.ts';

/** Between two short looks: at the number of all tasks of the system, or at what a control group tells. */
const TICK_MS = 100;
/** So many of them apart are the looks at the whole family, which cost a few milliseconds on a machine with many processes. */
const TICKS_PER_LOOK = 5;

/** Calls `action` every so many milliseconds until the returned function is called. */
export type Every = (ms: number, action: () => void) => () => void;

export interface Watch {
  /** Resolves when a limit is reached; never, where none is. */
  readonly exceeded: Promise<Exceeded>;
  stop(): void;
}

/**
 * Watches what a family uses. What a control group limits is only asked for there; the rest is counted, on Linux alone:
 * memory as the resident size of all members, what they share once.
 */
export function watch(family: Family, limits: ResourceLimits, cgroup: Cgroup | undefined, every: Every = interval): Watch {
  const counts = { memory: limits.memoryBytes !== undefined && cgroup?.controllers.includes('memory') !== true, processes: limits.processes !== undefined && cgroup?.controllers.includes('pids') !== true };
  const tasks = taskCount();
  let stop = (): void => undefined;
  const exceeded = new Promise<Exceeded>((resolve) => {
    if (cgroup === undefined && (tasks === undefined || (!counts.memory && !counts.processes))) return;
    let ticks = 0;
    stop = every(TICK_MS, () => {
      ticks += 1;
      // More than a family may have: somebody starts very many at this moment.
      const crowded = counts.processes && (taskCount() ?? 0) - (tasks ?? 0) > (limits.processes ?? Infinity);
      const due = ticks % TICKS_PER_LOOK === 0 && (counts.memory || counts.processes);
      const found = cgroup?.exceeded() ?? (crowded || due ? uses(family.members(), limits, counts) : undefined);
      if (found !== undefined) resolve(found);
    });
  });
  return { exceeded, stop: () => { stop(); } };
}

function uses(members: readonly number[], { memoryBytes = Infinity, processes = Infinity }: ResourceLimits, counts: { readonly memory: boolean; readonly processes: boolean }): Exceeded | undefined {
  if (counts.processes && members.length > processes) return 'processes';
  if (!counts.memory || sum(members, residentBytes) <= memoryBytes) return undefined;
  // Workers that were forked share what their parent had read: counted once for each, it would be many times what is there.
  return sum(members, (pid) => proportionalBytes(pid) || residentBytes(pid)) > memoryBytes ? 'memory' : undefined;
}

function sum(pids: readonly number[], bytesOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + bytesOf(pid), 0);
}

function interval(ms: number, action: () => void): () => void {
  const timer = setInterval(action, ms);
  return () => { clearInterval(timer); };
}
