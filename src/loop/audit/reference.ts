import type { Metric } from '../../records.ts';
import { improvement } from '../metric.ts';
import { studentQuantile } from '../verifier/student.ts';
import { deviation, mean, NO_SPREAD, withRepeats } from '../verifier/spread.ts';
import type { Sample } from './evidence.ts';

/** The unchanged file as it scored: what every other run of a check is compared with. */
export interface Reference {
  readonly metric: Metric;
  /** In the order of the runs. */
  readonly scores: readonly number[];
  readonly seeds: readonly number[];
  readonly mean: number;
  /** Of one run, over all seeds. */
  readonly sd: number;
  /** All runs gave the same, and there were at least two. */
  readonly isExact: boolean;
  /** Runs with one seed gave the same, and there were at least two of one seed. */
  readonly isExactBySeed: boolean;
}

/** How a run compares: `other` has no score where the file has one; `unsure` lies where noise could be. */
export type Comparison = 'same' | 'better' | 'worse' | 'other' | 'unsure';

/** Undefined where the unchanged file gave no score. */
export function referenceOf(baselines: readonly Sample[], metric: Metric): Reference | undefined {
  const scored = baselines.flatMap(({ score, seed }) => (score === undefined ? [] : [{ score, seed }]));
  if (scored.length === 0) return undefined;
  const scores = scored.map(({ score }) => score);
  const bySeed = [...new Set(scored.map(({ seed }) => seed))].map((seed) => scored.filter((one) => one.seed === seed).map(({ score }) => score));
  return {
    metric,
    scores,
    seeds: scored.map(({ seed }) => seed),
    mean: mean(scores),
    sd: deviation(withRepeats(NO_SPREAD, scores)),
    isExact: scores.length > 1 && isOneValue(scores),
    isExactBySeed: bySeed.some((own) => own.length > 1) && bySeed.every(isOneValue),
  };
}

/** Compares a run with the unchanged file: by the run of the same seed where that repeats, else against the noise. */
export function compare(reference: Reference, sample: Sample): Comparison {
  const { score } = sample;
  if (sample.outcome !== 'scored' || score === undefined) return 'other';
  const same = reference.scores[reference.seeds.indexOf(sample.seed)];
  if (reference.isExactBySeed && same !== undefined) return sided(reference.metric, same, score);
  const from = reference.mean;
  const distance = Math.abs(score - from);
  if (distance === 0) return 'same';
  const runs = reference.scores.length;
  // One run says nothing of the noise: only what is far off is another value.
  if (runs === 1) return distance > FAR_OFF * Math.abs(from) ? sided(reference.metric, from, score) : 'unsure';
  if (distance > studentQuantile(CHANCE, runs - 1) * reference.sd * Math.sqrt(1 + 1 / runs)) return sided(reference.metric, from, score);
  return distance > UNSURE_FROM * reference.sd ? 'unsure' : 'same';
}

/** A file that is as it was would lie outside by chance once in a hundred times, on either side. */
const CHANCE = 0.005;
const UNSURE_FROM = 4;
const FAR_OFF = 0.5;

function sided(metric: Metric, from: number, score: number): Comparison {
  const gain = improvement(metric, from, score);
  return gain === 0 ? 'same' : gain > 0 ? 'better' : 'worse';
}

function isOneValue(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
