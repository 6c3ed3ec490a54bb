import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { HumanError } from '../../errors.ts';
import { decodeUtf8 } from '../../engine/text.ts';
import { applyReply } from '../../loop/edit.ts';
import { EXIT } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet apply FILE --reply R`: prints the edited text, or why the reply is refused. Writes nothing. */
export async function apply(terminal: Terminal, file: string, reply: string): Promise<number> {
  const original = await readText(resolve(terminal.cwd, file));
  const answer = reply === '-' ? await readAll(process.stdin) : await readText(resolve(terminal.cwd, reply));
  const edit = applyReply(original, answer, { path: basename(file) });
  terminal.out(edit.ok ? edit.text : `refused: ${edit.code}: ${edit.reason}\n`);
  return edit.ok ? EXIT.done : EXIT.refused;
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new HumanError('bad-use', `There is no file ${path}. Check the path.`);
    throw new HumanError('bad-use', error.code === 'EISDIR' ? `${path} is a folder. Name a file.` : `${path} can't be read (${error.code ?? 'unknown reason'}). Change its permissions.`);
  });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new HumanError('bad-use', `${path} is not a text in UTF-8. Save it in UTF-8 and try again.`);
  return text;
}
