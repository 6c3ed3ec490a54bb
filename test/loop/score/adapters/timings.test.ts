import assert from 'node:assert/strict';
import { readScore } from '../../../../src/loop/score.ts';
import type { ReportFormat } from '../../../../src/loop/score.ts';
import { readReport } from '../../../../src/loop/score/adapters/read.ts';

function figures(report: unknown, format: ReportFormat): Record<string, number> {
  return Object.fromEntries(readReport(JSON.stringify(report), format).figures);
}

function bench(name: string, mean: number | null): object {
  return { id: `1_${name}`, name, rank: 1, rme: 0.5, samples: [], totalTime: 500, min: 0.1, max: 2, hz: 55, period: 18, mean, median: 17, p99: 30, sampleCount: 28 };
}

describe('vitest bench --outputJson', () => {
  const one = { files: [{ filepath: '/w/a.bench.ts', groups: [{ fullName: 'a.bench.ts > sort', benchmarks: [bench('mine', 18.2)] }] }] };

  it('one benchmark: `mean` in milliseconds', () => {
    assert.deepEqual(figures(one, 'vitest-bench'), { benchmarks: 1, 'mean:mine': 18.2, 'median:mine': 17, 'min:mine': 0.1, 'mean:mine_rme': 0.5, mean: 18.2, median: 17, min: 0.1, mean_rme: 0.5 });
    const reading = readScore({ stdout: ' ✓ a.bench.ts\n', stderr: '', exitCode: 0, end: 'exited', report: JSON.stringify(one) }, { name: 'mean', direction: 'lower', unit: 'ms' }, { file: 'b.json', format: 'vitest-bench' });
    assert.deepEqual([reading.outcome, reading.score, reading.source], ['scored', 18.2, 'report']);
  });

  it('several: by name, and nothing without one', () => {
    const two = { files: [{ groups: [{ fullName: 'g', benchmarks: [bench('mine', 18.2), bench('other', 9)] }] }] };
    const found = figures(two, 'vitest-bench');
    assert.deepEqual([found['mean:mine'], found['mean:other'], found.mean, found.benchmarks], [18.2, 9, undefined, 2]);
    const reading = readScore({ stdout: '', stderr: '', exitCode: 0, end: 'exited', report: JSON.stringify(two) }, { name: 'mean', direction: 'lower' }, { file: 'b.json', format: 'vitest-bench' });
    assert.equal(reading.outcome, 'no-score');
    assert.match(reading.why, /no `mean`; it has .*`mean:mine`/);
    assert.ok(reading.candidates.some(({ name, value }) => name === 'mean:other' && value === 9));
  });

  it('the same name in two groups: the group tells them apart', () => {
    const found = figures({ files: [{ groups: [{ fullName: 'g', benchmarks: [bench('x', 1)] }, { fullName: 'h', benchmarks: [bench('x', 2)] }] }] }, 'vitest-bench');
    assert.deepEqual([found['mean:g > x'], found['mean:h > x'], found['mean:x']], [1, 2, undefined]);
  });

  it('a benchmark that failed has no time, and another\'s does not take its place', () => {
    const report = readReport(JSON.stringify({ files: [{ groups: [{ fullName: 'g', benchmarks: [bench('mine', null), bench('other', 9)] }] }] }), 'vitest-bench');
    assert.equal(report.figures.get('mean'), undefined);
    assert.equal(report.figures.get('mean:mine'), undefined);
    assert.match(report.problem ?? '', /"mine" gave no time/);
  });

  it('other files are refused', () => {
    for (const text of ['', '[]', '{}', '{"files": 3}', '{"files": [', '"x"']) assert.match(readReport(text, 'vitest-bench').problem ?? '', /not one of `vitest bench/, text);
    assert.match(readReport('{"files": [null, {}, {"groups": [null, {"benchmarks": [null, {}]}]}]}', 'vitest-bench').problem ?? '', /no benchmark/);
  });
});

describe('hyperfine --export-json', () => {
  const result = { command: 'node a.js', mean: 0.0421, stddev: 0.001, median: 0.0419, user: 0.03, system: 0.01, min: 0.0401, max: 0.05, times: [0.0421, 0.0419], exit_codes: [0, 0] };

  it('one command: `mean` in seconds', () => {
    assert.deepEqual(figures({ results: [result] }, 'hyperfine'), { benchmarks: 1, 'mean:node a.js': 0.0421, 'median:node a.js': 0.0419, 'min:node a.js': 0.0401, 'mean:node a.js_rme': 0.1 / 0.0421, mean: 0.0421, median: 0.0419, min: 0.0401, mean_rme: 0.1 / 0.0421 });
  });

  it('a command that failed has no time, and another\'s does not take its place', () => {
    const report = readReport(JSON.stringify({ results: [{ ...result, exit_codes: [0, 1] }, { ...result, command: 'node b.js' }] }), 'hyperfine');
    assert.match(report.problem ?? '', /"node a\.js" failed in 1 of its runs/);
    assert.deepEqual([report.figures.get('mean'), report.figures.get('mean:node a.js'), report.figures.get('mean:node b.js')], [undefined, undefined, 0.0421]);
    assert.equal(figures({ results: [{ ...result, exit_codes: [null] }] }, 'hyperfine').mean, undefined);
  });

  it('other files are refused', () => {
    for (const text of ['', '[]', '{}', '{"results": {}}']) assert.match(readReport(text, 'hyperfine').problem ?? '', /not one of `hyperfine/, text);
  });
});
