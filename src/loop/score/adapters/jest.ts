import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { TestCase, TestResult } from './tests.ts';
import { testsReport } from './tests.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON of `jest --json`, and of `vitest --reporter=json`, which keeps to it:
 * `{numTotalTests, testResults: [{name, status, message, assertionResults: [{fullName, status, failureMessages}]}]}`.
 * A file that failed without a failed test (it didn't load, or broke after its tests) is one failed test more.
 */
export function jest(text: string): Report {
  const json = readJson(text)?.value;
  if (!isObject(json) || !Array.isArray(own(json, 'testResults')) || typeof own(json, 'numTotalTests') !== 'number')
    return unreadable('The report is not one of `jest --json` or `vitest --reporter=json`.');
  if (own(json, 'wasInterrupted') === true) return unreadable('The test run was interrupted, so its report is not whole.');

  const files = objectsIn(own(json, 'testResults'));
  const listed = files.reduce((sum, file) => sum + objectsIn(own(file, 'assertionResults')).length, 0);
  if (listed !== own(json, 'numTotalTests')) return unreadable(`The report counts ${String(own(json, 'numTotalTests'))} tests and lists ${listed}.`);
  return testsReport(files.flatMap(testsOf));
}

function testsOf(file: Json): readonly TestCase[] {
  const tests = objectsIn(own(file, 'assertionResults')).map((test): TestCase => {
    const messages = own(test, 'failureMessages');
    const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
    return { name: textOf(own(test, 'fullName')), result: resultOf(own(test, 'status')), ...(typeof message === 'string' ? { message } : {}) };
  });
  if (own(file, 'status') !== 'failed' || tests.some(({ result }) => result === 'failed')) return tests;
  const message = textOf(own(file, 'message'));
  return [...tests, { name: textOf(own(file, 'name')).split(/[\\/]/).at(-1) ?? '', result: 'failed', ...(message === '' ? {} : { message }) }];
}

/** The others are pending, skipped, todo and disabled. */
function resultOf(status: unknown): TestResult {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
