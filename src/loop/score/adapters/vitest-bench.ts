import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { timingsReport } from './timings.ts';

/**
 * The file of `vitest bench --outputJson`: `{files: [{groups: [{fullName, benchmarks: [{name, mean, rme, median, min, …}]}]}]}`.
 * Times are in milliseconds; the spread is the mean's margin of error. A benchmark that threw is left out by vitest, or has no mean.
 */
export function vitestBench(text: string): Report {
  const json = readJson(text)?.value;
  const files = isObject(json) ? own(json, 'files') : undefined;
  if (!Array.isArray(files)) return unreadable('The report is not one of `vitest bench --outputJson`.');
  const benchmarks = objectsIn(files).flatMap((file) => objectsIn(own(file, 'groups'))).flatMap((group) =>
    objectsIn(own(group, 'benchmarks')).map((benchmark) => ({ group: own(group, 'fullName'), benchmark })));

  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const { group, benchmark } of benchmarks) {
    const name = own(benchmark, 'name');
    if (typeof name !== 'string') continue;
    const mean = own(benchmark, 'mean');
    const rme = own(benchmark, 'rme');
    if (typeof mean === 'number' && Number.isFinite(mean)) timings.push({ name, statistics: benchmark, ...(typeof group === 'string' ? { group } : {}), ...(typeof rme === 'number' ? { rme: { mean: rme } } : {}) });
    else failed.push(`The benchmark ${JSON.stringify(name)} gave no time: it failed.`);
  }
  return timingsReport(timings, failed);
}
