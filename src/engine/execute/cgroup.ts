import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceLimits } from '../../records.ts';
import type { Exceeded } from '../../loop/score/over-limit.ts';
import { isAlive } from '../alive.ts';
import { cgroupPlaces, type CgroupPlace, type Controller } from './cgroup-places.ts';
import { TASKS_PER_PROCESS } from './limits.ts';

/** A control group of the system around one command: whatever it starts is in it, and can't leave it. */
export interface Cgroup {
  /** What the system limits here. */
  readonly controllers: readonly Controller[];
  /** Whoever writes 0 into `cgroup.procs` there is in, with what it starts from then on. It takes about 10 ms. */
  readonly folders: readonly string[];
  /** Everything that is in it. */
  members(): readonly number[];
  /** Which of its limits was reached, now or before. */
  exceeded(): Exceeded | undefined;
  /** From now on nothing in it can start anything. */
  close(): void;
  /** Removes it. What is still in it then stays without its limits. */
  dispose(): void;
}

const PREFIX = 'ratchet-';

/**
 * A control group for one command, below the engine's own, so that limits of the engine hold too. Undefined where there is
 * nothing to limit in this way, or the system doesn't let us.
 * Version 2 was written from its documentation: no machine of ours hands its controllers on.
 */
export function openCgroup(limits: ResourceLimits, mark: string, proc?: string): Cgroup | undefined {
  const { memoryBytes, processes } = limits;
  const wanted: readonly Controller[] = [...(memoryBytes === undefined ? [] : ['memory'] as const), ...(processes === undefined ? [] : ['pids'] as const)];
  const groups = (wanted.length === 0 || process.platform !== 'linux' ? [] : cgroupPlaces(wanted, proc)).flatMap((place) => {
    clean(place.folder);
    const folder = join(place.folder, `${PREFIX}${String(process.pid)}-${mark}`);
    const group = { ...place, folder };
    try {
      mkdirSync(folder);
      limit(group, limits);
      return [group];
    } catch {
      remove(folder);
      return [];
    }
  });
  const controllers = groups.flatMap((group) => group.controllers);
  if (groups.length === 0) return undefined;
  return {
    controllers,
    folders: groups.map(({ folder }) => folder),
    members: () => [...new Set(groups.flatMap(({ folder }) => read(folder, 'cgroup.procs').split('\n').filter((line) => line !== '').map(Number)))],
    exceeded: () => {
      if (groups.some((group) => group.controllers.includes('memory') && killed(group) > 0)) return 'memory';
      const pids = groups.find((group) => group.controllers.includes('pids'));
      return pids !== undefined && (count(read(pids.folder, 'pids.events'), 'max') > 0 || Number(read(pids.folder, 'cgroup.procs').split('\n').length - 1) > (processes ?? Infinity)) ? 'processes' : undefined;
    },
    close: () => {
      for (const { folder, controllers: kinds } of groups) if (kinds.includes('pids')) tryWrite(folder, 'pids.max', '0');
    },
    dispose: () => {
      for (const { folder } of groups) remove(folder);
    },
  };
}

function limit({ version, folder, controllers, left }: CgroupPlace, { memoryBytes, processes }: ResourceLimits): void {
  if (controllers.includes('pids') && processes !== undefined) writeFileSync(join(folder, 'pids.max'), String(lowest(TASKS_PER_PROCESS * processes, left, 'pids.max')));
  if (!controllers.includes('memory') || memoryBytes === undefined) return;
  const most = String(lowest(memoryBytes, left, 'memory.max'));
  writeFileSync(join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max'), most);
  // Memory that goes to the disk instead is a machine that stands still. Not every kernel counts it.
  if (version === 1) tryWrite(folder, 'memory.memsw.limit_in_bytes', most);
  else {
    tryWrite(folder, 'memory.swap.max', '0');
    tryWrite(folder, 'memory.oom.group', '1');
  }
}

/** A group that was left may have a limit, or `max` for none. */
function lowest(ours: number, left: readonly string[], file: string): number {
  return Math.min(ours, ...left.map((folder) => Number.parseInt(read(folder, file), 10)).filter(Number.isFinite));
}

/** How many processes the system ended because the group's memory was used up. */
function killed({ version, folder }: CgroupPlace): number {
  return count(read(folder, version === 1 ? 'memory.oom_control' : 'memory.events'), 'oom_kill');
}

/** The number after a name in lines of `name number`. */
function count(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

/** Groups of engines that were killed are empty by now, and in nobody's way but their own. */
function clean(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const engine = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : NaN;
      if (Number.isFinite(engine) && !isAlive(engine)) remove(join(folder, name));
    }
  } catch {
    // A folder that can't be read has none that we made.
  }
}

/** Refused while somebody is in it: then it stays for the next start. */
function remove(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // See above.
  }
}

function read(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'latin1');
  } catch {
    return '';
  }
}

function tryWrite(folder: string, file: string, text: string): void {
  try {
    writeFileSync(join(folder, file), text);
  } catch {
    // It is there on newer kernels only.
  }
}
