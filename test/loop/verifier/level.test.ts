import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { chanceOfDrift, later, seenCandidate, seenParent, START, surprise, withNewParent, type Level } from '../../../src/loop/verifier/level.ts';

const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 30 });
const after = (runs: readonly number[], sd = 0): Level => runs.reduce((level, value) => seenParent(later(level, sd), value, sd), START);

/** Ten runs of the parent, then candidates that change nothing, on a scorer that moves by `slope` a run. */
function night(slope: number, attempts: number, unit = 1): Level {
  let level = START;
  for (let run = 0; run < 10 + attempts; run++) {
    const value = unit * (slope * run + (run % 2 === 0 ? 0.9 : -0.9));
    const before = later(level, unit);
    level = run < 10 || run % 5 === 0 ? seenParent(before, value, unit) : seenCandidate(before, value, 1, unit);
  }
  return level;
}

describe('the level of the parent', () => {
  it('lies among its runs, near their mean, and the more certain the more runs there are', () => {
    fc.assert(fc.property(values, (runs) => {
      const { level, ll } = after(runs);
      const mean = runs.reduce((sum, value) => sum + value, 0) / runs.length;
      const spread = Math.max(...runs) - Math.min(...runs);
      assert.ok(Math.abs(level - mean) <= spread * 0.35 + 1e-6);
      assert.ok(ll > 1 / runs.length - 1e-9 && ll < 1.1 / runs.length + 0.15);
    }));
  });

  it('sees the same in values that are a billion times their noise, and in any unit', () => {
    fc.assert(fc.property(values, (runs) => {
      const [near, far, small] = [after(runs, 0.5), after(runs.map((value) => 1e6 + value), 0.5), after(runs.map((value) => value / 1_000), 0.0005)];
      assert.ok(Math.abs(far.level - 1e6 - near.level) < 1e-6 && Math.abs(small.level * 1_000 - near.level) < 1e-6);
      assert.ok(Math.abs(far.odds - near.odds) < 1e-4 && Math.abs(small.odds - near.odds) < 1e-4 && Math.abs(small.ll - near.ll) < 1e-4);
    }));
  });

  it('becomes less certain while nothing tells of it', () => {
    let level = after([1, 2, 3, 2, 1, 2, 3, 2, 1, 2], 0.8);
    const before = level.ll;
    for (let run = 0; run < 40; run++) level = later(level, 0.8);
    assert.ok(level.ll > 2 * before);
  });

  for (const unit of [1, 0.004, 250]) it(`sees a drift of parent and candidates alike, either way, and none where there is none: noise ${unit}`, () => {
    assert.ok(chanceOfDrift(night(0.05, 60, unit)) > 0.9);
    assert.ok(chanceOfDrift(night(-0.05, 60, unit)) > 0.9);
    assert.ok(chanceOfDrift(night(0, 60, unit)) < 0.3);
    assert.ok(Math.abs(night(-0.05, 60, unit).level / unit + 0.05 * 69) < 0.6);
  });

  it('believes one run far out no more than one at the edge', () => {
    const quiet = after(Array.from({ length: 10 }, (_, run) => run % 2), 0.5);
    const [out, further] = [-5, -50].map((value) => seenParent(later(quiet, 0.5), value, 0.5));
    assert.ok(out !== undefined && further !== undefined && Math.abs(out.level - further.level) < 1e-9 && Math.abs(out.odds - further.odds) < 1e-9);
  });

  it('learns nothing of the parent from a candidate that has changed something', () => {
    const quiet = after([0, 1, 0, 1, 0, 1], 0.5);
    assert.equal(seenCandidate(quiet, 5, 1, 0.5), quiet);
    assert.notEqual(seenCandidate(quiet, 0.7, 1, 0.5), quiet);
  });

  it('learns more from several runs of a candidate than from one', () => {
    const quiet = after([0, 1, 0, 1, 0, 1], 0.5);
    assert.ok(seenCandidate(quiet, 0, 6, 0.5).level < seenCandidate(quiet, 0, 1, 0.5).level);
  });

  it('forgets the level and keeps the drift when another text becomes the parent', () => {
    const before = night(-0.05, 40);
    const fresh = seenParent(withNewParent(before), 50, 1);
    assert.ok(Math.abs(fresh.level - 50) < 1e-3);
    assert.equal(fresh.odds, before.odds);
    assert.equal(fresh.moving.slope, before.moving.slope);
  });

  it('finds a run surprising by its distance in the spread that it is expected to have', () => {
    const level = after([5, 5, 5, 5]);
    assert.ok(surprise(level, 5) < 1e-6);
    assert.ok(Math.abs(surprise(level, 7) - 4 / (1 + level.ll)) < 1e-3);
  });
});
