import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { HumanError } from '../../errors.ts';
import { decodeUtf8 } from '../text.ts';

const MAX_BYTES = 1024 * 1024;

/** Reads a target, or says in one sentence why it can't be one. `unsaved`: the text that an editor holds. */
export async function readTarget(path: string, unsaved?: string): Promise<string> {
  const name = basename(path);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? bad(`There is no file ${path}. Check the path.`)
      : bad(`${path} can't be opened (${error.code ?? 'unknown reason'}).`);
  });
  if (found.isDirectory()) throw bad(`${path} is a folder. Name the one file that may change.`);
  if (!found.isFile()) throw bad(`${path} is not a plain file.`);
  if (found.size > MAX_BYTES) throw bad(`${name} is larger than 1 MB. Move the part that should improve into a file of its own.`);
  await access(path, constants.R_OK).catch(() => {
    throw bad(`${path} can't be read. Change its permissions.`);
  });
  const text = unsaved ?? decode(await readFile(path), name);
  switch (unfitness(text)) {
    case 'binary':
      throw bad(`${name} is a binary file. Only text can be improved.`);
    case 'empty':
      throw bad(`${name} is empty. There is nothing to improve yet.`);
    case 'too-large':
      throw bad(`${name} is larger than 1 MB. Move the part that should improve into a file of its own.`);
    case undefined:
      return text;
  }
}

/** Why a text can be no target; undefined where it can. A candidate that can be none is none either. */
export function unfitness(text: string): 'binary' | 'empty' | 'too-large' | undefined {
  if (text.includes('\0')) return 'binary';
  if (text.trim() === '') return 'empty';
  return Buffer.byteLength(text) > MAX_BYTES ? 'too-large' : undefined;
}

function decode(bytes: Buffer, name: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw bad(`${name} is a binary file, or not in UTF-8. Only text in UTF-8 can be improved.`);
  return text;
}

function bad(message: string): HumanError {
  return new HumanError('bad-target', message);
}
