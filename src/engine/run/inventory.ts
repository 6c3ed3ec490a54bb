import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, realpathSync, type Dirent } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Entry, Inventory } from '../../loop/inventory.ts';
import type { ScorerTools } from '../scorer.ts';
import { isCache } from '../scratch/names.ts';
import { newPace } from '../scratch/pace.ts';
import type { Shown } from '../scratch/slot.ts';

/** Of a larger file the two ends are hashed, so that gigabytes cost no seconds. */
const WHOLE_BYTES = 8 * 2 ** 20;
const END_BYTES = 2 ** 20;
/** Of folders that are seen live: so many entries at most. */
const MOST_LIVE = 5000;
const LIVE_DEPTH = 2;

/**
 * Reads what a scorer is shown, from the run's own copy. `known`: an earlier inventory; a file of the same size and time is
 * taken for the same, and isn't read again. Left out is what is told or measured in other ways (`without`: the program).
 */
export async function readShown(shown: Shown, without: readonly string[], known: Inventory | undefined): Promise<Inventory> {
  const found = new Map<string, Entry>();
  const pace = newPace();
  for (const { folder, files } of shown.copied) {
    for (const path of files) {
      await pace();
      if (without.includes(path)) continue;
      const entry = copiedEntry(join(folder, path), join(shown.top, path), known?.get(path));
      if (entry !== undefined) found.set(path, entry);
    }
  }
  return found;
}

/** What may change while the run goes on: folders that are seen live, files too large to copy, and the programs. Asked while a run goes on. */
export async function readLive(shown: Shown, { python, node }: Pick<ScorerTools, 'python' | 'node'>): Promise<Inventory> {
  const found = new Map<string, Entry>();
  const pace = newPace();
  for (const path of shown.large) found.set(path, { kind: 'live', mark: markOf(join(shown.top, path)) ?? '' });
  for (const program of [python, node]) if (isAbsolute(program)) found.set(program, { kind: 'live', mark: programMark(program) });
  for (const folder of shown.live) await readFolder(folder, LIVE_DEPTH);
  return found;

  async function readFolder(folder: string, depth: number): Promise<void> {
    for (const entry of entriesOf(join(shown.top, folder))) {
      await pace();
      if (found.size >= MOST_LIVE) return;
      // Tools rebuild their caches at will.
      if (isCache(entry.name) || (entry.name.startsWith('.') && entry.isDirectory())) continue;
      const path = `${folder}/${entry.name}`;
      if (!entry.isDirectory()) found.set(path, { kind: 'live', mark: markOf(join(shown.top, path)) ?? '' });
      else found.set(path, { kind: 'live', mark: 'folder' });
      if (entry.isDirectory() && isWorthReading(folder, entry.name, depth)) await readFolder(path, depth - 1);
    }
  }
}

/** Of installed packages their names are enough: who installs writes a list of versions beside them, or puts the version into the name. */
function isWorthReading(folder: string, name: string, depth: number): boolean {
  if (folder === 'node_modules' || folder.endsWith('/node_modules')) return name.startsWith('@');
  return depth > 1 || name === 'site-packages' || /^python3/.test(name);
}

function copiedEntry(copy: string, original: string, known: Entry | undefined): Entry | undefined {
  const stats = lstatSync(copy, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A copy's link may lead into the copy.
  if (stats.isSymbolicLink()) return { kind: 'link', to: linkOf(original) ?? linkOf(copy) ?? '' };
  if (!stats.isFile()) return undefined;
  const { size, mtimeMs } = stats;
  const hash = known?.kind === 'file' && known.size === size && known.mtimeMs === mtimeMs ? known.hash : hashOf(copy, size);
  return { kind: 'file', size, mtimeMs, hash };
}

function hashOf(path: string, size: number): string {
  const hash = createHash('sha256');
  if (size <= WHOLE_BYTES) return hash.update(readFileSync(path)).digest('hex');
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(END_BYTES);
    for (const at of [0, size - END_BYTES]) hash.update(end.subarray(0, readSync(file, end, 0, END_BYTES, at)));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

function markOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return `-> ${linkOf(path) ?? ''}`;
  return stats.isDirectory() ? 'folder' : `${stats.size} ${stats.mtimeMs}`;
}

/** A program is mostly named through links. */
function programMark(path: string): string {
  try {
    const real = realpathSync(path);
    return `${real} ${markOf(real) ?? ''}`;
  } catch {
    return '';
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
