import type { Family } from './family.ts';
import { hasEnvironmentEntry, lastPid, listPids, outputPipes, readStat } from './proc.ts';
import type { ProcessStat } from './proc.ts';
import { signalGroup, signalProcess } from './signals.ts';

/** Name of the environment variable that every process of one execution carries. */
export const MARK_NAME = 'RATCHET_MARK';

/** No machine gives out all its process numbers in this time, so only numbers after the family's first one are new. */
const NARROW_MS = 1_000;
/** Parent of all threads of the kernel, which have neither environment nor arguments. */
const KERNEL = 2;
/** A look ends after so many additions, on machines where processes are born all the time. */
const MOST_ROUNDS = 5;

/**
 * The family as /proc shows it. A member is whoever
 * - is in the session that the command began with, or descends from a member, or did when we last looked;
 * - carries the mark, wherever it was moved to (a daemon that left the session and lost its parents);
 * - holds the command's output open (the same daemon with an emptied environment);
 * - is in the command's control group, where it has one: nothing gets out of it.
 * What hides from all four is out of reach without a pid namespace, which the overlay slots add.
 * `first` is the command's own process, just started; `outputs` are its standard output and error by the system's names;
 * `inside` gives who is in the control group.
 */
export function linuxFamily(first: ProcessStat, mark: string, outputs: readonly string[], inside: () => readonly number[] = () => []): Family {
  const { pid } = first;
  const bornMs = performance.now();
  const entry = `${MARK_NAME}=${mark}`;
  const known = new Set([identity(first)]);
  const strangers = new Set<string>();
  /** Of the last look: they may be ours, and must not be killed before that is known. */
  const unsettled = new Set<number>();

  const isOurs = (each: ProcessStat): boolean => {
    if (strangers.has(identity(each))) return false;
    const marked = hasEnvironmentEntry(each.pid, entry);
    if (marked === true || outputPipes(each.pid).some((pipe) => outputs.includes(pipe))) return true;
    if (marked === undefined && each.alive && each.parent !== KERNEL) unsettled.add(each.pid);
    else strangers.add(identity(each));
    return false;
  };
  const membersOf = (all: readonly ProcessStat[]): readonly ProcessStat[] => {
    unsettled.clear();
    const recent = all.filter((each) => each.started >= first.started);
    // Once the number of the command's own process names another process, so does the session's number.
    const sessionIsOurs = recent.every((each) => each.pid !== pid || each.started === first.started);
    const grouped = new Set(inside());
    return withDescendants(recent, (each) => known.has(identity(each)) || grouped.has(each.pid) || (sessionIsOurs && each.session === pid) || isOurs(each));
  };
  const look = (): readonly ProcessStat[] => {
    let last = lastPid();
    let seen = readStats(performance.now() - bornMs < NARROW_MS ? pidsSince(pid) : listPids());
    let members = membersOf(seen);
    // Who was born during the look may be all that is left of a parent that had gone before its turn came.
    for (let round = 0, now = lastPid(); now !== last && round < MOST_ROUNDS; round += 1, now = lastPid()) {
      seen = [...seen, ...readStats(pidsSince(last + 1))];
      members = membersOf(seen);
      last = now;
    }
    for (const member of members) known.add(identity(member));
    return members.filter((member) => member.alive);
  };

  return {
    ask: () => {
      if (look().some((member) => member.group === pid)) signalGroup(pid, 'SIGTERM');
    },
    members: () => look().map((member) => member.pid),
    living: () => [...look().map((member) => member.pid), ...unsettled],
    kill: () => {
      // At once for the group, so that none of it can start another one meanwhile: a look at a fork bomb takes a while.
      if (readStat(pid)?.started === first.started) signalGroup(pid, 'SIGKILL');
      const members = look();
      if (members.some((member) => member.group === pid)) signalGroup(pid, 'SIGKILL');
      for (const member of members) {
        if (readStat(member.pid)?.started === member.started) signalProcess(member.pid, 'SIGKILL');
      }
      return Promise.resolve([...members.map((member) => member.pid), ...unsettled]);
    },
  };
}

const identity = (process: ProcessStat): string => `${String(process.pid)}:${String(process.started)}`;

const readStats = (pids: readonly number[]): readonly ProcessStat[] => pids.flatMap((pid) => readStat(pid) ?? []);

function pidsSince(first: number): readonly number[] {
  const last = lastPid();
  return listPids().filter((pid) => (last >= first ? pid >= first && pid <= last : pid >= first || pid <= last));
}

function withDescendants(all: readonly ProcessStat[], belongs: (process: ProcessStat) => boolean): readonly ProcessStat[] {
  const members = new Map<number, ProcessStat>();
  const add = (process: ProcessStat): void => {
    if (members.has(process.pid)) return;
    members.set(process.pid, process);
    for (const child of all) if (child.parent === process.pid) add(child);
  };
  for (const process of all) if (belongs(process)) add(process);
  return [...members.values()];
}
