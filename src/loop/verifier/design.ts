import { boundaries, type Looks } from './boundaries.ts';
import type { Rules } from './trial.ts';

/** At most so many runs of one candidate, unless `maxRepeats` says otherwise. */
export const DEFAULT_REPEATS = 20;

/**
 * The sequential test of a run. It weighs "no effect" against an effect of about 1.4 standard deviations of one run, as
 * Wald's test would, and gives up after every run that makes the effect unlikely. Found by search over simulated runs
 * (bench/verifier), where what it costs and finds stands in a table. `planned`: attempts that the run is planned for; a long
 * run can't afford as many repeats of each, unless more are allowed.
 */
export function designOf(planned: number, repeats: number): Looks {
  const share = Math.min(1, DEFAULT_REPEATS / repeats);
  return { most: repeats, least: Math.min(LEAST, repeats), effect: EFFECT * Math.sqrt(share), patience: -PATIENCE_LOST * share ** 0.9 * Math.log(planned / 30) };
}

/** What an attempt is judged by that may err with chance `error`. */
export function rulesOf(looks: Looks, error: number): Rules {
  const screened = error * SCREENED * Math.max(1, looks.most / DEFAULT_REPEATS) ** 1.3;
  // Chances between two steps of a tenth differ by less than the noise of the noise.
  const step = Math.round(Math.log(Math.min(MOST_SCREENED, screened)) * 10);
  return { looks, chance: (runs) => chancesOf(looks, step)[runs] ?? 0 };
}

function chancesOf(looks: Looks, step: number): readonly number[] {
  const key = JSON.stringify([looks, step]);
  const chances = known.get(key) ?? boundaries(looks, Math.exp(step / 10));
  known.set(key, chances);
  return chances;
}

/** Boundaries depend on nothing but their key, and take some milliseconds to make: few attempts ever need them. */
const known = new Map<string, readonly number[]>();

const EFFECT = 1.43;
const PATIENCE_LOST = 0.38;
const LEAST = 3;

/** Of what screening lets through, confirming stops all but about one in so many; so screening may let through that many times the error. */
const SCREENED = 14;
const MOST_SCREENED = 0.3;
