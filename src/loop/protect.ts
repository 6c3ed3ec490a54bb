import { diffArrays } from 'diff';
import { lineTexts } from './edit/lines.ts';
import { markedLines } from './protect-markers.ts';
import { changedSeed, seedRanges } from './protect-seeds.ts';
import { trainLines } from './protect-train.ts';
import type { SeedLiteral } from './seed-literal.ts';
import type { SyntaxTree } from './syntax.ts';

/** Lines that a candidate must leave as they are, or only a seed in one of them. */
export interface ProtectedRange {
  /** Lines, counted from 1; both belong to the range. */
  readonly from: number;
  readonly to: number;
  /** What they are, to follow "because it is": "a seed". The same words for the same rule, so they can be released by it. */
  readonly why: string;
  /** Only this is protected and the rest of the line is free: the offsets of a seed in the text, and its name. */
  readonly seed?: SeedLiteral;
}

/** What is protected was touched: where, why, and which seed it is if it is one. */
export type Touched = Omit<ProtectedRange, 'from' | 'to' | 'seed'> & { readonly line: number; readonly seed?: { readonly name: string; readonly written: string } };

export interface ProtectOptions {
  /** Whether the target is a training script that measures itself. */
  readonly trainPy: boolean;
  /** Names by which other Python files of the project can be imported ("prepare"). */
  readonly projectModules: ReadonlySet<string>;
  /** Seeds are protected in any target; `named` is the option `seed:`. Absent: only a train.py's are, by their lines. */
  readonly seeds?: { readonly named?: string | undefined };
}

/**
 * What is protected, in order: the lines that comments mark, in a train.py those that measure it, and the numbers that are
 * seeds. Whole lines don't overlap.
 */
export function protectedLines(text: string, tree: SyntaxTree | undefined, options: ProtectOptions): readonly ProtectedRange[] {
  const isTrain = options.trainPy && tree?.language === 'python';
  const lines = joined(new Map([...(isTrain ? trainLines(tree, options.projectModules) : []), ...markedLines(text)]));
  // The lines of a train.py's own seeds are protected as a whole.
  const seeds = options.seeds === undefined || (isTrain && options.seeds.named === undefined) ? [] : seedRanges(text, tree, options.seeds.named);
  return [...lines, ...seeds].sort((a, b) => a.from - b.from);
}

/** Whether other text between these offsets, on these lines, would touch what is protected. A seed may go with the code around it. */
export function isProtected(ranges: readonly ProtectedRange[], { from, to }: { readonly from: number; readonly to: number }, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return ranges.some(({ from: first, to: last, seed }) => (seed === undefined ? first <= to && from <= last
    // The quotes of a text that is a seed belong to it.
    : seed.from - 1 <= start && end <= seed.to + 1));
}

/**
 * The first protected line of the original that the candidate does not have, in its order; undefined when all stand.
 * The ranges may overlap. Lines around a range may change and move it; a line put into a range touches it.
 *
 * With `candidateRanges`, what the same rules protect in the candidate, two more changes count: a line that newly falls
 * under protection (a second clock, another seed), and one that lost it although it stands (put inside a string); and of
 * single seeds, that one has another value.
 */
export function touchesProtected(
  original: string, candidate: string, ranges: readonly ProtectedRange[], candidateRanges?: readonly ProtectedRange[],
): Touched | undefined {
  const before = lineTexts(original);
  const after = lineTexts(candidate);
  const own = apart(ranges);
  const removed = firstRemoved(before, after, own);
  if (removed !== undefined || candidateRanges === undefined) return removed;
  return firstDifference(protectedTexts(before, own), protectedTexts(after, apart(candidateRanges))) ?? changedSeed({ text: original, ranges }, { text: candidate, ranges: candidateRanges });
}

/** The whole lines without overlap, for ranges that several rules gave; the first range of a line names its reason. */
function apart(ranges: readonly ProtectedRange[]): readonly ProtectedRange[] {
  const why = new Map<number, string>();
  for (const range of ranges) {
    if (range.seed !== undefined) continue;
    for (let line = range.from; line <= range.to; line++) if (!why.has(line)) why.set(line, range.why);
  }
  return joined(why);
}

function joined(why: ReadonlyMap<number, string>): readonly ProtectedRange[] {
  const ranges: { from: number; to: number; why: string }[] = [];
  for (const [line, reason] of [...why].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === line - 1 && last.why === reason) last.to = line;
    else ranges.push({ from: line, to: line, why: reason });
  }
  return ranges;
}

/** Each range is compared as one piece: the diff can neither split it nor match half of it elsewhere. */
function firstRemoved(
  before: readonly string[], after: readonly string[], ranges: readonly ProtectedRange[],
): { line: number; why: string } | undefined {
  const blocks = new Set(ranges.map(({ from, to }) => before.slice(from - 1, to).join('\n')));
  const heights = [...new Set(ranges.map(({ from, to }) => to - from + 1))].sort((a, b) => b - a);
  const starts = new Map(ranges.map((range) => [range.from, range]));
  const pieces = cut(before, blocks, heights, starts);
  const others = cut(after, blocks, heights, new Map());
  let at = 0;
  for (const change of diffArrays(pieces.map(({ text }) => text), others.map(({ text }) => text))) {
    if (change.added) continue;
    for (let i = 0; i < change.value.length; i++, at++) {
      const range = pieces[at]?.range;
      if (change.removed && range !== undefined) return { line: range.from + firstUnlike(before, after, range), why: range.why };
    }
  }
  return undefined;
}

/** Cuts lines into pieces: at its own place each range, elsewhere any text like one, else single lines. */
function cut(
  lines: readonly string[], blocks: ReadonlySet<string>, heights: readonly number[], starts: ReadonlyMap<number, ProtectedRange>,
): readonly { readonly text: string; readonly range?: ProtectedRange }[] {
  const pieces: { text: string; range?: ProtectedRange }[] = [];
  for (let at = 0; at < lines.length;) {
    const range = starts.get(at + 1);
    const textOfHeight = (height: number): string => lines.slice(at, at + height).join('\n');
    const isFree = (height: number): boolean => {
      for (let i = 1; i < height; i++) if (starts.has(at + 1 + i)) return false;
      return at + height <= lines.length;
    };
    const height = range === undefined
      ? heights.find((candidate) => isFree(candidate) && blocks.has(textOfHeight(candidate))) ?? 1
      : range.to - range.from + 1;
    pieces.push({ text: textOfHeight(height), ...(range !== undefined && { range }) });
    at += height;
  }
  return pieces;
}

/** Which line of a range to name: the first that is nowhere in the candidate, else its first. */
function firstUnlike(before: readonly string[], after: readonly string[], range: ProtectedRange): number {
  const there = new Set(after);
  const found = before.slice(range.from - 1, range.to).findIndex((line) => !there.has(line));
  return Math.max(found, 0);
}

interface ProtectedText { readonly line: number; readonly why: string; readonly text: string }

function protectedTexts(lines: readonly string[], ranges: readonly ProtectedRange[]): readonly ProtectedText[] {
  return ranges.flatMap(({ from, to, why }) => lines.slice(from - 1, to).map((text, i) => ({ line: from + i, why, text })));
}

/** Where the two lists part; the line is the original's where it still has one, else the candidate's. */
function firstDifference(before: readonly ProtectedText[], after: readonly ProtectedText[]): { line: number; why: string } | undefined {
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const was = before[i];
    const is = after[i];
    if (was?.text === is?.text) continue;
    const named = before.length > after.length ? was ?? is : is ?? was;
    if (named !== undefined) return { line: named.line, why: named.why };
  }
  return undefined;
}
