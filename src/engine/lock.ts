import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from './alive.ts';
import { readStat } from './execute/proc.ts';

const TRIES = 5;
/** A holder that hasn't written its number yet gets this long. */
const WRITE_MS = 50;

/**
 * Takes a lock file, or says that a living process holds it. A lock whose process is gone is taken over; a number that
 * the system gave to another process since then doesn't hold it. Resolves with what gives it back.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return undefined;
    });
    if (file !== undefined) {
      await file.writeFile(`${process.pid} ${startOf(process.pid)}\n`);
      await file.close();
      return () => unlink(path).catch(() => undefined);
    }
    const text = await readFile(path, 'utf8').catch(() => '');
    if (isHeld(text)) return undefined;
    if (text === '' && tries === 0) await wait(WRITE_MS);
    else await remove(path, text);
  }
  return undefined;
}

function isHeld(text: string): boolean {
  const [pid, started] = text.trim().split(' ').map(Number);
  return pid !== undefined && pid > 0 && isAlive(pid) && (started === undefined || started === startOf(pid));
}

/** When a process began, in a unit of the system's; 0 where it doesn't say. */
function startOf(pid: number): number {
  return readStat(pid)?.started ?? 0;
}

/** Removes a dead lock, and not the new one of somebody who was quicker. */
async function remove(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  const moved = await rename(path, aside).then(() => true, () => false);
  if (!moved) return;
  if ((await readFile(aside, 'utf8').catch(() => '')) !== dead) await link(aside, path).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}
