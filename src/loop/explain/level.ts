import { median } from '../median.ts';
import { mean } from '../verifier/spread.ts';
import type { Keep } from './chain.ts';

/** What stood at one level before a keep, as far as is known: runs of its parent and attempts on it. */
export interface Pool {
  readonly values: readonly number[];
  /** Attempts among them. */
  readonly attempts: number;
}

/** A level, and its variance in units of one run's. */
export interface StartLevel {
  readonly level: number;
  readonly variance: number;
}

/**
 * The pool of a keep. `earlier` is that of the keep that its parent was, where that one isn't known to be real: then nothing
 * says that the level moved, and few attempts on one parent tell little about where it is.
 */
export function poolOf({ parent, before }: Pick<Keep, 'parent' | 'before'>, earlier: Pool | undefined): Pool {
  const own = { values: [...parent, ...before], attempts: before.length };
  if (earlier === undefined || own.values.length >= ENOUGH) return own;
  // The parent itself was an attempt on the earlier level.
  return { values: [...earlier.values, ...own.values], attempts: earlier.attempts + 1 + own.attempts };
}

/**
 * Where the keep started from. A parent that was repeated tells it by itself; one run of it is the luckiest of many, so the
 * attempts around it count as much, but for those that did clear harm. `sd`: of one run.
 */
export function startLevel({ parent }: Pick<Keep, 'parent'>, { values }: Pool, sd: number): StartLevel {
  const own = mean(parent);
  if (parent.length >= REPEATED) return { level: own, variance: 1 / parent.length };
  const unharmed = values.filter((value) => value >= own - HARM * sd);
  return { level: median(unharmed), variance: (unharmed.length < 3 ? 1 : MEDIAN_VARIANCE) / unharmed.length };
}

/** So many standard deviations below its parent an attempt did something, and something bad: a lucky parent is half of that. */
export const HARM = 4;
const ENOUGH = 10;
const REPEATED = 3;
/** Of the median of a large sample, against that of its mean. */
const MEDIAN_VARIANCE = 1.57;
