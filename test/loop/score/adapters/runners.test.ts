/** Reports that the real runners wrote (fixtures/, with the runner's version in each name). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport } from '../../../../src/loop/score/adapters/read.ts';
import type { ReportFormat } from '../../../../src/loop/score.ts';
import { REPORT_FORMATS } from '../../../../src/loop/score/adapters/report.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const textOf = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');
const figures = (text: string, format: ReportFormat): Record<string, number> => Object.fromEntries(readReport(text, format).figures);
const SIXTH = { score: 100 / 6, tests: 6, failures: 3, skipped: 2 };

function assertClose(found: Readonly<Record<string, number>>, wanted: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(wanted)) assert.ok(Math.abs((found[name] ?? Number.NaN) - value) <= 1e-9 * Math.abs(value), `${name} is ${String(found[name])}, not ${value}`);
}

describe('reports of test runners', () => {
  const reports: readonly (readonly [file: string, format: ReportFormat, wanted: Readonly<Record<string, number>>, cases: readonly string[]])[] = [
    ['jest-30.json', 'jest', SIXTH, ['joins words', '!signs drops accents', '!signs drops signs', '!broken.test.cjs']],
    ['vitest-4.json', 'jest', SIXTH, ['!broken.test.mjs', 'joins words', '!signs drops accents', '!signs drops signs']],
    ['node-20.tap', 'tap', SIXTH, ['!/project/t/broken.node.mjs', 'joins words', '!signs > drops accents', '!signs > drops signs']],
    ['node-24.tap', 'tap', SIXTH, ['!t/broken.node.mjs', 'joins words', '!signs > drops accents', '!signs > drops signs']],
    ['tape-5.tap', 'tap', { score: 50, tests: 2, failures: 1, skipped: 0 }, ['one', '!two']],
    ['tap-21.tap', 'tap', { score: 50, tests: 4, failures: 1, skipped: 1 }, ['s.test.mjs > joins words > should be equal', '!s.test.mjs > signs > drops accents', 's.test.mjs > signs > same']],
    ['pytest-7.txt', 'pytest', { score: 20, tests: 5, failures: 2, skipped: 2 }, ['!test_slug.py::test_words[One -- two!-one-two]', '!test_slug.py::test_accents', 'test_slug.py::test_words[Hello World-hello-world]']],
    ['pytest-9.txt', 'pytest', { score: 20, tests: 5, failures: 2, skipped: 2 }, ['!test_slug.py::test_words[One -- two!-one-two]', '!test_slug.py::test_accents']],
  ];
  for (const [file, format, wanted, cases] of reports)
    it(`${file}: the share of passed tests, and each test`, () => {
      const report = readReport(textOf(file), format);
      assertClose(figures(textOf(file), format), wanted);
      assert.deepEqual(report.cases.map(({ name, score }) => `${score === 0 ? '!' : ''}${name}`), cases);
      assert.equal(report.problem, undefined);
    });

  it('ava: what it says of a file that does not load counts as failed', () => {
    assertClose(figures(textOf('ava-7.tap'), 'tap'), { score: 25, tests: 8, failures: 4, skipped: 2 });
  });

  it('has what a failed test said, without terminal codes', () => {
    assert.match(readReport(textOf('jest-30.json'), 'jest').cases[1]?.note ?? '', /^Error: expect\(received\)/);
    assert.match(readReport(textOf('pytest-9.txt'), 'pytest').cases[1]?.note ?? '', /AssertionError/);
  });

  it('no test is no score, and says so', () => {
    const none: readonly (readonly [ReportFormat, string])[] = [
      ['jest', '{"numTotalTests":0,"testResults":[]}'], ['tap', 'TAP version 13\n1..0\n'], ['tap', 'TAP version 14\n1..0 # SKIP nothing\n'],
      ['pytest', 'no tests ran in 0.01s\n'], ['pytest', '5 deselected in 0.19s\n'],
    ];
    for (const [format, text] of none) {
      assert.match(readReport(text, format).problem ?? '', /nothing was checked/, text);
      assert.equal(figures(text, format)['score'], undefined, text);
    }
  });

  it('TAP: a report that is cut off anywhere gives no score', () => {
    for (const file of ['node-24.tap', 'tap-21.tap', 'ava-7.tap', 'tape-5.tap']) {
      const text = textOf(file);
      const plan = file === 'tap-21.tap' ? text.lastIndexOf('\nok ') < 0 ? text.lastIndexOf('\nnot ok ') : text.lastIndexOf('\nok ') : text.lastIndexOf('\n1..') + 1;
      for (let end = 0; end < plan; end += 7) assert.equal(readReport(text.slice(0, end), 'tap').figures.get('score'), undefined, `${file} ${end}`);
    }
  });

  it('TAP: a run that gave up, a failed hook, a mark of its own in a name, subtests in braces', () => {
    assert.match(readReport('TAP version 13\nok 1 - a\nBail out! no database\n1..1\n', 'tap').problem ?? '', /gave up: no database/);
    assertClose(figures('TAP version 13\n    ok 1 - a\n    1..1\nnot ok 1 - suite\n1..1\n', 'tap'), { score: 50, tests: 2 });
    assert.deepEqual(readReport('TAP version 14\nok 1 - a \\# b\nok 2 - c # todo\n1..2\n', 'tap').cases, [{ name: 'a # b', score: 100 }]);
    assertClose(figures('TAP version 14\nok 1 - f # time=3ms {\n    ok 1 - a\n    ok 2 - b # SKIP\n    1..2\n}\n1..1\n', 'tap'), { score: 50, tests: 2, skipped: 1 });
  });

  it('a second report in the same output is counted', () => {
    assert.equal(readReport('TAP version 13\nnot ok 1\n1..1\nTAP version 13\nok 1\n1..1\n', 'tap').values, 2);
    assert.equal(readReport('1 failed in 0.01s\n9 passed in 0.01s\n', 'pytest').values, 2);
  });

  it('jest: a file that fails without a failed test, a count that does not agree, a run that was broken off', () => {
    const file = { name: '/w/a.test.js', status: 'failed', message: 'afterAll broke', assertionResults: [{ fullName: 'a', status: 'passed', failureMessages: [] }] };
    assertClose(figures(JSON.stringify({ numTotalTests: 1, testResults: [file] }), 'jest'), { score: 50, tests: 2, failures: 1 });
    assert.match(readReport(JSON.stringify({ numTotalTests: 5, testResults: [file] }), 'jest').problem ?? '', /counts 5 tests and lists 1/);
    assert.match(readReport(JSON.stringify({ numTotalTests: 1, testResults: [file], wasInterrupted: true }), 'jest').problem ?? '', /interrupted/);
  });
});

describe('reports of benchmarks', () => {
  const reports: readonly (readonly [file: string, format: ReportFormat, wanted: Readonly<Record<string, number>>])[] = [
    ['tinybench-2.txt', 'tinybench', { benchmarks: 2, 'mean:slugify': 515.8055624329277, 'mean:slugify_rme': 20.44, 'mean:slow, one': 502661.97142857214 }],
    ['tinybench-3.txt', 'tinybench', { 'mean:slugify': 690.28, 'median:slugify': 551, 'mean:slugify_rme': 23.89, 'median:slugify_rme': 6000 / 551 }],
    ['tinybench-4.txt', 'tinybench', { 'mean:slugify': 565.35, 'median:slow, one': 354431 }],
    ['tinybench-6.txt', 'tinybench', { benchmarks: 2, 'mean:slugify': 345.79, 'mean:slugify_rme': 2.1, 'median:slugify': 330 }],
    ['tinybench-6.json', 'tinybench', { benchmarks: 2, 'mean:slugify': 373.4, 'mean:slugify_rme': 17.53 }],
    ['vitest-bench-4.json', 'vitest-bench', { benchmarks: 1, mean: 0.0004945818627839121, mean_rme: 17.59781796815064 }],
    ['pytest-benchmark-3.json', 'pytest-benchmark', { benchmarks: 1, mean: 3.832992661045864e-7, mean_rme: 80.09254534433006, 'min:test_slugify': 2.3000029614195228e-7 }],
    ['mitata-1.txt', 'mitata', { benchmarks: 3, 'mean:slugify': 301.68, 'min:slugify': 247.48, 'mean:slow, 10': 3760, 'mean:slow, 1000': 405810 }],
    ['mitata-1.json', 'mitata', { benchmarks: 2, 'mean:slugify': 305.1652421284294, 'median:slugify': 257.44067382835783, 'mean:slow, 10': 3714.4782104492188 }],
  ];
  for (const [file, format, wanted] of reports) it(file, () => { assertClose(figures(textOf(file), format), wanted); });

  it('hyperfine says its spread too', () => {
    const found = figures(textOf('hyperfine-1.15.json'), 'hyperfine');
    assert.ok((found['mean'] ?? 0) > 0.02 && (found['mean_rme'] ?? 0) > 0 && (found['mean_rme'] ?? 100) < 100);
  });

  it('mitata says its spread where its JSON has the samples', () => {
    const stats = { avg: 10, p50: 10, min: 9, samples: [9, 10, 11] };
    assertClose(figures(JSON.stringify({ layout: [{ name: null }], benchmarks: [{ group: 0, runs: [{ name: 'a', stats }] }] }), 'mitata'), { mean: 10, mean_rme: 10 });
  });

  it('a benchmark that failed, or that the engine optimized away, has no time and is named', () => {
    assert.match(readReport(textOf('tinybench-6-failed.txt'), 'tinybench').problem ?? '', /"bad" gave no time: boom/);
    for (const file of ['mitata-1.txt', 'mitata-1.json']) assert.match(readReport(textOf(file), 'mitata').problem ?? '', /"bad" failed: boom/);
    const optimized = readReport(textOf('mitata-1-optimized.txt'), 'mitata');
    assert.match(optimized.problem ?? '', /"nothing" was likely optimized out/);
    assert.equal(optimized.figures.get('mean:nothing'), undefined);
  });

  it('two that nothing tells apart give no time: one would pass for the other', () => {
    const report = readReport(`${textOf('tinybench-6.txt')}\n${textOf('tinybench-6.txt')}`, 'tinybench');
    assert.equal(report.figures.get('mean:slugify'), undefined);
    assert.match(report.problem ?? '', /more than one benchmark with the name "slugify"/);
  });

  it('a table with other columns or other numbers is not guessed at', () => {
    assert.match(readReport('│ (index) │ Task name │ Latency avg (µs) │\n│ 0 │ \'a\' │ \'3 ± 1%\' │\n', 'tinybench').problem ?? '', /no column for the time in nanoseconds; it has .*Latency avg \(µs\)/);
    assert.match(readReport('│ (index) │ Task name │ Latency avg (ns) │\n│ 0 │ \'a\' │ \'1.234,5 ± 1%\' │\n', 'tinybench').problem ?? '', /no plain number/);
  });
});

describe('reports of linters', () => {
  it('ESLint: each error, warning and silenced finding counts 1', () => {
    assert.deepEqual(figures(textOf('eslint-10.json'), 'eslint'), { findings: 4, errors: 2, warnings: 1, suppressed: 1, files: 1 });
    assert.deepEqual(figures('[{"filePath":"a.js","messages":[]}]', 'eslint'), { findings: 0, errors: 0, warnings: 0, suppressed: 0, files: 1 });
  });
  it('ruff: each finding counts 1', () => {
    assert.deepEqual(figures(textOf('ruff-0.16.json'), 'ruff'), { findings: 3 });
    assert.deepEqual(figures('[]', 'ruff'), { findings: 0 });
  });
  it('a file that was not checked has no number', () => {
    const broken: readonly (readonly [ReportFormat, string, RegExp])[] = [
      ['eslint', textOf('eslint-10-fatal.json'), /could not read bad\.js \(Parsing error/], ['eslint', textOf('eslint-10-ignored.json'), /passes over a\.js/], ['eslint', '[]', /nothing was linted/],
      ['ruff', textOf('ruff-0.16-broken.json'), /could not read bad\.py \(Expected an identifier\)/], ['ruff', '[{"filename":"/w/a.py","code":null,"message":"SyntaxError: x"}]', /could not read a\.py/],
    ];
    for (const [format, text, problem] of broken) {
      assert.match(readReport(text, format).problem ?? '', problem);
      assert.equal(readReport(text, format).figures.size, 0);
    }
  });
});

describe('any report', () => {
  it('garbage, other JSON and a report that is cut off give one sentence and no number', () => {
    const files: Partial<Record<ReportFormat, string>> = { jest: 'jest-30.json', eslint: 'eslint-10.json', ruff: 'ruff-0.16.json', mitata: 'mitata-1.json', 'pytest-benchmark': 'pytest-benchmark-3.json', 'vitest-bench': 'vitest-bench-4.json', hyperfine: 'hyperfine-1.15.json', tinybench: 'tinybench-6.json' };
    for (const format of Object.keys(REPORT_FORMATS) as ReportFormat[]) {
      const whole = files[format] === undefined ? '' : textOf(files[format]).trim();
      const cut = [0.1, 0.5, 0.9].map((share) => whole.slice(0, Math.floor(whole.length * share)));
      for (const text of ['', 'oops', '{}', '[1]', '[{}]', '{"results": 1, "files": 2, "benchmarks": 3, "testResults": 4}', 'null', '\u0000\ufffd', ...cut, whole === '' ? '' : whole.slice(0, -1)]) {
        const report = readReport(text, format);
        assert.match(report.problem ?? '', /^[A-Z].*[.)]$/, `${format}: ${text.slice(0, 40)}`);
        assert.equal(report.figures.size, 0, `${format}: ${text.slice(0, 40)}`);
      }
    }
  });

  it('takes hostile text in one pass', () => {
    for (const text of ['│'.repeat(1_000_000), `TAP version 13\n${'    '.repeat(200_000)}ok`, `${'1 passed, '.repeat(100_000)}in`, '{'.repeat(1_000_000), `FAILED ${'[ - '.repeat(100_000)}`, `benchmark  avg (min … max)\n${'a '.repeat(400_000)}`])
      for (const format of Object.keys(REPORT_FORMATS) as ReportFormat[]) readReport(text, format);
  }).timeout(20_000);
});
