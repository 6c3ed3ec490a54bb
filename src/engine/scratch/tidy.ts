import { chmodSync, lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newPace } from './pace.ts';
import type { Pace } from './pace.ts';

/** The folder's entries are removed; the folder itself stays, and is made when it is missing. */
export async function emptyFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await removeEntries(folder, newPace());
}

/**
 * Removes a file, link or folder with all in it, whatever modes a scorer or the kernel's overlay left on its folders.
 * Links aren't followed. A missing path is fine.
 */
export async function removeTree(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) await removeFolder(path, newPace());
  else if (stats !== undefined) unlessMissing(unlinkSync, path);
}

async function removeFolder(path: string, pace: Pace): Promise<void> {
  await removeEntries(path, pace);
  unlessMissing(rmdirSync, path);
}

async function removeEntries(folder: string, pace: Pace): Promise<void> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if ((stats.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    await pace();
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeFolder(path, pace);
    else unlessMissing(unlinkSync, path);
  }
}

function unlessMissing(remove: (path: string) => void, path: string): void {
  try {
    remove(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

/** Whether a caught value is a system error with one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
