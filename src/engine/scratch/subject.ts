import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { HumanError } from '../../errors.ts';
import { listFiles } from './files.ts';
import type { Listing } from './files.ts';
import { divide, withoutOtherNames, type HeldOut } from './held-out.ts';
import { isWithin } from '../../wire/root.ts';
import type { Shown, Workspace } from './slot.ts';
import { withoutTooDeep, type Unseen } from './unseen.ts';
import { isCode } from './tidy.ts';

/** A workspace with its links resolved: what both kinds of slot are made from. */
export interface Subject {
  /** As the person names it, and as a real path. Absolute. */
  readonly named: string;
  readonly top: string;
  /** The real file that changes, relative to `top`, `/`-separated. */
  readonly target: string;
  /** Every name of that file: `target` first, then its hard links below `top`. */
  readonly names: readonly string[];
  readonly stats: Stats;
  /** Without what is held out. */
  readonly listing: Listing;
  readonly heldOut: HeldOut;
  /** Folders elsewhere, as real paths, of which the slot keeps what is written. */
  readonly privately: readonly string[];
  readonly caches: readonly string[];
  /** What `cache:` names, as paths and patterns from the top. */
  readonly carried: readonly string[];
  /** What no slot can show. */
  readonly unseen: readonly Unseen[];
}

/** Resolves and lists a workspace. Fails with a HumanError when the target isn't a file below the top. */
export async function readSubject(workspace: Workspace, slotFolder: string, signal: AbortSignal): Promise<Subject> {
  const top = await realpath(workspace.top);
  const real = await realTarget(workspace.target);
  if (!isWithin(top, real)) {
    throw new HumanError('bad-target', `${basename(workspace.target)} is a link to ${real}, which lies outside ${workspace.top}: choose that file itself.`);
  }
  const target = relative(top, real).split(sep).join('/');
  const stats = await stat(real);
  if (!stats.isFile()) throw new HumanError('bad-target', `${workspace.target} is not a file: choose the one file that may change.`);
  const root = await realpath(workspace.root);
  const { listing: fitting, tooDeep } = withoutTooDeep(await listFiles(top, target, signal), top, slotFolder);
  if (tooDeep.includes(target)) throw new HumanError('bad-target', `The path of ${basename(target)} is so long that its copy in ${slotFolder} could not be named: set XDG_CACHE_HOME to a folder with a short path.`);
  const { shown: listing, heldOut } = withoutOtherNames(divide(fitting, workspace.heldOut ?? [], { top, root, target }), { top, target });
  const prefix = relative(top, root).split(sep).join('/');
  const carried = (workspace.carried ?? []).map((pattern) => (prefix === '' ? pattern : `${prefix}/${pattern.replace(/^(?:\.\/)+/, '')}`));
  const names = stats.nlink > 1 ? await hardLinks(top, target, stats, listing) : [target];
  const realOf = async (paths: readonly string[] = []): Promise<readonly string[]> => [...new Set(await Promise.all(paths.map((path) => realpath(path))))];
  const privately = await realOf(workspace.privately);
  const caches = (await realOf(workspace.caches)).filter((path) => !privately.includes(path));
  return { named: resolve(workspace.top), top, target, names, stats, listing, heldOut, privately, caches, carried, unseen: [{ why: 'their names are not UTF-8', paths: listing.unnamed }, { why: 'their paths are too long to copy', paths: tooDeep }] };
}

/** A path (absolute, through links or not) relative to the top, `/`-separated; undefined when it lies elsewhere. */
export function inTop({ named, top }: Subject, path: string): string | undefined {
  const holding = [named, top].find((each) => isWithin(each, path));
  return holding === undefined ? undefined : relative(holding, path).split(sep).join('/');
}

/** What a slot shows besides the target under all its names. */
export function shownBy({ top, names, listing, heldOut }: Subject, copied: Shown['copied'], live: readonly string[]): Shown {
  return { top, copied: copied.map(({ folder, files }) => ({ folder, files: files.filter((path) => !names.includes(path)) })), live, large: [...listing.large, ...heldOut.large] };
}

async function realTarget(target: string): Promise<string> {
  try {
    return await realpath(target);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) throw new HumanError('bad-target', `${target} is not there any more: choose the file again.`);
    throw error;
  }
}

/** pnpm's "injected" packages are hard links of a package of the workspace: the candidate must stand there too. */
async function hardLinks(top: string, target: string, stats: Stats, listing: Listing): Promise<string[]> {
  const names = [target];
  const look = async (path: string): Promise<void> => {
    if (path === target || names.length >= stats.nlink) return;
    const other = await lstat(join(top, path)).catch(() => undefined);
    if (other?.ino === stats.ino && other.dev === stats.dev) names.push(path);
  };
  for (const path of listing.files) await look(path);
  for (const folder of listing.modules) await walkFiles(top, folder, () => names.length < stats.nlink, look);
  return names;
}

async function walkFiles(top: string, folder: string, more: () => boolean, look: (path: string) => Promise<void>): Promise<void> {
  if (!more()) return;
  const entries: Dirent[] = await readdir(join(top, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await walkFiles(top, path, more, look);
    else if (entry.isFile()) await look(path);
  }
}
