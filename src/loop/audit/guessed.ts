import { splitLines } from '../edit/lines.ts';
import type { Region } from '../regions/region.ts';
import type { Change } from './mutant.ts';
import { otherNumber } from './literals.ts';
import { COMMENT } from '../regions/blocks.ts';

/** A number or truth value in code, not within a word or after a sign of a comment. */
const VALUE = /(?<![\w.$#-])(?:(\d+(?:\.\d+)?)(?![\w.])|(true|false|TRUE|FALSE|True|False)\b)/;

/** Breaks where there is no parser: a value changed, and the block taken out. What that does to the syntax isn't known. */
export function guessedChanges(text: string, lines: readonly string[], regions: readonly Region[]): readonly (readonly [string, readonly Change[]])[] {
  const starts: number[] = [];
  let at = 0;
  for (const line of splitLines(text)) {
    starts.push(at);
    at += line.text.length + line.end.length;
  }
  const offset = (line: number): number => starts[line - 1] ?? text.length;
  return regions.map((region) => {
    const changes: Change[] = [];
    for (let line = region.from; line <= region.to && changes.length === 0; line++) {
      const value = valueIn(lines[line - 1] ?? '');
      if (value !== undefined) changes.push({ kind: 'constant', what: `\`${value.written}\` made \`${value.by}\` in line ${line}`, start: offset(line) + value.at, end: offset(line) + value.at + value.written.length, by: value.by });
    }
    const end = offset(region.to) + (lines[region.to - 1] ?? '').length;
    return [region.name, [...changes, { kind: 'emptied', what: 'it taken out', start: offset(region.from), end, by: '' }]];
  });
}

function valueIn(line: string): { readonly at: number; readonly written: string; readonly by: string } | undefined {
  const found = COMMENT.test(line) || line.length > LONGEST_LINE ? null : VALUE.exec(line);
  const [written, number, truth] = found ?? [];
  if (found === null || written === undefined) return undefined;
  return { at: found.index, written, by: number === undefined ? (OTHER[truth ?? ''] ?? written) : otherNumber(number) };
}

const OTHER: Readonly<Record<string, string>> = { true: 'false', false: 'true', TRUE: 'FALSE', FALSE: 'TRUE', True: 'False', False: 'True' };
/** Longer lines are data. */
const LONGEST_LINE = 2_000;
