import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { userBase } from './toolchains.ts';

/** The folders outside of a project (`top`) in which Python and Node look for modules: by variables, for the user, and around the project. */
export function moduleFolders(env: Readonly<Record<string, string>>, home: string | undefined, top: string): readonly string[] {
  const named = [env['PYTHONPATH'], env['NODE_PATH']].flatMap((paths) => (paths ?? '').split(delimiter)).filter(isAbsolute);
  const base = userBase({ env, home });
  const user = base === undefined ? [] : namesIn(join(base, 'lib')).map((name) => join(base, 'lib', name, 'site-packages'));
  const around: string[] = [];
  for (let folder = dirname(top); ; folder = dirname(folder)) {
    around.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return [...named, ...user, ...around];
  }
}

/** Whether a folder has a module of this name, of Python or Node. */
export function holdsModule(folder: string, name: string): boolean {
  return existsSync(join(folder, name)) || namesIn(folder).some((entry) => entry.startsWith(`${name}.`) && /\.(?:py|so|pyd|js|cjs)$/.test(entry));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
