/** Noises of one run of a scorer, each with mean 0 and standard deviation 1; more is better. */

export type Random = () => number;
/** One scorer's noise: a value for each of its runs, in order. */
export type Noise = () => number;

/** mulberry32: small, seeded, good enough for noise. */
export function seeded(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** What a scorer adds to a text's true value, and how it writes the sum down. */
export interface NoiseKind {
  readonly name: string;
  readonly start: (random: Random) => Noise;
  /** Values come in steps of this size. */
  readonly step?: number;
  /** Seeded inside: a text has one draw, and repeats it to the last digit. */
  readonly fixed?: true;
}

export const NOISES: readonly NoiseKind[] = [
  { name: 'Gaussian', start: (random) => () => normal(random) },
  { name: 'heavy-tailed (t, 3)', start: (random) => () => student3(random) / Math.sqrt(3) },
  { name: 'skewed (best of 10)', start: (random) => () => (bestOf(10, random) - 1.5388) / 0.5868 },
  { name: 'bursty (timings)', start: bursts },
  // The rounding adds a twelfth to the variance.
  { name: 'rounded (step 1 σ)', start: (random) => () => Math.sqrt(11 / 12) * normal(random), step: 1 },
  { name: 'drifting up', start: (random) => drifting(random, 0.03) },
  { name: 'drifting down', start: (random) => drifting(random, -0.03) },
];

/** The baseline's runs are all equal more often than not. */
export const COARSE: NoiseKind = { name: 'rounded (step 4 σ)', start: (random) => () => normal(random), step: 4 };
/** An edit that does nothing but shift the random stream is a new draw. */
export const SEEDED_INSIDE: NoiseKind = { name: 'seeded inside', start: (random) => () => normal(random), fixed: true };

function student3(random: Random): number {
  const z = normal(random);
  return z / Math.sqrt((normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2) / 3);
}

/** A random search reports its best value. */
function bestOf(count: number, random: Random): number {
  let best = -Infinity;
  for (let i = 0; i < count; i++) best = Math.max(best, normal(random));
  return best;
}

/** A quiet machine on which another program comes up now and then, for one to four runs: then all is much slower. */
function bursts(random: Random): Noise {
  let left = 0;
  return () => {
    if (left > 0) left--;
    else if (random() < 0.04) left = 1 + Math.floor(random() * 4);
    const core = -0.35 * Math.abs(normal(random));
    return (core - (left > 0 ? 1.5 + 2 * random() : 0) + BURST_MEAN) / BURST_SD;
  };
}

/** Mean and standard deviation of what `bursts` makes of its raw values, by simulation of 10⁷ runs. */
const BURST_MEAN = 0.506;
const BURST_SD = 0.769;

function drifting(random: Random, slope: number): Noise {
  let run = 0;
  let walk = 0;
  return () => {
    run++;
    walk += 0.05 * normal(random);
    return normal(random) + slope * run + walk;
  };
}
