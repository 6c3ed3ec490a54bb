import type { SyntaxTree } from '../syntax.ts';

export type { Signal } from '../../records.ts';

/** Parent and candidate of one attempt, and what is known about how they are scored. */
export interface EditSides {
  /** Of the target, relative to the root. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Undefined where there is no parser for the language. */
  readonly beforeTree: SyntaxTree | undefined;
  readonly afterTree: SyntaxTree | undefined;
  /** The scorer runs the target itself, as with a train.py: a line with the metric is what it should print. */
  readonly selfScored: boolean;
  readonly metric: string;
  /** Paths of the scorer, gates, tests and holdout, relative to the root, as far as known. */
  readonly watched: readonly string[];
  /** The option `seed:`: what the number in the file is called that seeds its random stream. */
  readonly seed?: string;
}

/** "Line 3", "Lines 3 and 7", "Lines 3, 7 and 2 more": the beginning of a sentence. */
export function linesNamed(lines: Iterable<number>): string {
  const [first, second, ...more] = [...new Set(lines)].sort((a, b) => a - b);
  if (first === undefined || second === undefined) return `Line ${first ?? 1}`;
  return more.length === 0 ? `Lines ${first} and ${second}` : `Lines ${first}, ${second} and ${more.length} more`;
}
