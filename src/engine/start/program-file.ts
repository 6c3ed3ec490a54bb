import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HumanError } from '../../errors.ts';
import { decodeUtf8 } from '../text.ts';

export const PROGRAM = 'program.md';
const MAX_BYTES = 2 ** 20;

/** `<file>.program.md` or program.md beside the target; undefined where neither is a file. */
export async function findProgram(target: string): Promise<string | undefined> {
  for (const path of [`${target}.program.md`, join(dirname(target), PROGRAM)])
    if ((await stat(path).catch(() => undefined))?.isFile() === true) return path;
  return undefined;
}

/** The text of a program. Rejects with HumanError where it can't be read as one: half of its options would be worse than none. */
export async function readProgramText(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error));
  // A pipe would be waited for.
  if (!found.isFile()) throw new HumanError('bad-use', `The program ${path} can't be read: it is not a plain file.`);
  if (found.size > MAX_BYTES) throw new HumanError('bad-use', `The program ${path} is larger than 1 MB. Shorten it: a model is sent all of it.`);
  const text = decodeUtf8(await readFile(path).catch((error: NodeJS.ErrnoException) => unreadable(path, error)));
  if (text === undefined) throw new HumanError('bad-use', `The program ${path} is not a text in UTF-8. Save it in UTF-8 and start again.`);
  return text;
}

function unreadable(path: string, { code }: NodeJS.ErrnoException): never {
  throw new HumanError('bad-use', code === 'ENOENT' ? `There is no program ${path}. Check the path.` : `The program ${path} can't be read (${code ?? 'unknown reason'}). Change its permissions.`);
}
