import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { normal, seeded } from '../../../bench/verifier/noises.ts';
import { deviation, given, NO_SPREAD, withRepeats, withSquare } from '../../../src/loop/verifier/spread.ts';

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 2, maxLength: 40 });

function classical(runs: readonly number[]): number {
  const middle = runs.reduce((sum, value) => sum + value, 0) / runs.length;
  return Math.sqrt(runs.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (runs.length - 1));
}

describe('the noise of one run', () => {
  it('is the standard deviation where no run is far out, and less where one is', () => {
    fc.assert(fc.property(values, (runs) => {
      const [robust, plain] = [deviation(withRepeats(NO_SPREAD, runs)), classical(runs)];
      assert.ok(robust <= plain * (1 + 1e-9));
      if (runs.length < 10) assert.ok(Math.abs(robust - plain) <= 1e-9 * plain + 1e-12);
    }));
  });

  it('does not grow without bound by one run of eleven, however slow that is', () => {
    const quiet = [1, 2, 3, 2, 1, 2, 3, 2, 1, 2];
    const [slow, slower] = [30, 3_000].map((value) => deviation(withRepeats(NO_SPREAD, [...quiet, value])));
    assert.ok(classical([...quiet, 3_000]) > 900);
    const squares = [...quiet, 3_000].reduce((spread, value) => withSquare(spread, (value - 1.9) ** 2), NO_SPREAD);
    assert.ok(deviation(squares) < 4 * classical(quiet), String(deviation(squares)));
    assert.ok(slow !== undefined && slower !== undefined && slow < classical([...quiet, 30]) + 1e-9);
  });

  it('grows with the unit', () => {
    fc.assert(fc.property(values, fc.constantFrom(1e-3, 7, 1e5), (runs, unit) => {
      const [one, other] = [deviation(withRepeats(NO_SPREAD, runs)), deviation(withRepeats(NO_SPREAD, runs.map((value) => unit * value)))];
      assert.ok(Math.abs(other - unit * one) <= 1e-6 * unit * one + 1e-9);
    }));
  });

  it('is that of normal noise to a percent', () => {
    const random = seeded(3);
    let spread = NO_SPREAD;
    for (let text = 0; text < 4_000; text++) spread = withRepeats(spread, Array.from({ length: 5 }, () => normal(random)));
    assert.ok(Math.abs(deviation(spread) - 1) < 0.015, String(deviation(spread)));
  });

  it('is what a person says, until runs tell more', () => {
    assert.equal(deviation(given(0.4, 20)), 0.4);
    assert.ok(deviation(withRepeats(given(0.4, 20), [1, 2, 3, 4, 5])) > 0.4);
    assert.equal(deviation(NO_SPREAD), 0);
  });
});
