import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
/** A fence with a file's name behind its language. A longer one may hold shorter ones. */
const SAMPLE = /^(`{3,})\w+ (\S+)\n([^]*?)^\1$/gm;

/** The text of a page of docs/. */
export function readPage(name: string): Promise<string> {
  return readFile(join(DOCS, name), 'utf8');
}

/** The samples of a page, by their file names. */
export function samplesIn(page: string): ReadonlyMap<string, string> {
  return new Map([...page.matchAll(SAMPLE)].map(([, , name = '', text = '']) => [name, text]));
}

/** The command lines of a page, which stand indented, as they are printed. */
export function linesIn(page: string): readonly string[] {
  return [...page.replace(SAMPLE, '').matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
}
