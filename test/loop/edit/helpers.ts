import assert from 'node:assert/strict';
import { applyReply, type EditForm, type RefusalCode } from '../../../src/loop/edit.ts';

const PATH = 'src/solution.py';

/** The text that a reply makes of `file`; fails where it is refused. */
export function applied(file: string, reply: string, form?: EditForm, path = PATH): string {
  const edit = applyReply(file, reply, { path });
  if (!edit.ok) assert.fail(`refused: ${edit.code}: ${edit.reason}`);
  if (form !== undefined) assert.equal(edit.form, form);
  return edit.text;
}

/** The sentence with which a reply is refused; fails where it is applied, or refused with another code. */
export function refused(code: RefusalCode, file: string, reply: string, path = PATH): string {
  const edit = applyReply(file, reply, { path });
  if (edit.ok) assert.fail(`applied: ${JSON.stringify(edit.text)}`);
  assert.equal(edit.code, code, edit.reason);
  assert.match(edit.reason, /^[A-Z].*[.]$/s);
  return edit.reason;
}

export function hypothesis(file: string, reply: string): string {
  return applyReply(file, reply, { path: PATH }).hypothesis;
}

export function block(search: string, replace: string): string {
  return `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
}

export function fenced(text: string, info = '', fence = '```'): string {
  return `${fence}${info}\n${text}${fence}\n`;
}
