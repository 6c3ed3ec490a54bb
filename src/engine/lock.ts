import { open, readFile, unlink } from 'node:fs/promises';
import { isAlive } from './alive.ts';

/**
 * Takes a lock file, or says that a living process holds it. A lock whose process is gone is taken over.
 * Resolves with what gives it back.
 */
export async function takeLock(path: string): Promise<(() => Promise<void>) | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return undefined;
    });
    if (file !== undefined) {
      await file.writeFile(`${process.pid}\n`);
      await file.close();
      return () => unlink(path).catch(() => undefined);
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder > 0 && isAlive(holder)) return undefined;
    // A holder that hasn't written its number yet looks dead: only an empty lock that stays so is one.
    if (holder === 0 && attempt === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    else await unlink(path).catch(() => undefined);
  }
  return undefined;
}
