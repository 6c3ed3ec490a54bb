import type { Direction } from '../../records.ts';
import type { ResultRow } from '../results.ts';

/** Which way is better, and how that is known. */
export interface KnownDirection {
  readonly direction: Direction;
  readonly by: 'given' | 'name' | 'keeps';
}

/** Undefined where neither a person nor the metric's name says it and the log's keeps contradict each other. */
export function directionOf(metric: string, rows: readonly ResultRow[], given: Direction | undefined): KnownDirection | undefined {
  if (given !== undefined) return { direction: given, by: 'given' };
  const named = NAMED[metric.toLowerCase()];
  if (named !== undefined) return { direction: named, by: 'name' };
  // What was kept lies on the better side of what it replaced, and what was discarded on the worse side.
  let higher = 0;
  let lower = 0;
  let champion: number | undefined;
  for (const { score, status } of rows) {
    if (score === undefined) continue;
    if (champion !== undefined && score !== champion) {
      if ((score > champion) === (status === 'keep')) higher++;
      else lower++;
    }
    if (status === 'keep') champion = score;
  }
  if (Math.max(higher, lower) < MAJORITY * (higher + lower) || higher + lower === 0) return undefined;
  return { direction: higher > lower ? 'higher' : 'lower', by: 'keeps' };
}

const NAMED: Readonly<Record<string, Direction>> = { score: 'higher', val_bpb: 'lower' };
const MAJORITY = 2 / 3;
