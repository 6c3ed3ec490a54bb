import { readdir } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import type { Workspace } from '../scratch/slot.ts';

const MAX_ENTRIES = 200_000;
/** Folders where a built or installed copy of a file lies, looked at first. */
const LIKELY = ['dist', 'build', 'out', 'lib', 'site-packages', 'node_modules'];

/** One sentence on which file the scorer loaded instead: another file of the same name, most likely a built or installed copy. */
export async function likelyLoaded({ top, target }: Workspace): Promise<string> {
  const stem = basename(target, extname(target));
  const same = (name: string): boolean => basename(name, extname(name)) === stem && /^\.([cm]?[jt]sx?|py|pyc)$/.test(extname(name));
  const found: string[] = [];
  const folders = [top];
  for (let folder = folders.pop(), seen = 0; folder !== undefined && seen < MAX_ENTRIES; folder = folders.pop()) {
    // Links are not entered: they lead in circles, and to files that are seen elsewhere.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      seen++;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== '.ratchet') folders.push(path);
      else if (entry.isFile() && same(entry.name) && path !== target) found.push(relative(top, path));
    }
  }
  const rank = (path: string): number => (path.split(/[\\/]/).some((part) => LIKELY.includes(part)) ? 0 : 1);
  const [best] = found.sort((a, b) => rank(a) - rank(b) || a.length - b.length);
  return best === undefined
    ? 'No other file of that name was found: check that the command loads it at all.'
    : `Most likely it loaded ${best}. Let the scorer load the file itself, or its path in RATCHET_TARGET.`;
}
