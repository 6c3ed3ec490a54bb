import { basename } from 'node:path';
import { cleanLine } from '../../loop/one-line.ts';
import type { Listing } from './files.ts';

/** The longest path that the system takes. Node reaches all that Windows can name. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 4095 : process.platform === 'win32' ? Infinity : 1023;
const MOST_NAMES = 3;

/** Why something of a workspace isn't shown, with its names. */
export interface Unseen {
  readonly why: string;
  readonly paths: readonly string[];
}

/** Takes out what lies so deep that a copy of it in a slot's folder has too long a path. */
export function withoutTooDeep(listing: Listing, top: string, slotFolder: string): { readonly listing: Listing; readonly tooDeep: readonly string[] } {
  // Of both kinds of slot the longer: a folder of the workspace's name below one of a letter.
  const room = MAX_PATH_BYTES - Buffer.byteLength(`${slotFolder}/c/${basename(top)}/`);
  const tooDeep: string[] = [];
  const fitting = (paths: readonly string[]): readonly string[] => paths.filter((path) => {
    const fits = Buffer.byteLength(path) <= room;
    if (!fits) tooDeep.push(path);
    return fits;
  });
  const { files, folders, large, modules, live, repos, unnamed } = listing;
  return { listing: { files: fitting(files), folders: fitting(folders), large: fitting(large), modules: fitting(modules), live: fitting(live), repos: fitting(repos), unnamed }, tooDeep };
}

/** One sentence for the person; absent where all is shown. */
export function unseenOf(known: readonly Unseen[], unreadable: readonly string[]): { readonly unseen?: string } {
  const parts = [...known, { why: 'you can\'t read them', paths: unreadable }].filter(({ paths }) => paths.length > 0).map(({ why, paths }) => {
    const names = paths.slice(0, MOST_NAMES).map((path) => cleanLine(path.length > 120 ? `…${path.slice(-100)}` : path, 120)).join(', ');
    return `${names}${paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : ''} (${why})`;
  });
  return parts.length === 0 ? {} : { unseen: `A scorer is not shown ${parts.join('; ')}.` };
}

/** Whether a name holds a sign that stands for bytes that are no UTF-8. */
export function isUnnameable(name: string): boolean {
  return name.includes('\uFFFD');
}
