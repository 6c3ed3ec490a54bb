import { lstat, readFile, realpath } from 'node:fs/promises';
import { isWithin } from '../../wire/root.ts';

/** A report above this is not read. */
const MAX_BYTES = 16 * 2 ** 20;

/** The text of a regular file really below `folder`; undefined otherwise. A scorer's link must not lead to a person's secrets. */
export async function readBelow(folder: string, file: string): Promise<string | undefined> {
  try {
    const stats = await lstat(file);
    if (!stats.isFile() || stats.size > MAX_BYTES || !isWithin(await realpath(folder), await realpath(file))) return undefined;
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
