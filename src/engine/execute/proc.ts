import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { PIPE_NAME } from './pipes.ts';

/** One line of `/proc/PID/stat` (proc(5)), as far as ending processes needs it. Linux only. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot. Together with `pid` it names one process for good: numbers are used again, pairs are not. */
  readonly started: number;
  /** False for what has ended and only waits to be collected by its parent. */
  readonly alive: boolean;
}

/** Undefined where there is no such process (any more) or no /proc. */
export function readStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the program's name in brackets and may hold anything, brackets and spaces too.
  const [state = '', parent, group, session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(rest[15]),
    alive: !'ZXx'.includes(state),
  };
}

/** Numbers of all processes in this pid namespace; empty where there is no /proc. */
export function listPids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The number that the system gave out last: numbers rise and begin again after the highest. */
export function lastPid(): number {
  return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').pop());
}

/**
 * Whether the process began with exactly `entry` ("NAME=value") in its environment; false where we may not look.
 * Undefined for the moment in which it turns into another program, or ends: the system shows it with nothing then, not even
 * its arguments, and it has to be asked again.
 */
export function hasEnvironmentEntry(pid: number, entry: string): boolean | undefined {
  try {
    const environment = readFileSync(`/proc/${String(pid)}/environ`, 'utf8');
    if (environment !== '') return `\0${environment}`.includes(`\0${entry}\0`);
    if (readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8') === '') return undefined;
    // With arguments it is complete: what it has now is its environment, if it has any.
    return `\0${readFileSync(`/proc/${String(pid)}/environ`, 'utf8')}`.includes(`\0${entry}\0`);
  } catch {
    return false;
  }
}

/** The pipes or sockets that a process has as standard output and error, by the system's names for them. */
export function outputPipes(pid: number): readonly string[] {
  return ['1', '2'].flatMap((fd) => {
    try {
      const name = readlinkSync(`/proc/${String(pid)}/fd/${fd}`);
      return /^(?:pipe|socket):/.test(name) || name.includes(PIPE_NAME) ? [name] : [];
    } catch {
      return [];
    }
  });
}

/** How many processes and threads the whole system has; undefined where there is no /proc. */
export function taskCount(): number | undefined {
  try {
    const count = Number(/\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1]);
    return Number.isFinite(count) ? count : undefined;
  } catch {
    return undefined;
  }
}

/** Memory that a process holds now, in bytes; 0 where there is none to see. What it shares with others counts in full. */
export function residentBytes(pid: number): number {
  return kilobytes(`/proc/${String(pid)}/status`, /^VmRSS:\s+(\d+) kB$/m);
}

/** The same, but of what it shares with others its part only. Dear: the kernel looks at every page. */
export function proportionalBytes(pid: number): number {
  return kilobytes(`/proc/${String(pid)}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m);
}

function kilobytes(path: string, pattern: RegExp): number {
  try {
    return 1024 * Number(pattern.exec(readFileSync(path, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
