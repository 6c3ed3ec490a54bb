import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder's entries are removed; the folder itself stays, and is made when it is missing. */
export async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeEntries(folder);
}

/**
 * Removes a file, link or folder with all in it, whatever modes a scorer or the kernel's overlay left on its folders.
 * Links aren't followed. A missing path is fine.
 */
export async function removeTree(path: string): Promise<void> {
  let stats: Stats;
  try {
    stats = await lstat(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (!stats.isDirectory()) return ignoreMissing(unlink(path));
  if ((stats.mode & 0o700) !== 0o700) await chmod(path, 0o700);
  await removeEntries(path);
  await ignoreMissing(rmdir(path));
}

async function removeEntries(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? removeTree(path) : ignoreMissing(unlink(path)));
  }
}

async function ignoreMissing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

/** Whether a caught value is a system error with one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
