import type { Stats } from 'node:fs';
import {
  chmodSync, chownSync, closeSync, constants, fchmodSync, lchownSync, lstatSync, mkdirSync, openSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentsOf } from './names.ts';
import { newPace } from './pace.ts';
import { isCode } from './tidy.ts';

/**
 * A file up to this is read and written; a larger one is copied by the thread pool, copy-on-write where the disk can. The
 * system's own copy cuts the new file to nothing first, which ext4 takes for a rewrite and brings to the disk at once: 10,000
 * small files then wait for it, when they are made and when they are removed.
 */
const SMALL_BYTES = 64 * 1024;

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
 * Copies files and links (copy-on-write where the disk can) with mode, times and, for root, owner. What vanished meanwhile is
 * left out, and what can't be read: that is given back.
 */
export async function copyTree(copying: Copying, signal: AbortSignal): Promise<readonly string[]> {
  const pace = newPace();
  const { from, into } = copying;
  const unreadable: string[] = [];
  const folders = [...new Set([...copying.files.flatMap(parentsOf), ...copying.folders.flatMap((path) => [path, ...parentsOf(path)])])].sort();
  for (const folder of folders) mkdirSync(join(into, folder), { recursive: true });
  for (const path of copying.files) {
    await pace();
    signal.throwIfAborted();
    try {
      await copyOne(copying, path);
    } catch (error) {
      if (!isCode(error, 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR')) throw error;
      if (isCode(error, 'EACCES', 'EPERM')) unreadable.push(path);
    }
  }
  // Last, and from below: a folder may be read-only, and each entry made in it changed its times.
  for (const folder of folders.reverse()) likeFolder(join(from, folder), join(into, folder));
  return unreadable;
}

async function copyOne({ from, into, relink }: Copying, path: string): Promise<void> {
  const source = join(from, path);
  const copy = join(into, path);
  const stats = lstatSync(source);
  if (stats.isSymbolicLink()) {
    const to = readlinkSync(source);
    symlinkSync(relink === undefined ? to : relink(path, to), copy);
    if (isRoot()) lchownSync(copy, stats.uid, stats.gid);
  } else if (stats.isFile()) {
    if (stats.size > SMALL_BYTES) await copyFile(source, copy, constants.COPYFILE_FICLONE);
    else copySmall(source, copy, stats.mode & 0o7777);
    likeFile(stats, copy);
  }
}

function copySmall(source: string, copy: string, mode: number): void {
  const bytes = readFileSync(source);
  const file = openSync(copy, 'w', 0o600);
  try {
    writeFileSync(file, bytes);
    fchmodSync(file, mode);
  } finally {
    closeSync(file);
  }
}

function likeFile(stats: Stats, copy: string): void {
  if (isRoot() && (stats.uid !== 0 || stats.gid !== 0)) {
    chownSync(copy, stats.uid, stats.gid);
    chmodSync(copy, stats.mode & 0o7777);
  }
  utimesSync(copy, stats.atime, stats.mtime);
}

/** Gives `copy` the mode, owner and times of the folder `source`; a `source` that is missing is fine. */
export function likeFolder(source: string, copy: string): void {
  const stats = statSync(source, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (isRoot()) chownSync(copy, stats.uid, stats.gid);
  chmodSync(copy, stats.mode & 0o7777);
  utimesSync(copy, stats.atime, stats.mtime);
}

/** Root keeps everyone's ownership; others own all that they make. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
