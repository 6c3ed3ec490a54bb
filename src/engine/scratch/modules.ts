import type { Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, realpath, symlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { linkFolder, linkInCopy } from './links.ts';
import type { Mapping } from './links.ts';
import { isCache } from './names.ts';
import { isWithin } from '../../wire/root.ts';

/** Folders inside node_modules that hold packages, as pnpm, yarn and bun lay them out. */
const STORES = new Set(['.pnpm', '.store', '.bun']);

/** What decides whether a package may be one link to the person's folder. */
export interface Reaching {
  /** Names of packages that are part of the workspace or, by what they depend on, lead to one that is. */
  readonly names: ReadonlySet<string>;
  /** Files that must be the copy's own, relative to the top: the target's names. */
  readonly own: readonly string[];
}

interface Package {
  readonly name: string;
  readonly needs: readonly string[];
}

/**
 * Finds the packages that lead back to the workspace. Node looks for a linked package's dependencies beside the real
 * folder, which is the person's: such packages must be copied, not linked.
 */
export async function findReaching(top: string, modules: readonly string[], own: readonly string[]): Promise<Reaching> {
  const names = new Set<string>();
  const packages: Package[] = [];
  for (const folder of modules) await collect(top, folder, names, packages);
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const { name, needs } of packages) if (needs.some((need) => names.has(need))) names.add(name);
  }
  return { names, own };
}

async function collect(top: string, folder: string, names: Set<string>, packages: Package[]): Promise<void> {
  for (const { entry, path, name } of await packageEntries(top, folder)) {
    if (entry.isSymbolicLink()) {
      const real = await realpath(join(top, path)).catch(() => undefined);
      if (real !== undefined && isWithin(top, real) && !relative(top, real).split(sep).includes('node_modules')) names.add(name);
    } else if (STORES.has(entry.name)) {
      for (const stored of await foldersIn(join(top, path))) await collect(top, storedModules(path, stored), names, packages);
    } else if (entry.isDirectory()) {
      packages.push({ name, needs: await needsOf(join(top, path)) });
      await collect(top, `${path}/node_modules`, names, packages);
    }
  }
}

/** `.pnpm/node_modules` is a node_modules itself; the other folders there have one inside. */
function storedModules(store: string, name: string): string {
  return name === 'node_modules' ? `${store}/${name}` : `${store}/${name}/node_modules`;
}

/** The entries of one node_modules with their package names; scopes are opened. */
async function packageEntries(top: string, folder: string): Promise<{ readonly entry: Dirent; readonly path: string; readonly name: string }[]> {
  const found: { entry: Dirent; path: string; name: string }[] = [];
  for (const entry of await entriesOf(join(top, folder))) {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory() || !entry.name.startsWith('@')) {
      found.push({ entry, path, name: entry.name });
      continue;
    }
    for (const inner of await entriesOf(join(top, path))) found.push({ entry: inner, path: `${path}/${inner.name}`, name: `${entry.name}/${inner.name}` });
  }
  return found;
}

async function needsOf(folder: string): Promise<readonly string[]> {
  try {
    const about: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    if (typeof about !== 'object' || about === null) return [];
    const lists = ['dependencies', 'peerDependencies', 'optionalDependencies'].map((key) => (about as Record<string, unknown>)[key]);
    return lists.flatMap((list) => (typeof list === 'object' && list !== null ? Object.keys(list) : []));
  } catch {
    return [];
  }
}

/** Rebuilds the node_modules at `folder` (relative to the top) as real folders with one link for each package. Caches are left out. */
export async function rebuildModules(mapping: Mapping, folder: string, reaching: Reaching, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await mkdir(join(mapping.copy, folder), { recursive: true });
  for (const entry of await entriesOf(join(mapping.top, folder))) {
    const path = `${folder}/${entry.name}`;
    if (isCache(entry.name)) continue;
    if (!entry.isDirectory()) await copyEntry(mapping, path, entry);
    else if (entry.name === '.bin') await rebuildModules(mapping, path, reaching, signal);
    else if (STORES.has(entry.name)) await rebuildStore(mapping, path, reaching, signal);
    else if (entry.name.startsWith('@')) await rebuildScope(mapping, path, entry.name, reaching, signal);
    else await addPackage(mapping, path, entry.name, reaching, signal);
  }
}

async function rebuildScope(mapping: Mapping, folder: string, scope: string, reaching: Reaching, signal: AbortSignal): Promise<void> {
  await mkdir(join(mapping.copy, folder), { recursive: true });
  for (const entry of await entriesOf(join(mapping.top, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await addPackage(mapping, path, `${scope}/${entry.name}`, reaching, signal);
    else await copyEntry(mapping, path, entry);
  }
}

async function rebuildStore(mapping: Mapping, store: string, reaching: Reaching, signal: AbortSignal): Promise<void> {
  await mkdir(join(mapping.copy, store), { recursive: true });
  for (const entry of await entriesOf(join(mapping.top, store))) {
    if (entry.isDirectory()) await rebuildModules(mapping, storedModules(store, entry.name), reaching, signal);
    else await copyEntry(mapping, `${store}/${entry.name}`, entry);
  }
}

async function addPackage(mapping: Mapping, path: string, name: string, reaching: Reaching, signal: AbortSignal): Promise<void> {
  const leadsBack = reaching.names.has(name) || reaching.own.some((own) => own.startsWith(`${path}/`));
  if (leadsBack) await copyPackage(mapping, path, reaching, signal);
  else await linkFolder(join(mapping.top, path), join(mapping.copy, path));
}

async function copyPackage(mapping: Mapping, folder: string, reaching: Reaching, signal: AbortSignal): Promise<void> {
  await mkdir(join(mapping.copy, folder), { recursive: true });
  for (const entry of await entriesOf(join(mapping.top, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' && entry.isDirectory()) await rebuildModules(mapping, path, reaching, signal);
    else if (entry.isDirectory()) await copyPackage(mapping, path, reaching, signal);
    else await copyEntry(mapping, path, entry);
  }
}

async function copyEntry(mapping: Mapping, path: string, entry: Dirent): Promise<void> {
  const from = join(mapping.top, path);
  const copy = join(mapping.copy, path);
  if (entry.isSymbolicLink()) await symlink(linkInCopy(mapping, path, await readlink(from)), copy);
  else if (entry.isFile()) await copyFile(from, copy, constants.COPYFILE_FICLONE);
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
