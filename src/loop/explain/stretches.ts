import { chanceOfLuck } from './chance.ts';
import type { NoiseEstimate } from './noise.ts';
import type { JudgedKeep } from './verdicts.ts';

/** Keeps in a row of which none is likely real by itself: together they may be. */
export interface Stretch {
  /** Indices of the first and the last of their rows. */
  readonly from: number;
  readonly to: number;
  readonly keeps: number;
  /** Of the last over what the first replaced. */
  readonly gain: number;
  /** Chance that the best of all their attempts comes so far by luck. */
  readonly chance: number;
}

/** Two keeps or more each. */
export function stretchesOf(keeps: readonly JudgedKeep[], noise: NoiseEstimate): readonly Stretch[] {
  const stretches: JudgedKeep[][] = [[]];
  for (const keep of keeps) {
    if (keep.verdict === 'likely real' || keep.verdict === 'not better') stretches.push([]);
    else stretches.at(-1)?.push(keep);
  }
  return stretches.flatMap((stretch) => {
    const [first] = stretch;
    const last = stretch.at(-1);
    if (first?.start === undefined || last === undefined || stretch.length < 2) return [];
    const draws = stretch.slice(1).reduce((sum, { before }) => sum + before.length + 1, first.draws);
    const chance = chanceOfLuck({ above: last.value - first.start.level, levelVariance: first.start.variance, draws }, noise);
    return [{ from: first.row, to: last.row, keeps: stretch.length, gain: last.value - first.value + first.gain, chance }];
  });
}

/** Up to this chance they are called likely real together: a log has several stretches. */
export const TOGETHER = 0.03;
