import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { TestCase, TestResult } from './tests.ts';
import { caseOf, countsReport } from './tests.ts';

/** `2 failed, 1 passed in 0.04s`; without -q it stands between equals signs. */
const CLOSING = /^(?:=+ )?((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/;
const RESULTS: Readonly<Record<string, TestResult>> = {
  passed: 'passed', xpassed: 'passed', failed: 'failed', error: 'failed', errors: 'failed', skipped: 'skipped', xfailed: 'skipped',
};
const MOST_CASES = 500;

/**
 * What pytest prints: its closing line has the counts. An expected failure counts as skipped, an error (a file that doesn't
 * load) as a failed test; deselected tests and warnings are no tests. Cases are those that the summary before it names:
 * failed ones, and with `-rap` all.
 */
export function pytest(text: string): Report {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const closings = lines.flatMap((line) => CLOSING.exec(line)?.[1] ?? []);
  const closing = closings.at(-1);
  if (closing === undefined) return unreadable('The output has no closing line of pytest ("3 passed, 1 failed in 0.12s").');
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, count, word = ''] of closing.matchAll(/(\d+) ([a-z]+(?: [a-z]+)?)/g)) {
    const result = Object.hasOwn(RESULTS, word) ? RESULTS[word] : undefined;
    if (result !== undefined) counts[result] += Number(count);
  }
  return { ...countsReport(counts), cases: casesIn(lines), ...(closings.length > 1 ? { values: closings.length } : {}) };
}

function casesIn(lines: readonly string[]): Report['cases'] {
  const from = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line));
  const tests = lines.slice(from < 0 ? lines.length : from).flatMap((line): readonly TestCase[] => {
    const [, word, rest = ''] = /^(PASSED|FAILED|ERROR) (.+)$/.exec(line) ?? [];
    if (word === undefined) return [];
    // A parameter in brackets may hold the dash that a message follows.
    const [, name = rest, message] = /^([^[]*?(?:\[.*?\])?) - (.*)$/.exec(rest) ?? [];
    return [{ name, result: word === 'PASSED' ? 'passed' : 'failed', ...(message === undefined ? {} : { message }) }];
  });
  return tests.slice(0, MOST_CASES).map(caseOf);
}
