import type { CaseScore } from '../../../records.ts';
import { shownLines } from '../lines.ts';
import type { Report } from './report.ts';

export type TestResult = 'passed' | 'failed' | 'skipped';

/** One test of a report. */
export interface TestCase {
  readonly name: string;
  readonly result: TestResult;
  readonly message?: string;
}

const MOST_CASES = 500;
const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 1_000;

/**
 * Tests as figures: `score` is the share of passed ones, 0 to 100; a skipped test is not a passed one, so skipping raises
 * nothing. `tests`, `failures` and `skipped` stand beside it, so that fewer tests than before are seen. No test is no score.
 */
export function testsReport(tests: readonly TestCase[]): Report {
  const report = countsReport({ passed: 0, failed: 0, skipped: 0, ...counted(tests) });
  return { ...report, cases: tests.filter((test) => test.result !== 'skipped').slice(0, MOST_CASES).map(caseOf) };
}

/** The same, where only the counts are known. */
export function countsReport({ passed, failed, skipped }: Readonly<Record<TestResult, number>>): Report {
  const tests = passed + failed + skipped;
  const figures = new Map<string, number>();
  if (tests > 0) figures.set('score', (100 * passed) / tests);
  figures.set('tests', tests).set('failures', failed).set('skipped', skipped);
  return { figures, cases: [], ...(tests === 0 ? { problem: 'The report holds no test: nothing was checked.' } : {}) };
}

/** A test as a case: 100 for passed, 0 for failed. */
export function caseOf({ name, result, message }: TestCase): CaseScore {
  const note = message === undefined ? '' : shownLines(message).join('\n').trim().slice(0, LONGEST_MESSAGE);
  return { name: name.slice(0, LONGEST_NAME), score: result === 'passed' ? 100 : 0, ...(note === '' ? {} : { note }) };
}

function counted(tests: readonly TestCase[]): Partial<Record<TestResult, number>> {
  const counts: Partial<Record<TestResult, number>> = {};
  for (const { result } of tests) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
