import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { chmod, chown, copyFile, lchown, lstat, mkdir, readlink, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { parentsOf } from './names.ts';
import { isCode } from './tidy.ts';

/** Enough to keep the disk busy without starving the engine's own work. */
const AT_ONCE = 16;

/** What to copy, relative to `from`; a link's text goes through `relink`. */
export interface Copying {
  readonly from: string;
  readonly into: string;
  readonly files: readonly string[];
  /** Folders to make even when no file is in them. */
  readonly folders: readonly string[];
  readonly relink?: (path: string, to: string) => string;
}

/**
 * Copies files and links (copy-on-write where the disk can) with mode, times and, for root, owner. What vanished or
 * can't be read meanwhile is left out, as it would be for the scorer.
 */
export async function copyTree(copying: Copying, signal: AbortSignal): Promise<void> {
  const folders = [...new Set([...copying.files.flatMap(parentsOf), ...copying.folders.flatMap((path) => [path, ...parentsOf(path)])])].sort();
  for (const folder of folders) await mkdir(join(copying.into, folder), { recursive: true });
  const queue = copying.files.values();
  const work = async (): Promise<void> => {
    for (const path of queue) {
      signal.throwIfAborted();
      await copyOne(copying, path);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Last, and from below: a folder may be read-only, and each entry made in it changed its times.
  for (const folder of folders.reverse()) await likeFolder(join(copying.from, folder), join(copying.into, folder));
}

async function copyOne({ from, into, relink }: Copying, path: string): Promise<void> {
  const source = join(from, path);
  const copy = join(into, path);
  try {
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) {
      const to = await readlink(source);
      await symlink(relink === undefined ? to : relink(path, to), copy);
      if (isRoot()) await lchown(copy, stats.uid, stats.gid);
    } else if (stats.isFile()) {
      await copyFile(source, copy, constants.COPYFILE_FICLONE);
      await likeFile(stats, copy);
    }
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR')) throw error;
  }
}

async function likeFile(stats: Stats, copy: string): Promise<void> {
  if (isRoot() && (stats.uid !== 0 || stats.gid !== 0)) {
    await chown(copy, stats.uid, stats.gid);
    await chmod(copy, stats.mode & 0o7777);
  }
  await utimes(copy, stats.atime, stats.mtime);
}

/** Gives `copy` the mode, owner and times of the folder `source`; a `source` that is missing is fine. */
export async function likeFolder(source: string, copy: string): Promise<void> {
  try {
    const stats = await stat(source);
    if (isRoot()) await chown(copy, stats.uid, stats.gid);
    await chmod(copy, stats.mode & 0o7777);
    await utimes(copy, stats.atime, stats.mtime);
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** Root keeps everyone's ownership; others own all that they make. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
