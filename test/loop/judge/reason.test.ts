import assert from 'node:assert/strict';
import { effectWords, reasonOf } from '../../../src/loop/judge/reason.ts';
import type { Effect } from '../../../src/records.ts';

const ms = { name: 'ms', direction: 'lower', unit: 'ms' } as const;
const score = { name: 'score', direction: 'higher' } as const;
const factor = (gain: number, low: number, high: number): Effect => ({ in: 'factor', gain, low, high, chance: 0.01, runs: 4, parentRuns: 3 });
const units = (gain: number, low: number, high: number): Effect => ({ ...factor(gain, low, high), in: 'unit' });

describe('the words of an effect', () => {
  it('give gain, interval and runs', () => {
    assert.equal(effectWords(factor(1.31, 1.2, 1.42), ms), '1.31× (1.20 to 1.42) in 4 runs against 3');
    assert.equal(effectWords(units(2.1, 1.2, 3), score), '+2.1 (1.2 to 3) in 4 runs against 3');
    assert.equal(effectWords(units(2.1, 1.2, 3), ms), '-2.1 ms (-3 to -1.2) in 4 runs against 3');
  });

  it('have as many digits as it takes for no end of the interval to look like no effect', () => {
    assert.equal(effectWords(factor(1.01, 1.003, 1.02), ms), '1.010× (1.003 to 1.020) in 4 runs against 3');
    assert.equal(effectWords(factor(0.98, 0.96, 0.99994), ms), '0.9800× (0.9600 to 0.9999) in 4 runs against 3');
    assert.equal(effectWords(factor(1, 0.9, 1.1), ms), '1.00× (0.90 to 1.10) in 4 runs against 3');
    assert.equal(effectWords(units(0.5, 0.0004, 1), score), '+0.5 (0.0004 to 1) in 4 runs against 3');
  });

  it('leave out an interval that rests on next to nothing', () => {
    const rough: Effect = { ...units(-0.45, -44, 43), runs: 1, parentRuns: 2, rough: true };
    assert.equal(effectWords(rough, score), '-0.45 in 1 run against 2, too few runs to say how far off');
    assert.equal(reasonOf({ how: 'not-better', effect: rough, metric: score }), 'No real difference: -0.45 in 1 run against 2, too few runs to say how far off.');
  });
});
