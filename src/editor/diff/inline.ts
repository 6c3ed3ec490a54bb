import { stretchesOf } from './lines.ts';

/** A run of lines of an inline diff. `line` counts the composed lines from 0; the two others count each side's from 1. */
export interface Block {
  readonly kind: 'same' | 'added' | 'removed';
  readonly line: number;
  readonly count: number;
  /** The first line on the parent's side; of added lines the one that follows them. */
  readonly parentLine: number;
  /** The first line on the candidate's side; of removed lines the one that follows them. */
  readonly candidateLine: number;
}

/** Two texts as one: what was removed stands where it was, before what was added in its place. */
export interface Inline {
  /** With `\n` as line ends. */
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** One place that changed, with the few lines that lie between its changes. */
export interface Hunk {
  /** First of the composed lines, from 0. */
  readonly line: number;
  /** Composed lines. */
  readonly count: number;
  readonly added: number;
  readonly removed: number;
  /** Lines from 1, both included: of the candidate, or of the parent where the hunk removes only. */
  readonly from: number;
  readonly to: number;
  /** Where it stands in the candidate, from 1. */
  readonly candidateLine: number;
}

/** Changes with at most so many equal lines between them are one hunk. */
const GAP_LINES = 3;

/** Puts the lines of both texts into one column. Without its removed lines it is the candidate, without its added ones the parent, but for line ends. */
export function compose(parent: string, candidate: string): Inline {
  const before = linesOf(parent);
  const after = linesOf(candidate);
  const lines: string[] = [];
  const blocks: Block[] = [];
  const put = (kind: Block['kind'], from: readonly string[], start: number, count: number, parentLine: number, candidateLine: number): void => {
    if (count === 0) return;
    blocks.push({ kind, line: lines.length, count, parentLine, candidateLine });
    for (let i = start; i < start + count; i++) lines.push(from[i] ?? '');
  };
  for (const stretch of stretchesOf(before, after)) {
    const [parentLine, candidateLine] = [stretch.parent + 1, stretch.candidate + 1];
    if (stretch.same) put('same', after, stretch.candidate, stretch.candidateCount, parentLine, candidateLine);
    else {
      put('removed', before, stretch.parent, stretch.parentCount, parentLine, candidateLine);
      put('added', after, stretch.candidate, stretch.candidateCount, parentLine + stretch.parentCount, candidateLine);
    }
  }
  return { text: lines.join('\n'), blocks };
}

/** The places that changed, from top to bottom. */
export function hunksOf({ blocks }: Inline): readonly Hunk[] {
  const groups: Block[][] = [];
  let gap = 0;
  for (const block of blocks) {
    if (block.kind === 'same') gap = block.count;
    else {
      if (groups.length === 0 || gap > GAP_LINES) groups.push([]);
      groups.at(-1)?.push(block);
      gap = 0;
    }
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return first === undefined || last === undefined ? [] : [hunkOf(group, first, last)];
  });
}

function hunkOf(group: readonly Block[], first: Block, last: Block): Hunk {
  const count = (kind: Block['kind']): number => group.reduce((sum, block) => sum + (block.kind === kind ? block.count : 0), 0);
  const added = count('added');
  const end = (kind: Block['kind'], line: number): number => line + (last.kind === kind ? last.count : 0) - 1;
  const [from, to] = added > 0
    ? [first.candidateLine, end('added', last.candidateLine)]
    : [first.parentLine, end('removed', last.parentLine)];
  return { line: first.line, count: last.line + last.count - first.line, added, removed: count('removed'), from, to, candidateLine: first.candidateLine };
}

/** As an editor counts them: a final line end begins one more, empty line. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}
