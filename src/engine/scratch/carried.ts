import { existsSync, lstatSync, readdirSync, type Dirent } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { matcher } from '../../loop/globs.ts';
import { baseName, parentsOf } from './names.ts';
import { likeFolder } from './snapshot.ts';

/** What is carried from the start file's run to all runs after it. */
export interface Carrying {
  /** Whether a path (relative to the top) is carried, with all that lies below it. */
  readonly has: (path: string) => boolean;
}

/** Tools check by content or version what these hold, so that they can't show a candidate the start file's. */
const KNOWN = new Set(['.vite', '.vite-temp', '.pytest_cache']);

/** What is carried of a home folder that was made for the slot: caches by content. */
const OF_HOME = /^(?:\.triton|\.cache\/(?:uv|huggingface|torch|torch_extensions|jest|vite|pip|node|deno|go-build|numba))$/;

/** The same of its /tmp: TorchInductor's and jest's by the names that they have there. */
const OF_TMP = /^(?:torchinductor_[^/]+|jest_[^/]+|node-compile-cache)$/;

/**
 * `named`: what a person names in `cache:`, as paths from the top. Of Python's bytecode only that of files which are the
 * same for every candidate is carried: it is told from stale by second and size alone. `wasShown`: whether the snapshot has a file.
 */
export function carrying(named: readonly string[], targets: readonly string[], wasShown: (path: string) => boolean): Carrying {
  const isNamed = matcher(named);
  return { has: (path) => isNamed(path) || KNOWN.has(baseName(path)) || isSafeBytecode(path, targets, wasShown) };
}

export const HOME_CARRYING: Carrying = { has: (path) => OF_HOME.test(path) };
export const TMP_CARRYING: Carrying = { has: (path) => OF_TMP.test(path) };

function isSafeBytecode(path: string, targets: readonly string[], wasShown: (path: string) => boolean): boolean {
  const [, folder, module] = /^(.*?)__pycache__\/([^/]+?)\.[^/]*\.pyc$/.exec(path) ?? [];
  if (folder === undefined || module === undefined) return false;
  const source = `${folder}${module}.py`;
  return !targets.includes(source) && wasShown(source);
}

/** The topmost carried entries of a tree (absolute), relative to it. `prefix`: where the tree lies, for the names that are asked about. */
export function findCarried(tree: string, prefix: string, { has }: Carrying): readonly string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of entriesOf(join(tree, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (has(prefix === '' ? path : `${prefix}/${path}`)) found.push(path);
      else if (entry.isDirectory()) walk(path);
    }
  };
  walk('');
  return found;
}

/** The topmost carried entries that hold these files. */
export function topmost(files: readonly string[], { has }: Carrying): readonly string[] {
  return [...new Set(files.map((path) => [...parentsOf(path)].reverse().find(has) ?? path))];
}

/** Whether anything but folders lies at or below a path. */
export function holdsFiles(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isDirectory() || entriesOf(path).some((entry) => holdsFiles(join(path, entry.name))));
}

/** Moves entries of a tree into another on the same disk. Their folders there look as they did. */
export async function moveCarried(from: string, into: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await rename(join(from, path), join(into, path));
  }
  const folders = [...new Set(paths.flatMap(parentsOf))].sort().reverse();
  for (const folder of folders) if (existsSync(join(from, folder))) likeFolder(join(from, folder), join(into, folder));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
