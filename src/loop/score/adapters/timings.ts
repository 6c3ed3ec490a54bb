import { note } from '../figures.ts';
import type { Report } from './report.ts';

const STATISTICS = ['mean', 'median', 'min'] as const;
type Statistic = (typeof STATISTICS)[number];

/** One timed thing of a benchmark report. */
export interface Timing {
  readonly name: string;
  /** Tells two of the same name apart. */
  readonly group?: string;
  /** mean, median, min: whichever the report has. */
  readonly statistics: Readonly<Record<string, unknown>>;
  /** What the runner itself claims about the spread of a statistic, in percent of it. */
  readonly rme?: Partial<Readonly<Record<Statistic, number>>>;
}

/**
 * Timings as figures: `mean:NAME`, `median:NAME` and `min:NAME`, and `mean` and so on alone where only one thing was timed;
 * `mean:NAME_rme` is the runner's own claim about its spread, in percent. `benchmarks` counts them, so that one that went
 * missing is seen. Two that nothing tells apart give no time: one would pass for the other.
 */
export function timingsReport(timings: readonly Timing[], failed: readonly string[]): Report {
  const figures = new Map<string, number>();
  note(figures, 'benchmarks', timings.length);
  const names = timings.map((timing) => timing.name);
  const unique = timings.map(({ name, group }) => (names.indexOf(name) === names.lastIndexOf(name) || group === undefined ? name : `${group} > ${name}`));
  const doubled = unique.find((name, index) => unique.indexOf(name) !== index);
  for (const [index, timing] of timings.entries()) {
    const name = unique[index] ?? timing.name;
    if (unique.indexOf(name) !== unique.lastIndexOf(name)) continue;
    noteTiming(figures, timing, `:${name}`);
    if (timings.length + failed.length === 1) noteTiming(figures, timing, '');
  }
  const twice = doubled === undefined ? undefined : `The report has more than one benchmark with the name ${JSON.stringify(doubled)}; give each its own.`;
  const problem = failed[0] ?? twice ?? (timings.length === 0 ? 'The report holds no benchmark.' : undefined);
  return { figures, cases: [], ...(problem === undefined ? {} : { problem }) };
}

function noteTiming(figures: Map<string, number>, { statistics, rme }: Timing, of: string): void {
  for (const statistic of STATISTICS) note(figures, `${statistic}${of}`, statistics[statistic]);
  for (const statistic of STATISTICS) note(figures, `${statistic}${of}_rme`, rme?.[statistic]);
}

/** A standard deviation in percent of the mean, where both are numbers. */
export function percentOf(deviation: unknown, mean: unknown): { readonly mean: number } | undefined {
  return typeof deviation === 'number' && typeof mean === 'number' && mean > 0 ? { mean: (100 * deviation) / mean } : undefined;
}
