import type { RunPlan } from '../records.ts';

const NAME = /time|duration|latency|elapsed|seconds|throughput|per_?s|\bops|\bhz\b|speed|\b(?:ns|us|µs|ms|sec|s|min)\b|_(?:ns|us|ms|s)$/i;
const UNIT = /^(?:ns|us|µs|ms|s|sec|min|h|Hz|[kM]?ops|.*\/s)$/;

/** Whether a slower machine scores otherwise: the metric is a time or a rate, or the script has a time in which it gets as far as it gets. */
export function isTiming({ metric: { name, unit }, trainPy, budgetS }: Pick<RunPlan, 'metric' | 'trainPy' | 'budgetS'>): boolean {
  return trainPy || budgetS !== undefined || NAME.test(name) || (unit !== undefined && UNIT.test(unit));
}
