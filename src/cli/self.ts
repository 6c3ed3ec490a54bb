import { existsSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { shellWord } from '../loop/shell-word.ts';

/** A process of this program, as far as its name goes. */
export interface Started {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The Node that runs it, and what it runs. */
  readonly node: string;
  readonly script: string;
  readonly platform: NodeJS.Platform;
}

/**
 * How this program is called from a folder, as it is typed there: `ratchet` where that is on the PATH, else its script with
 * `node`; where that would be another Node than the one that runs, which may be too old for it, with the path of this one.
 */
export function ownName({ env, cwd, node, script, platform }: Started): string {
  const [ratchet, plain] = platform === 'win32' ? ['ratchet.cmd', 'node.exe'] : ['ratchet', 'node'];
  if (firstOnPath(ratchet, env) !== undefined) return 'ratchet';
  const near = relative(cwd, script);
  const file = shellWord(near.startsWith('..') ? script : near);
  const found = firstOnPath(plain, env);
  return `${found !== undefined && isSame(found, node) ? 'node' : shellWord(node)} ${file}`;
}

/** Where a person's shell would find a program. npm puts a project's own programs on the PATH of what it starts, and of nothing else. */
function firstOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function isSame(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}
