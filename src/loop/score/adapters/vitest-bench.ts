import { isObject, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { timingsReport } from './timings.ts';

/**
 * The file of `vitest bench --outputJson`: `{files: [{groups: [{fullName, benchmarks: [{name, mean, median, min, …}]}]}]}`.
 * Times are in milliseconds. A benchmark that threw is left out by vitest, or has no mean.
 */
export function vitestBench(text: string): Report {
  const json = readJson(text)?.value;
  const files = isObject(json) ? own(json, 'files') : undefined;
  if (!Array.isArray(files)) return unreadable('The report is not one of `vitest bench --outputJson`.');
  const benchmarks = objects(files).flatMap((file) => objects(own(file, 'groups'))).flatMap((group) =>
    objects(own(group, 'benchmarks')).map((benchmark) => ({ group: own(group, 'fullName'), benchmark })));

  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const { group, benchmark } of benchmarks) {
    const name = own(benchmark, 'name');
    if (typeof name !== 'string') continue;
    const mean = own(benchmark, 'mean');
    if (typeof mean === 'number' && Number.isFinite(mean)) timings.push({ name, statistics: benchmark, ...(typeof group === 'string' ? { group } : {}) });
    else failed.push(`The benchmark ${JSON.stringify(name)} gave no time: it failed.`);
  }
  return timingsReport(timings, failed);
}

function objects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
