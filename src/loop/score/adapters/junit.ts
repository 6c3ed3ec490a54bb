import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { TestCase } from './tests.ts';
import { testsReport } from './tests.ts';
import type { Tag } from './xml.ts';
import { attribute, tagsIn } from './xml.ts';

/**
 * JUnit XML, as pytest, vitest, jest, mocha, node:test, gotestsum and others write it.
 * Tests are counted, not the sums in the attributes: runners disagree on whether these include nested suites.
 */
export function junit(text: string): Report {
  const tags = tagsIn(text);
  const root = tags[0];
  if (root === undefined || (root.name !== 'testsuites' && root.name !== 'testsuite')) return unreadable('The report is not JUnit XML.');
  if (tags.at(-1)?.name !== root.name || tags.at(-1)?.form === 'open') return unreadable('The report is cut off.');

  return testsReport(testsIn(tags));
}

/** A failure outside any test (a file that didn't load) counts as a failed test of its own. */
function testsIn(tags: readonly Tag[]): readonly TestCase[] {
  const tests: TestCase[] = [];
  let open: TestCase | undefined;
  let suite = '';
  for (const tag of tags) {
    if (tag.name === 'testsuite' && tag.form !== 'close') suite = attribute(tag, 'name') ?? '';
    if (tag.name === 'testcase') {
      if (tag.form !== 'close') open = { name: nameOf(tag), result: 'passed' };
      if (tag.form !== 'open' && open !== undefined) {
        tests.push(open);
        open = undefined;
      }
    } else if (tag.form !== 'close' && (tag.name === 'failure' || tag.name === 'error')) {
      const message = attribute(tag, 'message');
      const failed = { name: open?.name ?? suite, result: 'failed', ...(message === undefined ? {} : { message }) } as const;
      if (open === undefined) tests.push(failed);
      else open = failed;
    } else if (tag.form !== 'close' && tag.name === 'skipped' && open?.result === 'passed') {
      open = { ...open, result: 'skipped' };
    }
  }
  return tests;
}

function nameOf(tag: Tag): string {
  const group = attribute(tag, 'classname');
  const name = attribute(tag, 'name') ?? '';
  return group === undefined || group === '' ? name : `${group} > ${name}`;
}
