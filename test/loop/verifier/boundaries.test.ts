import assert from 'node:assert/strict';
import { seeded, normal } from '../../../bench/verifier/noises.ts';
import { boundaries, futility } from '../../../src/loop/verifier/boundaries.ts';
import { designOf } from '../../../src/loop/verifier/design.ts';
import { normalQuantile } from '../../../src/loop/verifier/student.ts';

describe('boundaries of the sequential test', () => {
  it('decide nothing before the least number of runs, and give a chance at each look after it', () => {
    const chances = boundaries(designOf(30, 20), 0.03);
    assert.equal(chances.length, 21);
    assert.deepEqual(chances.slice(0, 3), [0, 0, 0]);
    assert.ok(chances.slice(3, 12).every((chance) => chance > 0 && chance < 0.03));
  });

  for (const alpha of [0.05, 0.01]) it(`are crossed by a candidate without effect with a chance of at most ${alpha}`, () => {
    const looks = designOf(30, 20);
    const z = boundaries(looks, alpha).map((chance) => (chance === 0 ? Infinity : normalQuantile(chance)));
    const random = seeded(7);
    const trials = 200_000;
    let crossed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const parent = normal(random) * Math.sqrt(0.15);
      let sum = 0;
      for (let run = 1; run <= looks.most; run++) {
        sum += normal(random);
        const at = (sum / run - parent) / Math.sqrt(1 / run + 0.15);
        if (at < futility(looks, run)) break;
        if (at <= (z[run] ?? Infinity)) continue;
        crossed++;
        break;
      }
    }
    assert.ok(crossed / trials < alpha * 1.05 && crossed / trials > alpha / 8, `${crossed / trials} for ${alpha}`);
  });
});
