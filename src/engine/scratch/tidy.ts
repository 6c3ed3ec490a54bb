import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { newPace } from './pace.ts';
import type { Pace } from './pace.ts';

/** Linux takes no path of 4,096 bytes or more; a folder below this is taken up to the top before it is looked into. */
const LONG_BYTES = 3_000;

/** One removal: scorers choose names as they like, so paths are bytes, and need not be UTF-8. */
interface Removal {
  readonly top: Buffer;
  readonly pace: Pace;
}

/** The folder's entries are removed; the folder itself stays, and is made when it is missing, or something else lies in its place. */
export async function emptyFolder(folder: string): Promise<void> {
  // A scorer may have put a link there, and what it leads to is not ours.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) unlinkSync(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const top = Buffer.from(folder);
  await removeEntries(top, { top, pace: newPace() });
}

/**
 * Removes a file, link or folder with all in it, whatever names, depth and modes a scorer or the kernel's overlay left
 * there. Links aren't followed. A missing path is fine.
 */
export async function removeTree(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const top = Buffer.from(path);
  if (stats?.isDirectory() === true) await removeFolder(top, { top, pace: newPace() });
  else if (stats !== undefined) unlessMissing(unlinkSync, top);
}

async function removeFolder(path: Buffer, removal: Removal): Promise<void> {
  await removeEntries(path, removal);
  unlessMissing(rmdirSync, path);
}

async function removeEntries(folder: Buffer, removal: Removal): Promise<void> {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if ((stats.mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    await removal.pace();
    const path = below(folder, entry.name);
    if (!entry.isDirectory()) unlessMissing(unlinkSync, path);
    else if (path.length < LONG_BYTES) await removeFolder(path, removal);
    else {
      const raised = below(removal.top, Buffer.from(`deep-${randomBytes(8).toString('hex')}`));
      renameSync(path, raised);
      await removeFolder(raised, removal);
    }
  }
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

function unlessMissing(remove: (path: Buffer) => void, path: Buffer): void {
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
