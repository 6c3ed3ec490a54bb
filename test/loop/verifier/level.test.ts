import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { driftSeen, later, seenCandidate, seenParent, START, surprise, withNewParent } from '../../../src/loop/verifier/level.ts';

const values = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 30 });
const after = (runs: readonly number[]): typeof START => runs.reduce((level, value) => seenParent(later(level), value), START);

describe('the level of the parent', () => {
  it('lies among its runs, near their mean, and the more certain the more runs there are', () => {
    fc.assert(fc.property(values, (runs) => {
      const { level, ll } = after(runs);
      const mean = runs.reduce((sum, value) => sum + value, 0) / runs.length;
      const spread = Math.max(...runs) - Math.min(...runs);
      assert.ok(Math.abs(level - mean) <= spread * 0.35 + 1e-6);
      assert.ok(ll > 1 / runs.length - 1e-9 && ll < 1.1 / runs.length + 0.1);
    }));
  });

  it('sees the same in values that are a billion times their noise', () => {
    fc.assert(fc.property(values, (runs) => {
      const [near, far] = [after(runs), after(runs.map((value) => 1e9 + value))];
      assert.ok(Math.abs(far.level - 1e9 - near.level) < 1e-4 && Math.abs(far.slope - near.slope) < 1e-4, `${far.level} ${near.level}`);
      assert.ok(Math.abs(surprise(later(far), 1e9) - surprise(later(near), 0)) < 0.1);
    }));
  });

  it('becomes less certain while only candidates run', () => {
    let level = after([1, 2, 3, 2, 1, 2, 3, 2, 1, 2]);
    const before = level.ll;
    for (let run = 0; run < 40; run++) level = later(level);
    assert.ok(level.ll > 2 * before);
  });

  it('sees a drift, of parent and candidates alike, and none where there is none', () => {
    let drifting = START;
    let quiet = START;
    for (let run = 0; run < 90; run++) {
      const wobble = run % 2 === 0 ? 0.5 : -0.5;
      const see = run < 10 ? seenParent : seenCandidate;
      drifting = see(later(drifting), 0.05 * run + wobble);
      quiet = see(later(quiet), wobble);
    }
    assert.equal(driftSeen(drifting), true);
    assert.equal(driftSeen(quiet), false);
    assert.ok(drifting.slope > 0.03 && drifting.slope < 0.06);
  });

  it('forgets the level and keeps the slope when another text becomes the parent', () => {
    const before = after([1, 2, 3, 4, 5, 6, 7, 8]);
    const fresh = seenParent(withNewParent(before), 50);
    assert.ok(Math.abs(fresh.level - 50) < 1e-3);
    assert.equal(fresh.slope, before.slope);
  });

  it('finds a run surprising by its distance in the spread that it is expected to have', () => {
    const level = after([5, 5, 5, 5]);
    assert.ok(surprise(level, 5) < 1e-6);
    assert.ok(Math.abs(surprise(level, 7) - 4 / (1 + level.ll)) < 1e-3);
  });
});
