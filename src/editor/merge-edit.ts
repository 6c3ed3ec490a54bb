import { mergeInto } from '../loop/merge.ts';

/** One replacement of whole lines; places count from 0, as an editor's do. Line ends are `\n`: the editor makes them its own. */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

export type Accepted =
  /** The document holds it already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'clean'; readonly edit: LineEdit }
  /** `edit` puts conflict markers around the places where both sides changed. */
  | { readonly kind: 'conflict'; readonly edit: LineEdit; readonly conflicts: number };

/**
 * What brings a run's text into a document: what the run changed from `baseline` to `champion`, merged with what the
 * person changed meanwhile. Line ends and a byte-order mark are the document's own business and aren't compared.
 */
export function acceptInto(document: string, baseline: string, champion: string, accepted: readonly string[] = []): Accepted {
  const current = plain(document);
  const merge = mergeInto(current, plain(baseline), plain(champion), accepted.map(plain));
  if (merge.text === current) return { kind: 'same' };
  const edit = smallestEdit(current, merge.text);
  return merge.ok ? { kind: 'clean', edit } : { kind: 'conflict', edit, conflicts: merge.conflicts };
}

/** The shortest run of whole lines whose replacement turns one text into the other. They differ, and have `\n` alone. */
export function smallestEdit(from: string, to: string): LineEdit {
  const [before, after] = [lines(from), lines(to)];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const last = before.length - end;
  const text = after.slice(start, after.length - end).join('');
  const final = before[last - 1] ?? '';
  // Behind the last line of a text without a final line end there is no next line to begin at.
  const open = end === 0 && last > 0 && !final.endsWith('\n');
  return open ? { startLine: start, endLine: last - 1, endCharacter: final.length, text } : { startLine: start, endLine: last, endCharacter: 0, text };
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
}

/** Lines with their ends; empty for an empty text. */
function lines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
