import { execFile } from 'node:child_process';
import { parentsOf } from './names.ts';

/** Names that git reports below one repository, relative to it, `/`-separated. */
export interface Reported {
  readonly tracked: readonly string[];
  /** Not ignored either. */
  readonly untracked: readonly string[];
  /** Folders of submodules and of repositories that git doesn't know. */
  readonly repos: readonly string[];
  /** The top-most ignored files and folders. */
  readonly ignored: readonly string[];
}

/**
 * Runs git for reading only: no lock, no index refresh, no hook or monitor that the repository's configuration names,
 * whoever owns the folder. Undefined when git is missing or refuses.
 */
export function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  for (const name of Object.keys(env)) if (name.startsWith('GIT_') && name !== 'GIT_OPTIONAL_LOCKS') delete env[name];
  const safe = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', ...args];
  return new Promise((resolve) => {
    execFile('git', safe, { cwd, env, maxBuffer: 2 ** 30, windowsHide: true }, (error, stdout) => {
      resolve(error === null ? stdout : undefined);
    });
  });
}

/** What git knows below `repo` (absolute); undefined when it can't be asked. */
export async function report(repo: string): Promise<Reported | undefined> {
  const [staged, others, hidden] = await Promise.all([
    git(repo, ['ls-files', '-s', '-z']),
    git(repo, ['ls-files', '-o', '--exclude-standard', '-z']),
    git(repo, ['ls-files', '-oi', '--exclude-standard', '--directory', '-z']),
  ]);
  if (staged === undefined || others === undefined || hidden === undefined) return undefined;
  const entries = records(staged).map((entry) => ({ link: entry.startsWith('160000 '), path: entry.slice(entry.indexOf('\t') + 1) }));
  const untracked = records(others);
  return {
    tracked: [...new Set(entries.filter((entry) => !entry.link).map((entry) => entry.path))],
    untracked: untracked.filter((path) => !path.endsWith('/')),
    repos: [...entries.filter((entry) => entry.link).map((entry) => entry.path), ...untracked.filter((path) => path.endsWith('/')).map(withoutSlash)],
    ignored: withoutParents(records(hidden).map(withoutSlash)),
  };
}

function records(output: string): string[] {
  return output.split('\0').filter((record) => record !== '');
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** git also names a folder that isn't ignored itself when all that it holds is; the entries below say it better. */
function withoutParents(paths: readonly string[]): string[] {
  const parents = new Set(paths.flatMap(parentsOf));
  return paths.filter((path) => !parents.has(path));
}
