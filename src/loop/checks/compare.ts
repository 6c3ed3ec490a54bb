import type { Measured, Metric } from '../../records.ts';
import { deviation, mean, NO_SPREAD, withRepeats, type Spread } from '../verifier/spread.ts';

/** Scores of one stage, or of the holdout, turned so that more is better. */
export interface Sides {
  readonly candidate: readonly number[];
  readonly parent: readonly number[];
  /** How much one run varies, from repeats of whatever text. */
  readonly spread: Spread;
}

/** The scores among `runs` of this role and name, turned so that more is better. */
export function scoresOf(runs: readonly Measured[], { role, name, whose }: Pick<Measured, 'role'> & { readonly name: string; readonly whose: 'candidate' | 'parent' }, { direction }: Metric): readonly number[] {
  return runs.flatMap((run) => (run.role === role && run.name === name && run.whose === whose && run.outcome === 'scored' && run.score !== undefined ? [direction === 'higher' ? run.score : -run.score] : []));
}

/** What the repeats of several texts tell about one run. */
export function spreadOf(repeats: readonly (readonly number[])[]): Spread {
  return repeats.reduce((spread, values) => withRepeats(spread, values), NO_SPREAD);
}

/** Standard deviation of one run; 0 where nothing ever varied. */
export function noiseOf({ spread }: Sides): number {
  return deviation(spread);
}

/** How much better the candidate is, on the average of its runs. */
export function gainOf({ candidate, parent }: Sides): number {
  return mean(candidate) - mean(parent);
}
