import { lstat } from 'node:fs/promises';
import { HumanError } from '../../errors.ts';

/**
 * Refuses a file of the root's data that no Ratchet wrote: a pipe, which would be waited for, or one of a size that no
 * run comes near. One that isn't there is left to whoever reads it.
 */
export async function refuseUnusual(path: string, mostBytes: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isFile()) throw new HumanError('read-only', `${path} can't be read: it is not a plain file.`);
  if (found.size > mostBytes) throw new HumanError('read-only', `${path} can't be read: it is larger than anything that Ratchet writes there (${String(Math.round(found.size / 2 ** 20))} MB). Move it away.`);
}
