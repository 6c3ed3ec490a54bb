import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HumanError } from '../../errors.ts';
import { isAlive } from '../alive.ts';
import { HERE, STALE_MS } from '../claim.ts';
import { isWithin } from '../../wire/root.ts';
import { removeTree } from './tidy.ts';

/**
 * The folder for all slots of this user (a real path, made when missing): the first of the user's cache folder, /var/tmp
 * and the temporary folder that can be written and lies outside `top`.
 */
export async function slotBase(top: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const mine = `ratchet-${process.getuid?.() ?? 'slots'}`;
  const cache = env['XDG_CACHE_HOME'];
  const home = env['HOME'] ?? homedir();
  const places = [
    ...(cache !== undefined && isAbsolute(cache) ? [join(cache, 'ratchet', 'slots')] : []),
    ...(isAbsolute(home) ? [join(home, '.cache', 'ratchet', 'slots')] : []),
    ...(process.platform === 'win32' ? [] : [join('/var/tmp', mine)]),
    join(tmpdir(), mine),
  ];
  const outside = await realpath(top);
  for (const place of places) {
    if (isWithin(outside, place)) continue;
    const real = await usable(place, outside);
    if (real !== undefined) return real;
  }
  throw new HumanError('read-only', `No folder for temporary files could be written (tried ${places.join(', ')}): free some space or set XDG_CACHE_HOME.`);
}

/** A new name for one slot's folder, outside `top`; not made yet. It says which process of which place owns it. */
export async function newSlotFolder(top: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  return slotIn(await slotBase(top, env));
}

function slotIn(base: string): string {
  return join(base, `${HERE}-${process.pid}-${randomBytes(6).toString('hex')}`);
}

/** Removes slots whose engine died without doing so: here that is seen, elsewhere nobody renews them any more. */
export async function sweepSlots(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const [, place, pid] = /^([0-9a-f]{12})-(\d+)-[0-9a-f]{12}$/.exec(name) ?? [];
    if (place === undefined || pid === undefined) continue;
    const path = join(base, name);
    const found = await lstat(path).catch(() => undefined);
    // A link, a file, and what root finds of somebody else's: none of it is a slot of ours.
    if (found?.isDirectory() !== true || (process.getuid !== undefined && found.uid !== process.getuid())) continue;
    const isHeld = place === HERE ? isAlive(Number(pid)) : Date.now() - found.mtimeMs < STALE_MS;
    // One that can't be removed must keep no engine from starting; the next one tries again.
    if (!isHeld) await removeTree(path).catch(() => undefined);
  }
}

/** The place's real path, when slots can lie there. A shared folder can hold one of our name that someone else made. */
async function usable(place: string, outside: string): Promise<string | undefined> {
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    const real = await realpath(place);
    if (isWithin(outside, real)) return undefined;
    if (process.getuid !== undefined && (await stat(real)).uid !== process.getuid()) return undefined;
    const trial = `${slotIn(real)}-trial`;
    await mkdir(trial);
    await rmdir(trial);
    return real;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
