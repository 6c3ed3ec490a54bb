import type { CaseScore, Metric, Outcome } from '../../records.ts';
import type { Figures } from './figures.ts';
import { others } from './figures.ts';

/** What one run of the scorer measured, or why nothing. */
export interface Reading {
  readonly outcome: Outcome;
  /** In the metric's unit, finite, never -0. Present exactly when the outcome is `scored`. */
  readonly score?: number;
  /** Every other finite number that has a name: at most 64, the last ones. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly cases: readonly CaseScore[];
  readonly notes?: string;
  /** One sentence: where the value was read, or why there is none. */
  readonly why: string;
  /** How many values of the metric were given, in whatever place. */
  readonly values: number;
  readonly source: 'result-file' | 'json-line' | 'named-line' | 'bare-number' | 'report' | 'module' | 'none';
  /** One sentence, where another place gave the metric another value than the one that counts. */
  readonly conflict?: string;
  /** The numbers under other names, to pick the metric from. */
  readonly candidates: readonly { readonly name: string; readonly value: number }[];
}

/** What stands beside a value, or is there without one. */
export interface Beside {
  readonly metric: Metric;
  readonly values: number;
  readonly figures: Figures;
  readonly cases: readonly CaseScore[];
  readonly notes?: string | undefined;
}

/** The value of a run that ended well, before it is checked. */
export interface Found extends Beside {
  readonly value: number;
  readonly source: Reading['source'];
  /** "read from …" */
  readonly where: string;
  readonly conflict?: string | undefined;
}

/** Squares of larger numbers, as their spread needs them, are infinite, and those of smaller ones are 0. */
export const LARGEST = 1e150;
const SMALLEST = 1e-150;

/** Checks the value: finite, of a size that can be computed with, and for `score` from 0 to 100. */
export function finished(found: Found): Reading {
  const { metric, source, where } = found;
  if (!Number.isFinite(found.value))
    return unscored('invalid-score', `\`${metric.name}\` is ${found.value}, not a finite number (${where}).`, found);
  if (Math.abs(found.value) > LARGEST)
    return unscored('invalid-score', `\`${metric.name}\` is ${found.value}, too large a number to compare with others (${where}).`, found);
  if (found.value !== 0 && Math.abs(found.value) < SMALLEST)
    return unscored('invalid-score', `\`${metric.name}\` is ${found.value}, too small a number to compare with others (${where}). Print it in a smaller unit, or its logarithm.`, found);
  const score = metric.name === 'score' ? inRange(found.value) : found.value;
  if (score === undefined)
    return unscored('invalid-score', `\`score\` is ${found.value}, outside 0 to 100 (${where}). Scale it, or give the metric another name and a direction.`, found);
  return {
    outcome: 'scored', score, why: `\`${metric.name}\` is ${score}, ${where}.`, source,
    ...rest(found), ...(found.conflict === undefined ? {} : { conflict: found.conflict }),
  };
}

/** Sums of shares miss 0 and 100 by a rounding error: that is no other score. */
function inRange(score: number): number | undefined {
  if (score < -1e-9 || score > 100 + 1e-9) return undefined;
  return Math.min(100, Math.max(0, score));
}

/** A run that ended well and has no score. */
export function unscored(outcome: Outcome, why: string, found: Beside & { readonly source?: Reading['source'] }): Reading {
  return { outcome, why, source: found.source ?? 'none', ...rest(found) };
}

function rest({ metric, values, figures, cases, notes }: Beside): Pick<Reading, 'metrics' | 'cases' | 'notes' | 'values' | 'candidates'> {
  const candidates = others(figures, metric.name);
  return {
    metrics: Object.fromEntries(candidates.map(({ name, value }) => [name, value])), cases, values, candidates,
    ...(notes === undefined ? {} : { notes }),
  };
}
