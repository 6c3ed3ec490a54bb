import { isObject, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { percentOf, timingsReport } from './timings.ts';

/**
 * The file of `hyperfine --export-json`: `{results: [{command, mean, stddev, median, min, exit_codes, …}]}`. Times are in
 * seconds; the spread is the standard deviation.
 * A command that failed (hyperfine goes on with --ignore-failure) has no time worth reading.
 */
export function hyperfine(text: string): Report {
  const json = readJson(text)?.value;
  const results = isObject(json) ? own(json, 'results') : undefined;
  if (!Array.isArray(results)) return unreadable('The report is not one of `hyperfine --export-json`.');
  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const result of results) {
    if (!isObject(result)) continue;
    const name = own(result, 'command');
    if (typeof name !== 'string') continue;
    const codes = own(result, 'exit_codes');
    const failures = Array.isArray(codes) ? codes.filter((code) => code !== 0).length : 0;
    const rme = percentOf(own(result, 'stddev'), own(result, 'mean'));
    if (failures === 0) timings.push({ name, statistics: result, ...(rme === undefined ? {} : { rme }) });
    else failed.push(`The command ${JSON.stringify(name)} failed in ${failures} of its runs, so its time says nothing.`);
  }
  return timingsReport(timings, failed);
}
