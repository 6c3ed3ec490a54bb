import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { HumanError } from '../../errors.ts';
import { matcher } from '../../loop/globs.ts';
import { parentsOf } from './names.ts';
import type { Listing } from './files.ts';

/** A listing in two: what every run is shown, and what the holdout alone is. Paths relative to the top. */
export interface Divided {
  readonly shown: Listing;
  readonly heldOut: HeldOut;
}

export interface HeldOut {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Folders that are seen live, and large files. */
  readonly live: readonly string[];
  readonly large: readonly string[];
}

export const NOTHING_HELD_OUT: HeldOut = { files: [], folders: [], live: [], large: [] };

/**
 * Takes what is held out from what is shown. `patterns` are relative to `root` (absolute, at or below `top`). Rejects what
 * can't be hidden: a pattern that fits nothing, the target itself, and a part of a folder that is too large to copy.
 */
export function divide(listing: Listing, patterns: readonly string[], { top, root, target }: { readonly top: string; readonly root: string; readonly target: string }): Divided {
  if (patterns.length === 0) return { shown: listing, heldOut: NOTHING_HELD_OUT };
  const prefix = relative(top, root).replaceAll('\\', '/');
  const fromTop = (pattern: string): string => (prefix === '' ? pattern : `${prefix}/${pattern}`);
  const isHeld = matcher(patterns.map(fromTop));
  if (isHeld(target)) throw new HumanError('bad-use', `\`holdout\` holds out ${target}, the file that changes. Take it out of \`files\`.`);
  const split = (paths: readonly string[]): readonly [readonly string[], readonly string[]] => [paths.filter((path) => !isHeld(path)), paths.filter(isHeld)];
  const [files, heldFiles] = split(listing.files);
  const [folders, heldFolders] = split(listing.folders);
  const [live, heldLive] = split(listing.live);
  const [large, heldLarge] = split(listing.large);
  const within = [...listing.live, ...listing.modules].find((folder) => !isHeld(folder) && patterns.some((pattern) => isBelow(fromTop(pattern), folder)));
  if (within !== undefined) throw new HumanError('bad-use', `\`holdout\` names files in ${within}, which is shown as a whole because it is too large to copy. Hold all of it out, or put these files elsewhere.`);
  // An empty folder holds nothing back.
  const held = [...heldFiles, ...heldLive, ...heldLarge];
  const idle = patterns.find((pattern) => !held.some(matcher([fromTop(pattern)])));
  if (idle !== undefined) throw new HumanError('bad-use', `\`files\` of \`holdout\` names ${idle}, which fits no file here. Write paths from the root of the project.`);
  return { shown: { ...listing, files, folders, live, large }, heldOut: { files: heldFiles, folders: heldFolders, live: heldLive, large: heldLarge } };
}

/** Takes out what shows a held-out file under another name, too. Rejects where that is the target. */
export function withoutOtherNames({ shown, heldOut }: Divided, { top, target }: { readonly top: string; readonly target: string }): Divided {
  const held = new Set([...heldOut.files, ...heldOut.large].flatMap((path) => fileOf(join(top, path)) ?? []));
  if (held.size === 0) return { shown, heldOut };
  const isHeld = (path: string): boolean => {
    const file = fileOf(join(top, path));
    return file !== undefined && held.has(file);
  };
  const [files, large] = [shown.files.filter(isHeld), shown.large.filter(isHeld)];
  if (files.includes(target)) throw new HumanError('bad-use', `\`holdout\` holds out a file that ${target}, the file that changes, is another name of. Make it a file of its own.`);
  return {
    shown: { ...shown, files: shown.files.filter((path) => !files.includes(path)), large: shown.large.filter((path) => !large.includes(path)) },
    heldOut: { ...heldOut, files: [...heldOut.files, ...files], large: [...heldOut.large, ...large] },
  };
}

/** Which file a path names, where it has more names than one. */
function fileOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
}

/** Whether a pattern names something in a folder, as far as its first parts without signs tell. */
function isBelow(pattern: string, folder: string): boolean {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return [plain, ...parentsOf(plain)].slice(1).includes(folder);
}
