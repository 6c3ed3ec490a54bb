import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScore, reportOf } from '../../../src/loop/score.ts';
import type { Reading } from '../../../src/loop/score.ts';

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');
function read(stdout: string, name: string, command = 'node x.mjs'): Reading {
  return readScore({ stdout, stderr: '', exitCode: 0, end: 'exited' }, { name, direction: name === 'score' ? 'higher' : 'lower' }, reportOf(command));
}

describe('a report on standard output', () => {
  it('is found by its marks where the command does not name its runner', () => {
    const found: readonly (readonly [file: string, metric: string, score: number])[] = [
      ['tinybench-6.txt', 'mean:slugify', 345.79], ['tinybench-6.json', 'mean:slugify', 373.4], ['mitata-1.txt', 'mean:slow, 1000', 405810],
      ['mitata-1.json', 'median:slugify', 257.44067382835783], ['node-24.tap', 'score', 100 / 6], ['jest-30.json', 'score', 100 / 6], ['vitest-4.json', 'score', 100 / 6],
      ['eslint-10.json', 'findings', 4], ['ruff-0.16.json', 'findings', 3],
    ];
    for (const [file, metric, score] of found) {
      const reading = read(`> build\nready\n${textOf(file)}\n`, metric);
      assert.equal(reading.score, score, `${file}: ${reading.why}`);
      assert.deepEqual([reading.source, reading.values], ['report', 1], file);
      assert.match(reading.why, /read from the report of .* on standard output/);
    }
  });

  it('carries what the runner claims about its spread as a metric, also among very many', () => {
    assert.equal(read(textOf('tinybench-6.txt'), 'mean:slugify').metrics['mean:slugify_rme'], 2.1);
    const rows = Array.from({ length: 90 }, (_, index) => `│ ${index} │ 'b${index}' │ '${index + 5} ± 2.00%' │`);
    const many = read(`│ (index) │ Task name │ Latency avg (ns) │\n${rows.join('\n')}\n`, 'mean:b0');
    assert.deepEqual([many.score, many.metrics['mean:b0_rme'], Object.keys(many.metrics).length], [5, 2, 64]);
  });

  it('counts like a number alone where no command names it: the last of them wins', () => {
    assert.equal(read(`42\n${textOf('tinybench-6.txt')}`, 'mean:slugify').score, 345.79);
    assert.equal(read(`${textOf('tinybench-6.txt')}\n42\n`, 'mean:slugify').score, 42);
    assert.equal(read('collected 3 items\n3 passed in 0.1s\n80\n', 'score', 'sh score.sh').score, 80);
  });

  it('is the result where the command names its runner, and no number alone is', () => {
    const pytest = read(`42\n${textOf('pytest-7.txt')}7\n`, 'score', 'python3 -m pytest -q || test $? -eq 1');
    assert.deepEqual([pytest.score, pytest.source], [20, 'report']);
    for (const command of ['jest --json', 'python3 -m pytest -q', 'node --test --test-reporter=tap', 'eslint -f json a.js']) {
      const reading = read('42\n', 'score', command);
      assert.equal(reading.outcome, 'no-score', command);
      assert.match(reading.why, /It was looked for on standard output/, command);
    }
    assert.deepEqual([read('[]\n', 'findings', 'ruff check --output-format json a.py').score, read('[]\n', 'findings').outcome], [0, 'no-score']);
  });

  it('does not go before a line that gives the metric by name, and says where the two differ', () => {
    const reading = read(`${textOf('pytest-7.txt')}score: 90\n`, 'score', 'pytest -q; python3 more.py');
    assert.equal(reading.score, 90);
    assert.match(reading.conflict ?? '', /The report says 20/);
  });

  it('that is too long to be kept whole is not read from its ends', () => {
    const text = textOf('tap-21.tap');
    const cut = read(`${text.slice(0, 300)}[… 3000 bytes left out …]${text.slice(-100)}`, 'score', 'tap --reporter=tap');
    assert.equal(cut.outcome, 'no-score');
    assert.match(cut.why, /longer than what is kept of it: let the runner write it to a file/);
    assert.equal(read(`x[… 3000 bytes left out …]y\n${textOf('pytest-7.txt')}`, 'score', 'pytest').score, 20);
  });

  it('of a module is none', () => {
    const reading = readScore({ stdout: textOf('node-24.tap'), stderr: '', exitCode: 0, end: 'exited', readsStdout: false }, { name: 'score', direction: 'higher' });
    assert.equal(reading.outcome, 'no-score');
  });
});

describe('numbers that are none, or no good ones', () => {
  it('a decimal comma is never cut or glued, not even where an earlier line has a point', () => {
    for (const stdout of ['score: 98,5\n', 'METRIC score=98,5\n', '98,5\n', 'score: 50\nscore: 98,5\n', '50\n98,5\n', 'score: 1.098,5', "score: 1'098,5", 'score: 1,234.5']) {
      const reading = read(stdout, 'score');
      assert.deepEqual([reading.outcome, reading.score], ['no-score', undefined], stdout);
      assert.match(reading.why, /^The number in ".*" has a comma: let the scorer print it with a decimal point/, stdout);
    }
    assert.match(read('{"score": "98,5"}\n', 'score').why, /the text "98,5", not a number\. Write it with a decimal point/);
    assert.equal(read('score: 42\n1,2\n3,4\n', 'score').score, 42);
  });

  it('a number too large to compute with is none', () => {
    for (const text of ['1e308', '-1e308', '1e151']) assert.match(read(`ms: ${text}\n`, 'ms').why, /too large a number to compare/);
    assert.equal(read('score: 1e308\n', 'score').outcome, 'invalid-score');
    assert.equal(read('ms: 1e150\n', 'ms').score, 1e150);
    for (const text of ['1e-200', '-1e-151']) assert.match(read(`ms: ${text}\n`, 'ms').why, /too small a number to compare .* smaller unit, or its logarithm/);
    assert.deepEqual([read('ms: 1e-150\n', 'ms').score, read('ms: 0\n', 'ms').score], [1e-150, 0]);
  });

  it('negative zero is zero, NaN is no score', () => {
    for (const text of ['score: -0', 'METRIC score=-0.0', '-0', '{"score": -0}']) assert.ok(Object.is(read(`${text}\n`, 'score').score, 0), text);
    for (const text of ['score: NaN', 'nan', '{"score": NaN}']) assert.equal(read(`${text}\n`, 'score').outcome, 'invalid-score', text);
  });
});
