import assert from 'node:assert/strict';
import { normal, seeded } from '../../../bench/verifier/noises.ts';
import { chanceOfLuck, chanceOfRise, keepsOfNothing, runsToSettle } from '../../../src/loop/explain/chance.ts';

describe('chances of luck', () => {
  it('are those of a maximum over as many draws, as a simulation has them', () => {
    const random = seeded(1);
    for (const { above, levelVariance, draws } of [{ above: 2, levelVariance: 1, draws: 1 }, { above: 2, levelVariance: 1, draws: 10 }, { above: 3, levelVariance: 0.2, draws: 30 }]) {
      let lucky = 0;
      for (let i = 0; i < 20_000; i++) {
        const level = Math.sqrt(levelVariance) * normal(random);
        let best = -Infinity;
        for (let draw = 0; draw < draws; draw++) best = Math.max(best, normal(random));
        if (best - level >= above) lucky++;
      }
      const chance = chanceOfLuck({ above: 5 * above, levelVariance, draws }, { sd: 5, uncertainty: 0 });
      assert.ok(Math.abs(chance - lucky / 20_000) < 0.012, `${chance} ${lucky / 20_000}`);
    }
  });

  it('grow with what isn\'t known of the noise, where a gain is large', () => {
    const luck = { above: 4, levelVariance: 0.1, draws: 5 };
    assert.ok(chanceOfLuck(luck, { sd: 1, uncertainty: 0.4 }) > 2 * chanceOfLuck(luck, { sd: 1, uncertainty: 0 }));
    assert.equal(chanceOfLuck(luck, { sd: 0, uncertainty: 0 }), 0);
  });

  it('of a rise are those of the exact rank sum, about', () => {
    // All of five above all of five: 1 of 252 orders.
    assert.ok(Math.abs(chanceOfRise([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) - 1 / 252) < 0.003);
    assert.ok(chanceOfRise([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]) > 0.99);
    assert.equal(chanceOfRise([1, 2], [3, 4]), 1);
    assert.equal(chanceOfRise([1, 1, 1], [1, 1, 1]), 1);
  });

  it('of keeping nothing add up to about three in thirty attempts', () => {
    assert.ok(Math.abs(keepsOfNothing(30) - 3.03) < 0.01);
    assert.equal(keepsOfNothing(0), 0);
  });

  it('say how many runs settle a gain', () => {
    assert.equal(runsToSettle(1, 1), 13);
    assert.equal(runsToSettle(100, 1), 2);
    assert.equal(runsToSettle(0.1, 1), undefined);
  });
});
