import { diffArrays } from 'diff';
import { BYTE_ORDER_MARK, withoutMark, type Line } from './lines.ts';
import type { TargetText } from './target-text.ts';

/** New lines in place of the target's lines `start` up to but without `end`, counted from 0. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
  /** The line whose end inserted lines take: one that the edit itself names, next to the place. */
  readonly near: number;
}

/** Beyond so many changed lines, line ends of a mixed region are taken by position: looking for the likeness would cost too much. */
const MAX_ALIGNED_CHANGES = 1_000;

/** The splice that makes `after` of the target's lines from `start` on, which are `before`; without the lines that stay. */
export function spliceBetween(start: number, before: readonly string[], after: readonly string[]): Splice | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  if (head + tail === before.length && head + tail === after.length) return undefined;
  const from = start + head;
  return {
    start: from,
    end: start + before.length - tail,
    texts: after.slice(head, after.length - tail),
    near: head > 0 || before.length === 0 ? from - 1 : from,
  };
}

/** The numbers (from 0) of two splices that change the same lines, or insert at the same place. */
export function overlapping(splices: readonly Splice[]): readonly [number, number] | undefined {
  const order = [...splices.entries()].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
  for (const [at, [number, splice]] of order.entries()) {
    const [next, following] = order[at + 1] ?? [];
    if (following === undefined || next === undefined) break;
    const sameGap = splice.start === splice.end && following.start === following.end && splice.start === following.start;
    if (following.start < splice.end || sameGap) return [Math.min(number, next), Math.max(number, next)];
  }
  return undefined;
}

/**
 * The target with all splices, which do not overlap. Every line that stays keeps its end; new lines take the end of those
 * that they replace, or of their neighbour. `typedEnd` is for a target that has no line end at all.
 */
export function spliced(target: TargetText, splices: readonly Splice[], typedEnd: string): string {
  const { lines } = target;
  const out: Line[] = [];
  let copied = 0;
  const add = (more: readonly Line[]) => {
    for (const line of more) out.push(line);
  };
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    add(lines.slice(copied, splice.start));
    add(withEnds(lines, splice, typedEnd));
    copied = splice.end;
  }
  add(lines.slice(copied));
  return target.mark + joined(out, lines, typedEnd);
}

/** The new lines of a splice with their ends. */
function withEnds(lines: readonly Line[], splice: Splice, typedEnd: string): readonly Line[] {
  const replaced = lines.slice(splice.start, splice.end);
  const ends = new Set(replaced.map((line) => line.end).filter((end) => end !== ''));
  const [only = endNear(lines, replaced.length > 0 ? splice.end - 1 : Math.max(splice.near, 0), typedEnd)] = ends;
  if (ends.size < 2) return splice.texts.map((text) => ({ text, end: only }));

  const before = replaced.map((line) => line.text);
  const changes = diffArrays(before, [...splice.texts], { maxEditLength: MAX_ALIGNED_CHANGES })
    ?? [{ removed: true, added: false, value: before }, { removed: false, added: true, value: splice.texts }];
  const aligned: Line[] = [];
  let at = 0;
  let gone = 0;
  for (const { removed, added, value } of changes) {
    if (removed) {
      gone = value.length;
      continue;
    }
    if (!added) [at, gone] = [at + gone, 0];
    for (const [index, text] of value.entries()) {
      // A changed line takes the end of the line that it stands for; where there are more than before, that of the last one.
      const like = added ? Math.max(at + Math.min(index, gone - 1), 0) : at + index;
      aligned.push({ text, end: endNear(replaced, like, only) });
    }
    [at, gone] = [at + (added ? gone : value.length), 0];
  }
  return aligned;
}

/** The end of a line; of the one before it where it is the last one and has none. */
function endNear(lines: readonly Line[], at: number, typedEnd: string): string {
  return lines[at]?.end || lines[at - 1]?.end || typedEnd;
}

/** Lines as a text that ends with a line end if and only if the target did. A target without lines takes them as typed. */
function joined(out: readonly Line[], lines: readonly Line[], typedEnd: string): string {
  const ended = lines.at(-1)?.end !== '';
  const last = out.length - 1;
  let before = '';
  return out.map((line, index) => {
    // Models copy a byte-order mark that belongs to the file, not to its first line.
    const text = index === 0 && !lines[0]?.text.startsWith(BYTE_ORDER_MARK) ? withoutMark(line.text) : line.text;
    let end = index === last && !ended ? '' : line.end || endNear(lines, lines.length - 1, typedEnd);
    // A CR and the LF of an empty line after it would become one line end.
    if (before === '\r' && text === '' && end === '\n') end = '\r';
    before = end;
    return text + end;
  }).join('');
}
