import { note } from '../figures.ts';
import type { Report } from './report.ts';

/** One timed thing of a benchmark report. */
export interface Timing {
  readonly name: string;
  /** Tells two of the same name apart. */
  readonly group?: string;
  /** mean, median, min: whichever the report has. */
  readonly statistics: Readonly<Record<string, unknown>>;
}

const STATISTICS = ['mean', 'median', 'min'] as const;

/**
 * Timings as figures: `mean:NAME`, `median:NAME` and `min:NAME`, and `mean` and so on alone where only one thing was timed.
 * `benchmarks` counts them, so that one that went missing is seen.
 */
export function timingsReport(timings: readonly Timing[], failed: readonly string[]): Report {
  const figures = new Map<string, number>();
  note(figures, 'benchmarks', timings.length);
  const names = timings.map((timing) => timing.name);
  for (const { name, group, statistics } of timings) {
    const unique = names.indexOf(name) === names.lastIndexOf(name) || group === undefined ? name : `${group} > ${name}`;
    for (const statistic of STATISTICS) note(figures, `${statistic}:${unique}`, statistics[statistic]);
    if (timings.length + failed.length === 1) for (const statistic of STATISTICS) note(figures, statistic, statistics[statistic]);
  }
  const problem = failed[0] ?? (timings.length === 0 ? 'The report holds no benchmark.' : undefined);
  return { figures, cases: [], ...(problem === undefined ? {} : { problem }) };
}
