import type { Stats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Each entry below a folder (relative, `/`-separated) with a mark that changes whenever the entry does. Links aren't followed. */
export type Manifest = ReadonlyMap<string, Mark>;

export interface Mark {
  readonly kind: 'file' | 'link' | 'folder';
  /** A link's text; of files and folders what tells two states apart. */
  readonly mark: string;
}

/** Reads the manifest of `top` (absolute). */
export async function readManifest(top: string): Promise<Manifest> {
  const found = new Map<string, Mark>();
  await readFolder(top, '', found);
  return found;
}

/** Entries that are in one of them alone, or differ; sorted, so that folders come before what they hold. */
export function differences(before: Manifest, after: Manifest): readonly string[] {
  const changed = [...after].filter(([path, { kind, mark }]) => before.get(path)?.kind !== kind || before.get(path)?.mark !== mark).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...gone].sort();
}

/** The mark of one entry; undefined when it is missing. */
export async function markOf(path: string): Promise<Mark | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { kind: 'link', mark: await readlink(path) };
  return stats.isDirectory() ? { kind: 'folder', mark: String(stats.mode) } : { kind: 'file', mark: stampOf(stats) };
}

/** The time of the last change of the inode can't be set back by a program. */
function stampOf(stats: Stats): string {
  return [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, stats.mode].join(' ');
}

async function readFolder(top: string, folder: string, found: Map<string, Mark>): Promise<void> {
  const entries = await readdir(join(top, folder), { withFileTypes: true }).catch(() => undefined);
  // A folder that a scorer closed hides what is in it, so it counts as something written.
  if (entries === undefined) found.set(folder, { kind: 'file', mark: 'closed' });
  await Promise.all((entries ?? []).map(async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const mark = await markOf(join(top, path));
    if (mark !== undefined) found.set(path, mark);
    if (entry.isDirectory()) await readFolder(top, path, found);
  }));
}
