import type { Evidence, HoldoutPlan, Measured, Metric } from '../../records.ts';
import { formatScore } from '../format.ts';
import { improvement } from '../metric.ts';
import { mean } from '../verifier/spread.ts';
import { studentQuantile } from '../verifier/student.ts';
import { gainOf, noiseOf, scoresOf, spreadOf, type Sides } from './compare.ts';

/** Codes of verdicts that rest on the holdout: of them a model hears no more than that. */
export const HOLDOUT = 'holdout';
export const FITTING = 'fitting';

/** What the holdout says of a candidate that would be kept. */
export type HoldoutStep =
  | { readonly kind: 'run'; readonly whose: 'candidate' | 'parent' }
  | { readonly kind: 'passed' | 'failed' | 'fitting'; readonly reason: string; readonly numbers: NonNullable<Evidence['holdout']> };

export interface HoldoutCase {
  readonly holdout: HoldoutPlan;
  /** Runs of the attempt in question, and of the start file. */
  readonly own: readonly Measured[];
  readonly start: readonly Measured[];
  /** At most so many pairs of runs. */
  readonly mostPairs: number;
  readonly metric: Metric;
  /** What the scorer says of candidate and parent. */
  readonly score: number;
  readonly parentScore: number;
}

/**
 * Candidate and parent are run in turns, the candidate first. Where no two runs of one text ever differed, one pair decides.
 * Under noise it takes a test of non-inferiority: shown to lose less than the noise of one run it passes, shown to lose more
 * than 0.6 of that it fails, and what is still open after the last pair passes unless it lies more than that below.
 */
export function holdoutStep(dispute: HoldoutCase): HoldoutStep {
  const { holdout, own, mostPairs } = dispute;
  const last = own.findLast(({ role, whose }) => role === 'holdout' && whose === 'candidate');
  if (last === undefined) return { kind: 'run', whose: 'candidate' };
  const sides = sidesOf(dispute);
  if (last.outcome !== 'scored' || last.score === undefined) return { kind: 'failed', reason: `The holdout gives no score: ${last.why}`, numbers: numbersOf(holdout.metric, sides) };
  if (sides.parent.length < sides.candidate.length) return { kind: 'run', whose: 'parent' };
  const decided = worse(sides, sides.candidate.length >= mostPairs);
  if (decided === undefined) return { kind: 'run', whose: 'candidate' };
  const numbers = numbersOf(holdout.metric, sides);
  if (decided) return { kind: 'failed', reason: `The holdout is worse: ${words(holdout.metric, numbers)}.`, numbers };
  if (isFitting(dispute, numbers)) return { kind: 'fitting', reason: `May be fitting the scorer: what the scorer gained is not seen in the holdout (${words(holdout.metric, numbers)}).`, numbers };
  return { kind: 'passed', reason: words(holdout.metric, numbers), numbers };
}

/** Whether the candidate is worse; undefined while that is open. */
function worse(sides: Sides, isLast: boolean): boolean | undefined {
  const sd = noiseOf(sides);
  const gain = gainOf(sides);
  if (sd === 0) return gain < 0;
  const pairs = sides.candidate.length;
  const reach = studentQuantile(CHANCE, Math.max(1, sides.spread.freedom)) * sd * Math.sqrt(2 / pairs);
  if (gain + reach < -TOLERATED * sd) return true;
  if (pairs >= LEAST_PAIRS && gain - reach > -sd) return false;
  return isLast ? gain < -TOLERATED * sd : undefined;
}

/** With these, of ten pairs at most: no loss passes 87 % of the time, a gain of one standard deviation 99 %, a loss of one 20 %, of two 1 %. */
const CHANCE = 0.05;
const LEAST_PAIRS = 2;
const TOLERATED = 0.6;

function sidesOf({ holdout: { name, metric }, own, start }: HoldoutCase): Sides {
  const of = (runs: readonly Measured[], whose: 'candidate' | 'parent'): readonly number[] => scoresOf(runs, { role: 'holdout', name, whose }, metric);
  const candidate = of(own, 'candidate');
  const parent = of(own, 'parent');
  return { candidate, parent, spread: spreadOf([of(start, 'candidate'), candidate, parent]) };
}

function numbersOf({ direction }: Metric, { candidate, parent }: Sides): NonNullable<Evidence['holdout']> {
  const sign = direction === 'higher' ? 1 : -1;
  return { ...(candidate.length === 0 ? {} : { score: sign * mean(candidate) }), ...(parent.length === 0 ? {} : { parentScore: sign * mean(parent) }) };
}

function words(metric: Metric, { score, parentScore }: NonNullable<Evidence['holdout']>): string {
  return `${parentScore === undefined ? '?' : formatScore(parentScore, metric)} → ${score === undefined ? '?' : formatScore(score, metric)}`;
}

/** A leap in the scorer of which the holdout, where it measures the same and has room, shows nearly nothing. */
function isFitting({ holdout, metric, score, parentScore }: HoldoutCase, held: NonNullable<Evidence['holdout']>): boolean {
  if (holdout.metric.name !== metric.name || held.score === undefined || held.parentScore === undefined) return false;
  const gained = shareGained(metric, parentScore, score);
  const heldGained = shareGained(holdout.metric, held.parentScore, held.score);
  return gained !== undefined && heldGained !== undefined && gained >= LEAP && heldGained < SHOWN * gained;
}

/** Half of what there was to gain, or of what there was. */
const LEAP = 0.5;
const SHOWN = 0.1;

/** The gain as a share: of `score` of the way to 100, of other metrics of the value before. Undefined where there is no room. */
export function shareGained(metric: Metric, from: number, to: number): number | undefined {
  const room = metric.name === 'score' ? TOP - from : Math.abs(from);
  return room > 0 ? improvement(metric, from, to) / room : undefined;
}

const TOP = 100;
