import { median } from '../median.ts';

/** How much one run of the scorer varies by itself: pooled over everything that was measured more than once. */
export interface Spread {
  /** Sum of the squares, each by its weight. */
  readonly squares: number;
  /** The largest of them, in falling order: those that may be far out. */
  readonly largest: readonly Part[];
  /** Degrees of freedom: how many independent squares. */
  readonly freedom: number;
}

/** A square whose mean is the variance of one run, and the share of a degree of freedom that it has. */
interface Part {
  readonly square: number;
  readonly weight: number;
}

export const NO_SPREAD: Spread = { squares: 0, largest: [], freedom: 0 };

/** With one more independent square. */
export function withSquare(spread: Spread, square: number): Spread {
  return added(spread, [{ square, weight: 1 }], 1);
}

/** With the repeats of one text, which vary around their own mean. */
export function withRepeats(spread: Spread, values: readonly number[]): Spread {
  const runs = values.length;
  if (runs < 2) return spread;
  const middle = mean(values);
  const weight = (runs - 1) / runs;
  return added(spread, values.map((value) => ({ square: (value - middle) ** 2 / weight, weight })), runs - 1);
}

/** What is said to be the standard deviation of one run, as if `runs` runs had shown it. */
export function given(sd: number, runs: number): Spread {
  // No run, so none that could be far out.
  return { squares: sd ** 2 * runs, largest: [], freedom: runs };
}

/** Two spreads of the same noise as one. */
export function joined(one: Spread, other: Spread): Spread {
  if (other.freedom === 0) return one;
  return { squares: one.squares + other.squares, largest: falling(one.largest, other.largest), freedom: one.freedom + other.freedom };
}

/**
 * What is known of one text's noise, from its own runs and from those of texts before it. They are pooled, as most changes
 * leave the noise as it is, unless its own runs vary clearly more (at each look one time in twenty by chance, which costs power alone): then they stand alone. A
 * change can bring more noise with it, and what follows must not be measured by the quiet of the start. The test is the F test
 * of two variances, by the normal approximation of Paulson (1942).
 */
export function pooled(earlier: Spread, own: Spread): Spread {
  if (own.freedom < LEAST_FREEDOM || earlier.freedom < LEAST_FREEDOM) return joined(earlier, own);
  const [quiet, loud] = [deviation(earlier), deviation(own)];
  if (quiet === 0) return loud > 0 ? own : joined(earlier, own);
  const root = Math.cbrt((loud / quiet) ** 2);
  const [a, b] = [2 / (9 * own.freedom), 2 / (9 * earlier.freedom)];
  return ((1 - b) * root - (1 - a)) / Math.sqrt(b * root ** 2 + a) > LOUDER ? own : joined(earlier, own);
}

const LEAST_FREEDOM = 2;
/** One-sided chance of a twentieth. */
const LOUDER = 1.645;

/** Whether the repeats of a text show another noise than this: more than one of them lies far off, so that a burst of the machine is none. */
export function isOtherNoise(values: readonly number[], spread: Spread): boolean {
  if (values.length < 3) return false;
  const far = OTHER_NOISE * deviation(spread);
  // Nearly always: no need for two medians.
  if (Math.max(...values) - Math.min(...values) <= far) return false;
  const middle = median(values);
  return MAD_TO_SD * median(values.map((value) => Math.abs(value - middle))) > far;
}

/** In standard deviations of the noise that is known: found by search over simulated runs (bench/verifier/louder.ts). */
const OTHER_NOISE = 2.5;
/** Of normal noise the median absolute deviation, times this, is the standard deviation. */
const MAD_TO_SD = 1.4826;

function added({ squares, largest, freedom }: Spread, more: readonly Part[], independent: number): Spread {
  return {
    squares: more.reduce((sum, { square, weight }) => sum + square * weight, squares),
    largest: falling(largest, more),
    freedom: freedom + independent,
  };
}

/** The largest of both, in falling order; most of the time nothing that is new is one of them. */
function falling(largest: readonly Part[], more: readonly Part[]): readonly Part[] {
  const least = largest.length < MOST_FAR_OUT ? -1 : (largest.at(-1)?.square ?? -1);
  const large = more.filter(({ square }) => square > least);
  return large.length === 0 ? largest : [...largest, ...large].sort((a, b) => b.square - a.square).slice(0, MOST_FAR_OUT);
}

/**
 * Standard deviation of one run; 0 where nothing varied, or nothing is known. Robust: what lies further out than so many
 * standard deviations counts as if it lay there (winsorised variance, Huber 1964, "proposal 2"), so that one run beside
 * another program's burst can't make the noise of ten many times what it is. Of normal noise that takes a quarter of a percent;
 * nothing where no run is far out, and nothing where too few were made to tell.
 */
export function deviation({ squares, largest, freedom }: Spread): number {
  if (freedom === 0) return 0;
  let others = squares;
  let within = freedom;
  // Each that is far out is FAR_OUT² variances, whatever the variance is: the others tell it.
  for (const { square, weight } of largest) {
    const rest = within - FAR_OUT ** 2 * weight;
    if (square * within <= FAR_OUT ** 2 * others || rest <= 0) break;
    others -= square * weight;
    within = rest;
  }
  return Math.sqrt(Math.max(0, others) / within);
}

/** Below three: of the nine squares of ten runs, one counts as less than all. */
const FAR_OUT = 2.8;
/** More than so many aren't outliers. */
const MOST_FAR_OUT = 16;

/** The arithmetic mean; of no values it is NaN. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
