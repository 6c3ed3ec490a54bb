import { splitLines } from '../loop/edit/lines.ts';
import { fenced } from '../loop/fence.ts';

const MARKER = /^(?:<{7} SEARCH|={7}|>{7} REPLACE)\s*$/;

/**
 * Writes an edit as the reply contract wants it: the hypothesis, then one search/replace block in a fence. The changed
 * lines grow by their neighbours until they fit one place of the text alone. `newText` must differ from `text`.
 */
export function renderReply(text: string, newText: string, hypothesis: string): string {
  const before = linesOf(text);
  const after = linesOf(newText);
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < before.length - from && tail < after.length - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  let to = before.length - tail;
  // An insertion alone has no line of its own to search for.
  while (from === to || countOf(before, before.slice(from, to)) > 1) {
    const above = from > 0 && !MARKER.test(before[from - 1] ?? '');
    const below = to < before.length && !MARKER.test(before[to] ?? '');
    if (!above && !below) break;
    if (below) to++;
    if (above) from--;
  }
  const block = [
    '<<<<<<< SEARCH', ...before.slice(from, to), '=======', ...after.slice(from, after.length - (before.length - to)), '>>>>>>> REPLACE',
  ].join('\n');
  return `${hypothesis}\n\n${fenced(block)}\n`;
}

function linesOf(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text);
}

/** How often a run of lines stands in a text. */
function countOf(lines: readonly string[], run: readonly string[]): number {
  let count = 0;
  for (let at = lines.indexOf(run[0] ?? ''); at >= 0; at = lines.indexOf(run[0] ?? '', at + 1)) {
    if (run.every((line, i) => lines[at + i] === line)) count++;
  }
  return count;
}
