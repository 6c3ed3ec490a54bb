import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { holds, ownClaim, parseClaim, type Claim } from './claim.ts';

const TRIES = 5;
/** A holder that hasn't written its number yet gets this long. */
const WRITE_MS = 50;

/** A lock file that this process holds. */
export interface Lock {
  /** Renews the claim. False where somebody took the lock over meanwhile: this machine may have slept for hours. */
  readonly renew: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/**
 * Takes a lock file, or says who holds it. A lock whose process is gone is taken over; so is one of another machine or
 * container that nobody renews.
 */
export async function takeLock(path: string): Promise<{ readonly lock: Lock } | { readonly holder: Claim | undefined }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const own = ownClaim();
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return undefined;
    });
    if (file !== undefined) {
      await file.writeFile(own);
      await file.close();
      return { lock: lockAt(path, own) };
    }
    const text = await readFile(path, 'utf8').catch(() => '');
    const holder = parseClaim(text);
    const renewed = await stat(path).catch(() => undefined);
    if (holder !== undefined && renewed !== undefined && holds(holder, renewed.mtimeMs)) return { holder };
    if (text === '' && tries === 0) await wait(WRITE_MS);
    else await remove(path, text);
  }
  return { holder: undefined };
}

function lockAt(path: string, own: string): Lock {
  const isOurs = async (): Promise<boolean> => (await readFile(path, 'utf8').catch(() => '')) === own;
  return {
    renew: async () => {
      if (!(await isOurs())) return false;
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
      return true;
    },
    release: async () => {
      if (await isOurs()) await unlink(path).catch(() => undefined);
    },
  };
}

/** Removes a dead lock, and not the new one of somebody who was quicker. */
async function remove(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  const moved = await rename(path, aside).then(() => true, () => false);
  if (!moved) return;
  if ((await readFile(aside, 'utf8').catch(() => '')) !== dead) await link(aside, path).catch(() => undefined);
  await unlink(aside).catch(() => undefined);
}
