import { chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from './git.ts';
import { copyTree, isRoot } from './snapshot.ts';

/**
 * A stand-in for a repository's `.git`, made below `copy`: the commit, the branch and the index, without history,
 * remotes and hooks. So `git rev-parse HEAD` and `git ls-files` answer, and nothing of the person's repository can be
 * changed, nor a password in a remote's address be read.
 */
export async function standInGit(repo: string, copy: string, signal: AbortSignal): Promise<void> {
  const [head, branch, index] = await Promise.all([
    git(repo, ['rev-parse', '--verify', '-q', 'HEAD']),
    git(repo, ['symbolic-ref', '-q', 'HEAD']),
    git(repo, ['rev-parse', '--path-format=absolute', '--git-path', 'index']),
  ]);
  const folder = join(copy, '.git');
  await mkdir(join(folder, 'objects'), { recursive: true });
  await mkdir(join(folder, 'refs', 'heads'), { recursive: true });
  await writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  await writeFile(join(folder, 'HEAD'), branch === undefined ? (head ?? 'ref: refs/heads/main\n') : `ref: ${branch}`);
  if (head !== undefined && branch !== undefined) {
    const ref = join(folder, branch.trim());
    await mkdir(dirname(ref), { recursive: true });
    await writeFile(ref, head);
  }
  if (index !== undefined) await copyTree({ from: dirname(index.trim()), into: folder, files: ['index'], folders: [] }, signal);
  if (isRoot()) {
    // git refuses a repository that someone else owns.
    const owner = await stat(repo);
    await chown(folder, owner.uid, owner.gid);
  }
}
