import type { Metric, Verdict } from '../records.ts';

/** The words of screens for verdicts; the ledger's words are for programs. */
export const VERDICT_WORDS = {
  kept: 'kept',
  discarded: 'not kept',
  crashed: 'crashed',
  'timed-out': 'took too long',
  'no-score': 'no score',
  'invalid-score': 'invalid score',
  refused: 'edit refused',
  flagged: 'suspicious',
  cancelled: 'stopped',
} as const satisfies Record<Verdict, string>;

/** A value with five significant digits and its unit: "18.24 ms". */
export function formatScore(score: number, metric: Metric): string {
  return withUnit(digits(score), metric);
}

function withUnit(text: string, metric: Metric): string {
  return metric.unit === undefined ? text : `${text} ${metric.unit}`;
}

/** A change in the metric's unit and as a factor: "18.2 → 6.1 ms, 3.0×". The factor is how many times better; left out where it means nothing. */
export function formatChange(from: number, score: number, metric: Metric): string {
  // As many digits as it takes to see the difference.
  const precision = [5, 6, 7, 8].find((given) => digits(from, given) !== digits(score, given)) ?? 5;
  const step = `${digits(from, precision)} → ${withUnit(digits(score, precision), metric)}`;
  const factor = metric.direction === 'lower' ? from / score : score / from;
  const sensible = from > 0 && score > 0 && Number.isFinite(factor);
  // A factor of 1.004 says less than the values do.
  if (!sensible || Math.abs(factor - 1) < 0.005) return step;
  return `${step}, ${factor.toFixed(factor < 1.1 && factor > 0.9 ? 2 : 1)}×`;
}

/** A text that carries the unit, with the metric's name before it; where the unit is the name, that stands once. */
export function named({ name, unit }: Metric, text: string, separator = ' '): string {
  return unit === name ? text : `${name}${separator}${text}`;
}

/** A number with so many significant digits, whole numbers as they are. */
export function formatNumber(value: number, precision: number): string {
  return digits(value, precision);
}

/** "12,000" for 12345: an estimate carries two digits. */
export function formatEstimate(value: number): string {
  const unit = value < 100 ? 1 : 10 ** (Math.floor(Math.log10(value)) - 1);
  return (Math.round(value / unit) * unit).toLocaleString('en-US');
}

function digits(value: number, precision = 5): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(precision)));
}
