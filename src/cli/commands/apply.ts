import { basename, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { applyReply } from '../../loop/edit.ts';
import { EXIT } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { readTextFile } from '../text-file.ts';

/** `ratchet apply FILE --reply R`: prints the edited text, or why the reply is refused. Writes nothing. */
export async function apply(terminal: Terminal, file: string, reply: string): Promise<number> {
  const original = await readTextFile(resolve(terminal.cwd, file));
  const answer = reply === '-' ? await readAll(process.stdin) : await readTextFile(resolve(terminal.cwd, reply));
  const edit = applyReply(original, answer, { path: basename(file) });
  terminal.out(edit.ok ? edit.text : `refused: ${edit.code}: ${edit.reason}\n`);
  return edit.ok ? EXIT.done : EXIT.refused;
}
