import { constants } from 'node:fs';
import { copyFile, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isWithin } from '../../wire/root.ts';

/** A tree and the folder that its copy lies in. Absolute. */
export interface Mapping {
  readonly top: string;
  readonly copy: string;
}

/**
 * The text of a link at `path` (relative to the top) in the copy, given its text in the tree: links into the tree lead
 * into the copy, links out of it to where they led.
 */
export function linkInCopy({ top, copy }: Mapping, path: string, to: string): string {
  const target = resolve(dirname(join(top, path)), to);
  if (isWithin(top, target)) return isAbsolute(to) ? join(copy, relative(top, target)) : to;
  return target;
}

/** A link to a folder, as every system lets one make it. */
export function linkFolder(to: string, path: string): Promise<void> {
  return symlink(to, path, process.platform === 'win32' ? 'junction' : 'dir');
}

/** A file that may be large: a copy-on-write copy where the disk can, else a link; on Windows, which keeps those for administrators, a copy. */
export async function shareFile(from: string, path: string): Promise<void> {
  try {
    await copyFile(from, path, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    if (process.platform === 'win32') await copyFile(from, path);
    else await symlink(from, path);
  }
}
