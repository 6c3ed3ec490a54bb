import { join } from 'node:path';
import { isFile } from './files.ts';
import type { Surroundings } from './surroundings.ts';

/** Files in which a project of Python says what it is developed with. */
const LISTS = /^(?:pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|noxfile\.py|Pipfile|environment\.ya?ml|\.pre-commit-config\.yaml|(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in))$/;
/** The same in a folder `requirements`. */
const PARTS = /\.(?:txt|in)$/;

/** Whether a file from the target up asks for a package of Python, or starts it. */
export async function asksFor(around: Surroundings, name: string): Promise<boolean> {
  const word = new RegExp(String.raw`(?:^|[\s"'=,/[])${name.replaceAll('-', '[-_.]')}(?![\w-])`, 'im');
  for (const folder of around.upward)
    for (const path of await listsIn(around, folder)) {
      const text = await around.files.read(path);
      if (text !== undefined && word.test(text.replace(/^\s*#.*$/gm, ''))) return true;
    }
  return false;
}

/** The folder of programs in the nearest .venv from the target up, absolute. */
export async function venvOf({ upward }: Surroundings): Promise<string | undefined> {
  for (const above of upward) {
    const programs = join(above, '.venv', 'bin');
    if (await isFile(join(programs, 'python'))) return programs;
  }
  return undefined;
}

async function listsIn({ files }: Surroundings, folder: string): Promise<readonly string[]> {
  const parts = join(folder, 'requirements');
  const [own, others] = await Promise.all([files.list(folder), files.list(parts)]);
  return [...own.files.filter((name) => LISTS.test(name)).map((name) => join(folder, name)), ...others.files.filter((name) => PARTS.test(name)).map((name) => join(parts, name))];
}
