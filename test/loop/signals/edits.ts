import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { loadParsers } from '../../../src/engine/parsers.ts';
import type { Parsers } from '../../../src/engine/parsers.ts';
import { editSignals } from '../../../src/loop/signals.ts';
import type { EditSides, Signal } from '../../../src/loop/signals.ts';
import { languageOf } from '../../../src/loop/syntax.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

/** Parent and candidate of a file with that ending. */
export type Edit = readonly [ending: string, before: string, after: string];

export function loadTestParsers(): Promise<Parsers> {
  return loadParsers(grammars);
}

export function signalsOf(parsers: Parsers, [ending, before, after]: Edit, more: Partial<EditSides> = {}): readonly Signal[] {
  const path = `solution.${ending}`;
  const language = languageOf(path);
  const tree = (text: string): EditSides['beforeTree'] => language === undefined ? undefined : parsers.parse(language, text);
  for (const text of [before, after]) assert.notEqual(tree(text)?.hasError, true, text);
  return editSignals({
    path, before, after, beforeTree: tree(before), afterTree: tree(after), selfScored: false, metric: 'score', watched: ['score.py', 'heldout.py', 'bench/score.mjs', 'tests/cases.py'], ...more,
  });
}

/** Every edit must show exactly these codes. */
export function assertCodes(parsers: Parsers, edits: readonly Edit[], codes: readonly string[], more: Partial<EditSides> = {}): void {
  const wrong = edits.flatMap((edit) => {
    const signals = signalsOf(parsers, edit, more);
    const found = [...new Set(signals.map(({ code }) => code))].sort();
    for (const { reason } of signals) assert.match(reason, /^(?:Lines? \d|The edit).*\.$/);
    return found.join(' ') === [...codes].sort().join(' ') ? [] : [`${found.join(' ') || 'nothing'}: ${edit[2]}`];
  });
  assert.deepEqual(wrong, []);
}
