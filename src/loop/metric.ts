import type { Metric } from '../records.ts';

/** How much better `score` is than `from`, in the metric's unit; negative when worse. */
export function improvement(metric: Metric, from: number, score: number): number {
  return metric.direction === 'higher' ? score - from : from - score;
}
