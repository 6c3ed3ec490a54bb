import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Whether a folder is a virtual environment or one of conda. */
export function isEnvironment(folder: string): boolean {
  return existsSync(join(folder, 'pyvenv.cfg')) || existsSync(join(folder, 'conda-meta'));
}

/** The environment that a path (absolute) is, or is a program of: that of `X/bin/python` and `X/bin/activate` is X. */
export function environmentOf(path: string): string | undefined {
  return [path, dirname(path), dirname(dirname(path))].find(isEnvironment);
}

/** The programs without which an environment's Python doesn't start: its own, and where that came from. */
export function interpretersOf(environment: string): readonly string[] {
  return [join(environment, 'bin', 'python'), ...baseOf(environment).map((folder) => join(folder, 'python3'))];
}

/** As venv and virtualenv write it: the folder of the Python that an environment was made by. */
function baseOf(environment: string): readonly string[] {
  try {
    const [, home = ''] = /^home\s*=\s*(.+)$/m.exec(readFileSync(join(environment, 'pyvenv.cfg'), 'utf8')) ?? [];
    return isAbsolute(home.trim()) ? [resolve(home.trim())] : [];
  } catch {
    return [];
  }
}
