import type { Metric } from '../../records.ts';

/**
 * The scale on which runs are compared: turned so that more is better, and for times, sizes and rates in logarithms, because
 * their noise grows with them: what counts there is the factor.
 */
export interface Scale {
  readonly sign: 1 | -1;
  readonly logarithmic: boolean;
  /** Below it all values count as this one: a clock that shows 0 now and then isn't a thousand times faster each time. Only where the scale is logarithmic. */
  readonly least: number;
}

const RATIO_NAME = /time|duration|latency|elapsed|seconds|\b(?:ns|us|µs|ms|sec|s|min)\b|_(?:ns|us|ms|s)$|bytes|size|memory|throughput|rate\b|per_?s|ops|\bhz\b|speed|mean|median|min$|p\d\d/i;
const RATIO_UNIT = /^(?:ns|us|µs|ms|s|sec|min|h|B|[kKMG]i?B|bytes|Hz|[kM]?ops|ops\/s|×|x|.*\/s)$/;

/** The scale for a metric whose unchanged start has this value. */
export function scaleOf({ name, direction, unit }: Metric, start: number): Scale {
  const ratio = start > 0 && name !== 'score' && name !== 'val_bpb' && (RATIO_NAME.test(name) || (unit !== undefined && RATIO_UNIT.test(unit)));
  return { sign: direction === 'higher' ? 1 : -1, logarithmic: ratio, least: ratio ? start / 1_000 : 0 };
}

/** A value as it is compared. */
export function onScale({ sign, logarithmic, least }: Scale, value: number): number {
  return sign * (logarithmic ? Math.log(Math.max(value, least)) : value);
}

/** The other way round: a value in the metric's unit. */
export function offScale({ sign, logarithmic }: Scale, value: number): number {
  return logarithmic ? Math.exp(sign * value) : sign * value;
}

/** A standard deviation in the metric's unit, as it is on the scale around `start`; the share of it where the scale is logarithmic. */
export function deviationOnScale({ logarithmic }: Scale, deviation: number, start: number): number {
  return logarithmic ? deviation / Math.abs(start) : deviation;
}
