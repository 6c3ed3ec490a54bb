import { median } from '../median.ts';
import { deviation, NO_SPREAD, withRepeats } from '../verifier/spread.ts';
import type { Noise } from './chance.ts';

/** Where a figure for the noise comes from. */
export type NoiseSource =
  /** The person gave it. */
  | 'given'
  /** Runs of one text. */
  | 'repeats'
  /** How attempts at one level spread. */
  | 'attempts';

/** The standard deviation of one run, and how sure it is (90 %). */
export interface NoiseEstimate extends Noise {
  readonly source: NoiseSource;
  readonly low: number;
  readonly high: number;
  /** Runs or attempts behind it; 0 where it was given. */
  readonly values: number;
}

/** Why a log doesn't tell its noise. */
export type NoiseUnknown =
  /** Too few attempts started at one level. */
  | 'few'
  /** Most attempts score the same to the last digit. */
  | 'ties'
  /** Runs of one text score the same to the last digit: an exact scorer, or a seed inside. */
  | 'exact';

export function givenNoise(sd: number): NoiseEstimate {
  return { sd, uncertainty: 0, source: 'given', low: sd, high: sd, values: 0 };
}

/** From runs of one text each; undefined where there are too few. */
export function noiseOfRepeats(repeats: readonly (readonly number[])[]): NoiseEstimate | 'exact' | undefined {
  const spread = repeats.reduce(withRepeats, NO_SPREAD);
  if (spread.freedom < LEAST_FREEDOM) return undefined;
  if (spread.squares === 0) return 'exact';
  return estimate(deviation(spread), 1 / Math.sqrt(2 * spread.freedom), 'repeats', repeats.reduce((sum, runs) => sum + runs.length, 0));
}

/**
 * From attempts that started at one level each (`Infinity` for one that was better than all of them by nobody knows how much).
 * Most attempts change little, and the rest mostly do harm; so the better half is spread by noise alone, and the worse half
 * counts only where it looks the same.
 */
export function noiseOfAttempts(levels: readonly (readonly number[])[]): NoiseEstimate | 'few' | 'ties' {
  const groups = levels.filter(({ length }) => length >= LEAST_SIBLINGS);
  const upper = scaleOf(groups.flatMap((values) => distancesAbove(values)));
  const lower = scaleOf(groups.flatMap((values) => distancesAbove(values.map((value) => -value))));
  if (!Number.isFinite(upper)) return 'few';
  if (upper === 0) return 'ties';
  const values = groups.reduce((sum, { length }) => sum + length, 0);
  return lower > 0 && lower < ALIKE * upper
    ? estimate(Math.sqrt(upper * lower), SPREAD_OF_SCALE / Math.sqrt(values), 'attempts', values)
    : estimate(upper, SPREAD_OF_SCALE / Math.sqrt(values / 2), 'attempts', values);
}

function estimate(sd: number, uncertainty: number, source: NoiseSource, values: number): NoiseEstimate {
  const factor = Math.exp(1.645 * uncertainty);
  return { sd, uncertainty, source, low: sd / factor, high: sd * factor, values };
}

/** How far the upper half lies above the middle. */
function distancesAbove(values: readonly number[]): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = median(sorted);
  // Their own middle lies nearer to them than the true one.
  const correction = Math.sqrt(sorted.length / (sorted.length - 1));
  return sorted.slice(Math.ceil(sorted.length / 2)).map((value) => (value - middle) * correction);
}

/** Standard deviation of a normal distribution of whose half these are the distances from the middle; the farthest are left out. */
function scaleOf(distances: readonly number[]): number {
  if (distances.length < LEAST_DISTANCES) return NaN;
  const sorted = [...distances].sort((a, b) => a - b);
  for (const { share, mean } of NEAREST) {
    const near = sorted.slice(0, Math.ceil(share * sorted.length));
    const sum = near.reduce((total, distance) => total + distance, 0);
    if (sum < Infinity) return sum / near.length / mean;
  }
  return NaN;
}

const LEAST_FREEDOM = 2;
const LEAST_SIBLINGS = 3;
const LEAST_DISTANCES = 3;
/** How far the nearest values of a normal distribution lie from its middle on the average, in standard deviations, by their share. */
const NEAREST = [{ share: 0.75, mean: 0.5149 }, { share: 0.5, mean: 0.3247 }, { share: 0.25, mean: 0.1579 }] as const;
/** How much larger the worse half may look by chance. */
const ALIKE = 1.5;
/** Standard deviation of the scale's logarithm, times the root of the number of values; by simulation. */
const SPREAD_OF_SCALE = 1.1;
