import { constants } from 'node:fs';
import { access, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_MARKS } from '../../../wire/root.ts';

const MOST_ENTRIES = 2_000;
const MOST_BYTES = 256 * 1024;

/** Names in a folder, sorted. */
export interface Listing {
  /** Links count as files: what they lead to is seen when they are read. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Bounded reading, each folder and file once. Paths are absolute. Nothing throws: what can't be read isn't there. */
export interface Files {
  /** At most 2,000 entries. */
  list(folder: string): Promise<Listing>;
  /** The text of a regular file of at most 256 KB. */
  read(path: string): Promise<string | undefined>;
}

/** Files as they are now; what was read once isn't read again. */
export function readingFiles(): Files {
  const listings = new Map<string, Promise<Listing>>();
  const texts = new Map<string, Promise<string | undefined>>();
  return {
    list: (folder) => once(listings, folder, listFolder),
    read: (path) => once(texts, path, readSmall),
  };
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

/** Whether the system starts this file by itself: it is executable and its first line names its interpreter. */
export async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return buffer.toString('latin1') === '#!';
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** Folders that hold what tools made or fetched, never a person's scorer. */
const PASSED_OVER = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'site-packages', '__pycache__', '__snapshots__']);
const MOST_FOLDERS = 300;
const DEEPEST = 6;
/** Packages inside, and Python environments, whatever their name. */
const ENDS = [...PACKAGE_MARKS, 'pyvenv.cfg'];

/** Files below a folder, nearest to it first, without those of packages inside: absolute paths, at most 300 folders, six levels deep. */
export async function walk(files: Files, start: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [start];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
    const now = level.slice(0, MOST_FOLDERS - seen);
    seen += now.length;
    const listings = await Promise.all(now.map((folder) => files.list(folder)));
    level = [];
    for (const [index, listing] of listings.entries()) {
      const folder = now[index] ?? start;
      if (folder !== start && ENDS.some((mark) => listing.files.includes(mark))) continue;
      found.push(...listing.files.map((name) => join(folder, name)));
      level.push(...listing.folders.filter((name) => !name.startsWith('.') && !PASSED_OVER.has(name)).map((name) => join(folder, name)));
    }
  }
  return found;
}

function once<T>(kept: Map<string, Promise<T>>, path: string, make: (path: string) => Promise<T>): Promise<T> {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const made = make(path);
  kept.set(path, made);
  return made;
}

async function listFolder(folder: string): Promise<Listing> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(() => [])).slice(0, MOST_ENTRIES);
  return {
    files: entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map((entry) => entry.name).sort(),
    folders: entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort(),
  };
}

async function readSmall(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
