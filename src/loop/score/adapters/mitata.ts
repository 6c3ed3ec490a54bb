import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { percentOf, timingsReport } from './timings.ts';

const IN_NS: Readonly<Record<string, number>> = { ps: 1e-3, ns: 1, µs: 1e3, μs: 1e3, us: 1e3, ms: 1e6, s: 1e9 };
const TIME = String.raw`([\d.]+) *(ps|ns|[µμu]s|ms|s)`;
const ROW = new RegExp(String.raw`^(\S.*?)\s+${TIME}/iter\b(.*)$`);
const RANGE = new RegExp(String.raw`^\s+\(${TIME} *… *${TIME}\)`);
const FAILED = /^(\S.*?)\s+error: (.*)$/;
const HEAD = /^benchmark\s+avg \(min … max\)/m;

interface Timings {
  readonly timings: Timing[];
  readonly failed: string[];
}

/**
 * What mitata prints: its table, or with `format: 'json'` its JSON. Times are in nanoseconds. The spread is the standard
 * deviation of the samples, which only the JSON has. A time of a loop that the engine optimized away is none.
 */
export function mitata(text: string): Report {
  const found = fromJson(text) ?? (HEAD.test(text) ? fromTable(text.slice(text.search(HEAD))) : undefined);
  if (found === undefined) return unreadable('The output is neither the table nor the JSON of mitata.');
  return timingsReport(found.timings, found.failed);
}

function fromTable(text: string): Timings {
  const timings: Timing[] = [];
  const failed: string[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, name = '', mean, unit, rest = ''] = ROW.exec(line) ?? [];
    const [, broken, why = ''] = mean === undefined ? FAILED.exec(line) ?? [] : [];
    if (broken !== undefined) failed.push(`The benchmark ${JSON.stringify(broken)} failed: ${why.slice(0, 200)}.`);
    else if (mean !== undefined && /\s!\s*$/.test(rest)) failed.push(`The benchmark ${JSON.stringify(name)} was likely optimized out: let it use what it computes.`);
    else if (mean !== undefined) timings.push({ name, statistics: { mean: inNs(mean, unit), ...minIn(lines[index + 1] ?? '') } });
  }
  return { timings, failed };
}

function minIn(line: string): { readonly min?: number | undefined } {
  const [, min, unit] = RANGE.exec(line) ?? [];
  return min === undefined ? {} : { min: inNs(min, unit) };
}

function inNs(number: string, unit = 'ns'): number | undefined {
  const factor = Object.hasOwn(IN_NS, unit) ? IN_NS[unit] : undefined;
  return factor === undefined ? undefined : Number((Number(number) * factor).toPrecision(12));
}

/** `{layout: [{name}], benchmarks: [{group, runs: [{name, stats: {avg, p50, min, samples}, error?}]}]}`. */
function fromJson(text: string): Timings | undefined {
  const json = readJson(text)?.value;
  if (!isObject(json) || !Array.isArray(own(json, 'benchmarks')) || !Array.isArray(own(json, 'layout'))) return undefined;
  const groups = objectsIn(own(json, 'layout')).map((group) => own(group, 'name'));
  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const benchmark of objectsIn(own(json, 'benchmarks')))
    for (const run of objectsIn(own(benchmark, 'runs'))) {
      const name = String(own(run, 'name'));
      const stats = own(run, 'stats');
      const mean = isObject(stats) ? own(stats, 'avg') : undefined;
      const error = own(run, 'error');
      if (!isObject(stats) || typeof mean !== 'number') {
        failed.push(`The benchmark ${JSON.stringify(name)} failed: ${isObject(error) ? String(own(error, 'message')).slice(0, 200) : 'it gave no time'}.`);
        continue;
      }
      const group = groups[Number(own(benchmark, 'group'))];
      const rme = percentOf(deviationOf(own(stats, 'samples')), mean);
      timings.push({
        name, statistics: { mean, median: own(stats, 'p50'), min: own(stats, 'min') },
        ...(typeof group === 'string' ? { group } : {}), ...(rme === undefined ? {} : { rme }),
      });
    }
  return { timings, failed };
}

function deviationOf(samples: unknown): number | undefined {
  const numbers = Array.isArray(samples) ? samples.filter((sample) => typeof sample === 'number') : [];
  if (numbers.length < 2) return undefined;
  const mean = numbers.reduce((sum, sample) => sum + sample, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / (numbers.length - 1));
}
