import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { foldersUp } from '../../folders.ts';
import { isWithin, PACKAGE_MARKS, topOf } from '../../../wire/root.ts';
import { isFile, readingFiles, walk, type Files } from './files.ts';
import { readManifest, type Manifest } from './manifest.ts';

/** What lies around a target, found once for all offers. Paths are absolute. */
export interface Surroundings {
  readonly root: string;
  /** As far up as local binaries are looked for: the git root above the root. */
  readonly top: string;
  readonly target: string;
  /** The target's name without its ending: `slug` of slug.ts; of index.ts and __init__.py the folder's name. */
  readonly stem: string;
  /** Code of JavaScript's family is tested by its runners, Python by pytest, any other file by either. */
  readonly language: 'javascript' | 'python' | 'other';
  /** The target's folder and those above it, up to the root. */
  readonly upward: readonly string[];
  /** The nearest package's folder, else the root. */
  readonly home: string;
  /** Files of the nearest package, then of the root, without the target. */
  readonly found: readonly string[];
  /** Every package.json from the target up to the root, nearest first. */
  readonly manifests: readonly Manifest[];
  readonly files: Files;
}

/** Looks around. Undefined where the target isn't below the root. */
export async function lookAround(root: string, target: string): Promise<Surroundings | undefined> {
  if (!isWithin(root, target)) return undefined;
  const files = readingFiles();
  const upward = foldersUp(dirname(target), root);
  const listings = await Promise.all(upward.map((folder) => files.list(folder)));
  const home = upward.find((_, index) => PACKAGE_MARKS.some((mark) => listings[index]?.files.includes(mark))) ?? root;
  // A target below a folder that is passed over still has files beside it.
  const beside = upward.flatMap((folder, index) => (listings[index]?.files ?? []).map((name) => join(folder, name)));
  const walked = await Promise.all([...new Set([home, root])].map((folder) => walk(files, folder)));
  const manifests = await Promise.all(upward.map((folder) => readManifest(files, folder)));
  return {
    root,
    top: await topOf(root),
    target,
    stem: stemOf(target),
    language: languageOf(target),
    upward,
    home,
    found: [...new Set([...beside, ...walked.flat()])].filter((path) => path !== target),
    manifests: manifests.filter((manifest) => manifest !== undefined),
    files,
  };
}

/** The nearest folder from the target up that holds `file` and that `configures` accepts; else the nearest package, else the root. */
export async function runFolder(around: Surroundings, file: string, configures: (folder: string) => Promise<boolean>): Promise<string> {
  const holding = around.upward.filter((folder) => isWithin(folder, file));
  for (const folder of holding) if (await configures(folder)) return folder;
  return holding.includes(around.home) ? around.home : around.root;
}

/** A program of the nearest node_modules, as a path from `folder`: of a package, or hoisted in a folder above. */
export async function localBinary(around: Surroundings, folder: string, name: string): Promise<string | undefined> {
  const path = await inModules(around, folder, join('.bin', name));
  return path === undefined ? undefined : inFolder(folder, path);
}

/** A file of the nearest node_modules, absolute. */
export async function inModules(around: Surroundings, folder: string, path: string): Promise<string | undefined> {
  for (const above of foldersUp(folder, around.top)) {
    const file = join(above, 'node_modules', path);
    if (await isFile(file)) return file;
  }
  return undefined;
}

/** A path as a command run in `folder` has it. */
export function inFolder(folder: string, path: string): string {
  const way = relative(folder, path).split(sep).join('/');
  return way.startsWith('-') ? `./${way}` : way;
}

/** How far a file lies from the target: steps up, then down. */
export function distance(around: Surroundings, path: string): number {
  return relative(dirname(around.target), dirname(path)).split(sep).filter((step) => step !== '').length;
}

function stemOf(path: string): string {
  const name = basename(path, extname(path));
  return name === 'index' || name === '__init__' ? basename(dirname(path)) : name;
}

function languageOf(path: string): Surroundings['language'] {
  if (/\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/.test(path)) return 'javascript';
  return extname(path) === '.py' ? 'python' : 'other';
}
