import assert from 'node:assert/strict';
import type { Measured } from '../../../src/records.ts';
import { brokenLimit, limitWords, readLimit } from '../../../src/loop/checks/limits.ts';
import { measured, numbered, plan } from '../events.ts';

const runs = (...values: readonly (Readonly<Record<string, number>>)[]): readonly Measured[] =>
  numbered(values.map((metrics) => measured(1, 1, { metrics }))).filter((event): event is Measured => event.type === 'measured');
const limit = (metric: string, text: string): NonNullable<ReturnType<typeof readLimit>> => {
  const read = readLimit(metric, text);
  assert.ok(read);
  return read;
};
const broken = (text: string, values: readonly number[], start: readonly number[], settled = true): boolean =>
  brokenLimit({ trainPy: false, limits: [limit('x', text)] }, runs(...values.map((x) => ({ x }))), runs(...start.map((x) => ({ x }))), settled) !== undefined;

describe('limits', () => {
  it('are read as people write them, and refused otherwise', () => {
    assert.deepEqual(['+5%', '-2.5 %', '<= 300', '>=10', 'at most 3', 'at least -1e-3'].map((text) => readLimit('x', text)), [
      { metric: 'x', bound: 'growth', value: 0.05 }, { metric: 'x', bound: 'fall', value: 0.025 }, { metric: 'x', bound: 'at-most', value: 300 },
      { metric: 'x', bound: 'at-least', value: 10 }, { metric: 'x', bound: 'at-most', value: 3 }, { metric: 'x', bound: 'at-least', value: -0.001 },
    ]);
    for (const text of ['', '5', '5%', '< 3', '<= many', '+5', '>= 1e999', '+-5%']) assert.equal(readLimit('x', text), undefined, text);
    assert.deepEqual(['+5%', '-5%', '<= 300', '>= 10'].map((text) => limitWords(limit('x', text))), ['x +5 %', 'x -5 %', 'x <= 300', 'x >= 10']);
  });

  it('hold at their bound and break beyond it, also around zero and below', () => {
    assert.deepEqual([broken('+5%', [105], [100]), broken('+5%', [105.1], [100]), broken('+0%', [100], [100]), broken('+0%', [0.1 + 0.2], [0.3])], [false, true, false, false]);
    assert.deepEqual([broken('+10%', [-95], [-100]), broken('+10%', [-89], [-100]), broken('+5%', [0], [0]), broken('+5%', [1], [0])], [false, true, false, true]);
    assert.deepEqual([broken('-5%', [95], [100]), broken('-5%', [94], [100]), broken('<= 3', [3], [9]), broken('>= 3', [2.9], [9])], [false, true, false, true]);
  });

  it('are held against the mean over runs where the metric varies, and at once where it doesn\'t', () => {
    assert.equal(broken('+5%', [110, 98, 100], [100, 101, 99]), false);
    assert.equal(broken('+5%', [110], [100, 101, 99], false), false);
    assert.equal(broken('+5%', [110], [100, 100], false), true);
    assert.equal(broken('+5%', [110], [100], false), false);
  });

  it('break where a candidate no longer gives what has a limit', () => {
    assert.match(brokenLimit({ trainPy: false, limits: [limit('x', '+5%')] }, runs({}), runs({ x: 1 }), true) ?? '', /no longer gives `x`/);
  });

  it('give a train.py a tenth more memory, unless program.md says otherwise', () => {
    const memory = (more: object, value: number): boolean => brokenLimit({ ...plan, trainPy: true, ...more }, runs({ peak_vram_mb: value }), runs({ peak_vram_mb: 100 }), true) !== undefined;
    assert.deepEqual([memory({}, 110), memory({}, 111), memory({ limits: [limit('peak_vram_mb', '+50%')] }, 111), memory({ trainPy: false }, 500)], [false, true, false, false]);
    assert.equal(brokenLimit({ trainPy: true }, runs({}), runs({ peak_vram_mb: 100 }), true), undefined);
    assert.equal(brokenLimit({ trainPy: true }, runs({ peak_vram_mb: 5 }), runs({ peak_vram_mb: 0 }), true), undefined);
  });
});
