import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { percentOf, timingsReport } from './timings.ts';

/**
 * The file of `pytest --benchmark-json`: `{benchmarks: [{name, fullname, stats: {mean, stddev, median, min, …}}]}`. Times
 * are in seconds; the spread is the standard deviation.
 */
export function pytestBenchmark(text: string): Report {
  const json = readJson(text)?.value;
  if (!isObject(json) || !Array.isArray(own(json, 'benchmarks')) || !isObject(own(json, 'machine_info'))) return unreadable('The report is not one of `pytest --benchmark-json`.');
  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const benchmark of objectsIn(own(json, 'benchmarks'))) {
    const name = own(benchmark, 'name');
    const full = own(benchmark, 'fullname');
    const stats = own(benchmark, 'stats');
    if (typeof name !== 'string') continue;
    if (!isObject(stats) || typeof own(stats, 'mean') !== 'number') {
      failed.push(`The benchmark ${JSON.stringify(name)} gave no time: it failed.`);
      continue;
    }
    const rme = percentOf(own(stats, 'stddev'), own(stats, 'mean'));
    timings.push({ name, statistics: stats, ...(typeof full === 'string' ? { group: full.replace(/::[^:]*$/, '') } : {}), ...(rme === undefined ? {} : { rme }) });
  }
  return timingsReport(timings, failed);
}
