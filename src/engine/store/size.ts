import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that all files in a folder have together. Links aren't followed; what can't be read counts for nothing. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
