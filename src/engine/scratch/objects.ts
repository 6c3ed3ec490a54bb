import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { git } from './git.ts';

/** A repository may borrow the objects of one that borrows too. */
const MOST_BORROWED = 8;

/**
 * The folders in which a repository's objects lie (real paths): its own, which is the main one's for a worktree, and those that it borrows from. Empty where
 * git can't be asked.
 */
export async function objectFolders(repo: string): Promise<readonly string[]> {
  const own = await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
  const found = own === undefined ? [] : [own.replace(/\n$/, '')];
  for (const folder of found) {
    const text = await readFile(join(folder, 'info', 'alternates'), 'utf8').catch(() => '');
    const borrowed = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => (isAbsolute(line) ? line : resolve(folder, line)));
    found.push(...borrowed.filter((path) => !found.includes(path)).slice(0, Math.max(0, MOST_BORROWED - found.length)));
  }
  const real = await Promise.all(found.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(real.filter((path) => path !== undefined))];
}
