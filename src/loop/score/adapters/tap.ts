import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { TestCase } from './tests.ts';
import { testsReport } from './tests.ts';

const POINT = /^( *)(not )?ok\b(?: +\d+)?(?: +-)? *(.*)$/;
const PLAN = /^( *)1\.\.(\d+)\b/;
/** `# SKIP` and `# TODO` behind a name; node-tap puts its time there too. */
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo|time=)\S*.*$/i;

/** Test points of one indentation. */
interface Level {
  readonly indent: number;
  readonly tests: TestCase[];
  points: number;
  plan?: number;
}

/** A point whose subtests follow it, in braces. */
interface Opened {
  readonly indent: number;
  readonly test: TestCase;
}

/**
 * TAP 13 and 14, as node:test, ava, tap and tape write it. Tests in tests are counted, and the one around them only where
 * it failed by itself. A point marked SKIP or TODO is a skipped test. Where fewer points stand than the plan says, or there
 * is no plan, the report is cut off.
 */
export function tap(text: string): Report {
  const documents = text.split(/^TAP version 1[34]\s*$/m);
  const last = documents.at(-1) ?? '';
  if (documents.length === 1 && !/^1\.\.\d+/m.test(last)) return unreadable('The output is not TAP.');
  const bail = /^ *Bail out!(.*)$/m.exec(last);
  if (bail !== null) return unreadable(`The test run gave up${bail[1]?.trim() ? `: ${bail[1].trim().slice(0, 200)}` : '.'}`);
  const tests = testsIn(last);
  if (tests === undefined) return unreadable('The TAP report is cut off: fewer tests stand in it than it plans.');
  return { ...testsReport(tests), ...(documents.length > 2 ? { values: documents.length - 1 } : {}) };
}

function testsIn(text: string): readonly TestCase[] | undefined {
  const levels: Level[] = [{ indent: 0, tests: [], points: 0 }];
  const opened: Opened[] = [];
  let whole = true;
  const levelAt = (indent: number): Level => {
    const found = levels.find((level) => level.indent === indent);
    if (found !== undefined) return found;
    const level = { indent, tests: [], points: 0 };
    levels.push(level);
    return level;
  };
  /** Puts a point, or the tests in it, among those of its level. */
  const close = (indent: number, test: TestCase): void => {
    const inner = levels.filter((level) => level.indent > indent);
    for (const level of inner) levels.splice(levels.indexOf(level), 1);
    whole &&= inner.every((level) => level.plan !== undefined && level.points >= level.plan);
    const tests = inner.flatMap((level) => level.tests);
    const own = levelAt(indent);
    own.tests.push(...tests.map((each) => ({ ...each, name: `${test.name} > ${each.name}` })));
    if (tests.length === 0 || (test.result === 'failed' && tests.every(({ result }) => result !== 'failed'))) own.tests.push(test);
  };

  for (const line of withoutBlocks(text)) {
    const plan = PLAN.exec(line);
    const point = POINT.exec(line);
    if (plan !== null) {
      levelAt(plan[1]?.length ?? 0).plan = Number(plan[2]);
    } else if (point !== null) {
      const [, { length: indent } = '', not, rest = ''] = point;
      const test = testOf(not !== undefined, rest);
      levelAt(indent).points += 1;
      if (/\{\s*$/.test(rest)) opened.push({ indent, test });
      else close(indent, test);
    } else if (/^ *\}\s*$/.test(line)) {
      const ended = opened.pop();
      if (ended !== undefined) close(ended.indent, ended.test);
    }
  }
  const [top, ...torn] = levels;
  return whole && top?.plan !== undefined && top.points >= top.plan && torn.length === 0 && opened.length === 0 ? top.tests : undefined;
}

function testOf(failed: boolean, rest: string): TestCase {
  const text = rest.replace(/\s*\{\s*$/, '');
  const directive = DIRECTIVE.exec(text)?.[1]?.toLowerCase();
  const isMarked = directive === 'skip' || directive === 'todo';
  return { name: text.replace(DIRECTIVE, '').replace(/\\(.)/g, '$1').trim(), result: isMarked ? 'skipped' : failed ? 'failed' : 'passed' };
}

/** Lines outside the YAML blocks, in which anything may stand. */
function* withoutBlocks(text: string): Iterable<string> {
  let end: string | undefined;
  for (const line of text.split('\n')) {
    const block = /^( +)---\s*$/.exec(line);
    if (end === undefined && block !== null) end = `${block[1] ?? ''}...`;
    else if (end === undefined) yield line;
    else if (line.trimEnd() === end) end = undefined;
  }
}
