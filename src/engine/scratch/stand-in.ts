import { chown, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from './git.ts';
import { objectFolders } from './objects.ts';
import { copyTree, isRoot } from './snapshot.ts';
import type { Subject } from './subject.ts';

/** What a stand-in shows besides the commit, the branch and the index. */
export interface History {
  /** Where a folder of the repository's objects is seen by what runs in the slot. */
  readonly seenAt: (folder: string) => string;
}

/** None where something is held out: an earlier commit may hold it. */
export function historyOf({ heldOut: { files, folders, live, large } }: Pick<Subject, 'heldOut'>, seenAt: History['seenAt']): History | undefined {
  return [files, folders, live, large].every((paths) => paths.length === 0) ? { seenAt } : undefined;
}

/** The files of a repository without which its history can't be read, or its state is another one. */
const BESIDE_OBJECTS = ['shallow', 'info/exclude'];

/**
 * A stand-in for a repository's `.git`, made below `copy`: the commit, the branch and the index, without remotes and hooks. So `git rev-parse HEAD` and
 * `git ls-files` answer, and nothing of the person's repository can be changed, nor a password in a remote's address be read. With `history`, tags and
 * branches too, and the objects where they lie: git only ever reads what is borrowed. Gives the folders (absolute) in which those are.
 */
export async function standInGit(repo: string, copy: string, signal: AbortSignal, history?: History): Promise<readonly string[]> {
  const [head, branch, index, format] = await Promise.all([
    git(repo, ['rev-parse', '--verify', '-q', 'HEAD']),
    git(repo, ['symbolic-ref', '-q', 'HEAD']),
    gitPath(repo, 'index'),
    git(repo, ['rev-parse', '--show-object-format']),
  ]);
  const folder = join(copy, '.git');
  await mkdir(join(folder, 'objects', 'info'), { recursive: true });
  await mkdir(join(folder, 'refs', 'heads'), { recursive: true });
  await writeFile(join(folder, 'config'), configOf(format?.trim() ?? 'sha1'));
  await writeFile(join(folder, 'HEAD'), branch === undefined ? (head ?? 'ref: refs/heads/main\n') : `ref: ${branch}`);
  if (head !== undefined && branch !== undefined) {
    const ref = join(folder, branch.trim());
    await mkdir(dirname(ref), { recursive: true });
    await writeFile(ref, head);
  }
  if (index !== undefined) await copyTree({ from: dirname(index), into: folder, files: ['index'], folders: [] }, signal);
  const objects = history === undefined ? [] : await showHistory(repo, folder, history);
  if (isRoot()) {
    // git refuses a repository that someone else owns.
    const owner = await stat(repo);
    await chown(folder, owner.uid, owner.gid);
  }
  return objects;
}

async function showHistory(repo: string, folder: string, { seenAt }: History): Promise<readonly string[]> {
  const objects = (await objectFolders(repo)).map(seenAt);
  await writeFile(join(folder, 'objects', 'info', 'alternates'), objects.map((path) => `${path}\n`).join(''));
  const refs = await git(repo, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags', 'refs/remotes']);
  if (refs !== undefined) await writeFile(join(folder, 'packed-refs'), refs);
  for (const name of BESIDE_OBJECTS) {
    const path = await gitPath(repo, name);
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (path !== undefined) await copyFile(path, join(folder, name)).catch(() => undefined);
  }
  return objects;
}

async function gitPath(repo: string, name: string): Promise<string | undefined> {
  return (await git(repo, ['rev-parse', '--path-format=absolute', '--git-path', name]))?.replace(/\n$/, '');
}

function configOf(format: string): string {
  return format === 'sha1'
    ? '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'
    : `[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = ${format}\n`;
}
