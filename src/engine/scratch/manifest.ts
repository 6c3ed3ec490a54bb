import type { Dirent, Stats } from 'node:fs';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newPace } from './pace.ts';
import type { Pace } from './pace.ts';
import { isCode } from './tidy.ts';

/** Each entry below a folder (relative, `/`-separated) with a mark that changes whenever the entry does. Links aren't followed. */
export type Manifest = ReadonlyMap<string, Mark>;

export interface Mark {
  readonly kind: 'file' | 'link' | 'folder';
  /** A link's text; of files and folders what tells two states apart. */
  readonly mark: string;
}

const CLOSED = 'closed';

/** Whether the entry is a folder that can't be looked into. */
export function isClosed({ kind, mark }: Mark): boolean {
  return kind === 'file' && mark === CLOSED;
}

/** Reads the manifest of `top` (absolute). */
export async function readManifest(top: string): Promise<Manifest> {
  const found = new Map<string, Mark>();
  await readFolder(top, '', found, newPace());
  return found;
}

/** Entries that are in one of them alone, or differ; sorted, so that folders come before what they hold. */
export function differences(before: Manifest, after: Manifest): readonly string[] {
  const changed = [...after].filter(([path, { kind, mark }]) => before.get(path)?.kind !== kind || before.get(path)?.mark !== mark).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...gone].sort();
}

/** The mark of one entry; undefined when it is missing. */
export function markOf(path: string): Mark | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { kind: 'link', mark: readlinkSync(path) };
  return stats.isDirectory() ? { kind: 'folder', mark: String(stats.mode) } : { kind: 'file', mark: stampOf(stats) };
}

/** A scorer can make folders deeper than a path can be: the last that can be named shows itself. */
function markUnlessTooDeep(path: string): Mark | undefined {
  try {
    return markOf(path);
  } catch (error) {
    if (isCode(error, 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}

/** The time of the last change of the inode can't be set back by a program. */
function stampOf(stats: Stats): string {
  return [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, stats.mode].join(' ');
}

async function readFolder(top: string, folder: string, found: Map<string, Mark>, pace: Pace): Promise<void> {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(join(top, folder), { withFileTypes: true });
  } catch {
    // A folder that a scorer closed hides what is in it, so it counts as something written.
    found.set(folder, { kind: 'file', mark: CLOSED });
    return;
  }
  for (const entry of entries) {
    await pace();
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const mark = markUnlessTooDeep(join(top, path));
    if (mark !== undefined) found.set(path, mark);
    if (mark?.kind === 'folder') await readFolder(top, path, found, pace);
  }
}
