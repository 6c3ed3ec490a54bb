import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAlive } from './alive.ts';
import { readStat } from './execute/proc.ts';

/** Who holds something, as a file says it: a process, and where its number means that process. */
export interface Claim {
  readonly pid: number;
  /** When it began, in a unit of its system's; 0 where that doesn't say. */
  readonly started: number;
  readonly place: string;
  /** For people. */
  readonly host: string;
}

/**
 * Where process numbers mean what they mean to this process: one boot of one system, one pid namespace. Containers and
 * machines can share a home or a project, and a number of theirs that isn't seen here says nothing.
 */
export const HERE: string = createHash('sha256').update(systemName()).digest('hex').slice(0, 12);

/** A claim of another place counts for so long after it was last renewed. */
export const STALE_MS = 3 * 60_000;

export function ownClaim(): string {
  return `${process.pid} ${startOf(process.pid)} ${HERE} ${hostname().replaceAll(/\s/g, '')}\n`;
}

/** Undefined for a text that nobody wrote to its end. */
export function parseClaim(text: string): Claim | undefined {
  const [pid = '', started = '', place = '', host = ''] = text.trim().split(' ');
  return /^[1-9]\d*$/.test(pid) && place !== '' ? { pid: Number(pid), started: Number(started), place, host } : undefined;
}

/**
 * Whether the claim's process lives. Here that can be seen; a number that the system gave to another process since then
 * claims nothing. Elsewhere the claim counts while it is renewed. `renewedMs`: the file's time of change.
 */
export function holds({ pid, started, place }: Claim, renewedMs: number): boolean {
  if (place !== HERE) return Date.now() - renewedMs < STALE_MS;
  return isAlive(pid) && started === startOf(pid);
}

/** Whether a living process holds what the file at `path` claims; false where there is no such file. */
export async function isClaimed(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  const claim = parseClaim(await readFile(path, 'utf8').catch(() => ''));
  return claim !== undefined && holds(claim, found.mtimeMs);
}

function startOf(pid: number): number {
  return readStat(pid)?.started ?? 0;
}

function systemName(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
