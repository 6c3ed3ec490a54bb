import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Files that mark the folder of a package. */
export const PACKAGE_MARKS = ['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'Cargo.toml', 'go.mod'];

/** Whether `path` is `folder` or lies below it. Both absolute and normalised; links aren't followed. */
export function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/**
 * The root that a target, or a folder in which a person stands, belongs to (absolute paths): the nearest parent that has
 * `.ratchet`, else the editor's folder where the path lies in it, else the git root, else the nearest folder with a
 * package file, else the folder itself. `userHome`: a package file that lies in the home folder, or above, is no project's.
 */
export async function rootOf(path: string, kind: 'file' | 'folder' = 'file', editorFolder?: string, userHome: string = homedir()): Promise<string> {
  const home = kind === 'file' ? dirname(path) : path;
  const folder = editorFolder !== undefined && isWithin(editorFolder, path) ? editorFolder : undefined;
  return (await nearest(home, hasData)) ?? folder ?? (await nearest(home, isGitRoot)) ?? (await nearest(home, (each) => isPackage(each, userHome))) ?? home;
}

/** The top of what scorers under this root see: the git root at or above it, else the root. */
export async function topOf(root: string): Promise<string> {
  return (await nearest(root, isGitRoot)) ?? root;
}

/** The folder for a root's data: its `.ratchet`, or one of the user's state folder (absolute) where the root can't be written. Writes nothing. */
export async function dataOf(root: string, stateDir: string): Promise<string> {
  const data = join(root, '.ratchet');
  try {
    await access((await hasData(root)) ? data : root, constants.W_OK);
    return data;
  } catch {
    return join(stateDir, createHash('sha256').update(root).digest('hex').slice(0, 16));
  }
}

async function nearest(from: string, has: (folder: string) => Promise<boolean>): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    if (await has(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A link called `.ratchet` doesn't count: data is never written through one. */
async function hasData(folder: string): Promise<boolean> {
  return (await kindOf(join(folder, '.ratchet'))) === 'folder';
}

/** `.git` is a file in worktrees and submodules. */
async function isGitRoot(folder: string): Promise<boolean> {
  return (await kindOf(join(folder, '.git'))) !== undefined;
}

async function isPackage(folder: string, userHome: string): Promise<boolean> {
  if (isWithin(folder, userHome) || dirname(folder) === folder) return false;
  for (const mark of PACKAGE_MARKS) if ((await kindOf(join(folder, mark))) === 'other') return true;
  return false;
}

async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
