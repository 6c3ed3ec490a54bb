import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { normal, seeded } from '../../../bench/verifier/noises.ts';
import { learnParent, nothingKnown } from '../../../src/loop/verifier/knowledge.ts';
import { deviation, given, isOtherNoise, NO_SPREAD, pooled, withRepeats, withSquare } from '../../../src/loop/verifier/spread.ts';

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
      if (runs.length < 9) assert.ok(Math.abs(robust - plain) <= 1e-9 * plain + 1e-12);
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

  it('stands one run that takes a hundred times as long among ten, as a run measures its start', () => {
    let known = nothingKnown({ sign: 1, logarithmic: false, least: 0 }, { error: 0.05, planned: 30 }, 20);
    for (const value of [100, 101, 99, 100.5, 10_000, 99.5, 100, 101, 99, 100]) known = learnParent(known, value);
    assert.ok(deviation(known.spread) < 5, String(deviation(known.spread)));
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

  it('is a text\'s own where it varies clearly more than what came before, and pooled else', () => {
    const random = seeded(5);
    const of = (sd: number, runs: number): ReturnType<typeof withRepeats> => withRepeats(NO_SPREAD, Array.from({ length: runs }, () => sd * normal(random)));
    let alone = 0;
    for (let i = 0; i < 2_000; i++) if (pooled(of(1, 10), of(1, 5)).freedom === 4) alone++;
    assert.ok(alone > 40 && alone < 180, `one in twenty stands alone by chance: ${alone} of 2,000`);
    for (let i = 0; i < 200; i++) assert.equal(pooled(of(1, 10), of(30, 5)).freedom, 4);
    assert.equal(pooled(withRepeats(NO_SPREAD, [5, 5, 5, 5]), withRepeats(NO_SPREAD, [5, 6, 5])).freedom, 2, 'nothing varied before');
    assert.equal(pooled(NO_SPREAD, of(3, 4)).freedom, 3);
  });

  it('is another one where more than one repeat of a candidate lies far off, and not for one burst', () => {
    const quiet = withRepeats(NO_SPREAD, [0, 1, -1, 0.5, -0.5, 1, -1]);
    assert.equal(isOtherNoise([0, 12, -15], quiet), true);
    assert.equal(isOtherNoise([0, 0.4, -15], quiet), false);
    assert.equal(isOtherNoise([0, 15], quiet), false, 'too few to tell');
  });
});
