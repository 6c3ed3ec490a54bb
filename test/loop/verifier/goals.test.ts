import assert from 'node:assert/strict';
import { cellOf, type Cell } from '../../../bench/verifier/cells.ts';
import { OTHERS, PLAYERS } from '../../../bench/verifier/rules.ts';
import { noiseNamed } from '../../../bench/verifier/table.ts';

const RUNS = 200;
const SEED = 20_261_130;

function played(player: string, noise: string): Cell {
  const rule = PLAYERS[player];
  assert.ok(rule, player);
  return cellOf(rule, noiseNamed(noise), RUNS, SEED);
}

/** Issue 3's goals, with the room that 200 runs need instead of the 2,000 of `npm run bench`. */
describe('the verifier on simulated scorers', () => {
  for (const noise of ['Gaussian', 'heavy-tailed (t, 3)', 'skewed (best of 10)', 'bursty (timings)', 'rounded (step 1 σ)'])
    it(`keeps what is real and nothing else: ${noise}`, () => {
      const cell = played('Ratchet', noise);
      assert.ok(cell.anyOfNoOps <= 7.5, `(a) ${cell.anyOfNoOps}`);
      assert.ok(cell.cost <= 1.75, `(d) ${cell.cost}`);
      assert.ok(cell.twoSigma >= 75, `(c) ${cell.twoSigma}`);
      assert.ok(cell.anyOfLosses <= 1.5, `(e) ${cell.anyOfLosses}`);
      assert.ok(cell.falseShare <= 5, `(b) ${cell.falseShare}`);
      assert.ok(cell.oneSigma >= 7, `(b) ${cell.oneSigma}`);
      assert.ok(cell.longCost <= 1.7, `(b) ${cell.longCost}`);
    });

  it('keeps what is real, and little else, while the scorer drifts, up or down', () => {
    for (const noise of ['drifting up', 'drifting down']) {
      const cell = played('Ratchet', noise);
      assert.ok(cell.anyOfNoOps <= 7.5 && cell.cost <= 3.2 && cell.twoSigma >= 73 && cell.falseShare <= 5 && cell.anyOfLosses <= 1.5, JSON.stringify(cell));
    }
  });

  it('keeps nothing that rounding or a seed inside make up', () => {
    assert.ok(played('Ratchet', 'rounded (step 4 σ)').anyOfNoOps <= 5);
    const waiting = played('Ratchet, told of a seed inside', 'seeded inside');
    assert.equal(waiting.noOpsKept + waiting.anyOfLosses, 0);
    assert.ok(waiting.noOpsWaiting > 1);
    assert.ok(played('Ratchet, told of a seed inside and its noise', 'seeded inside').anyOfNoOps <= 7.5);
  });

  it('finds more where it may repeat more', () => {
    const cell = played('Ratchet, maxRepeats 60', 'Gaussian');
    assert.ok(cell.oneSigma >= 18 && cell.longCost <= 2.6 && cell.falseShare <= 5, JSON.stringify(cell));
  });

  it('plays the others as they are: each keeps something in most runs of nothing but no-ops', () => {
    for (const name of Object.keys(OTHERS)) assert.ok(played(name, 'Gaussian').anyOfNoOps > 50, name);
    // The records of 31 exchangeable values: 1/2 + 1/3 + … + 1/31.
    assert.ok(Math.abs(played('strict (karpathy/autoresearch)', 'Gaussian').noOpsKept - 3.03) < 0.4);
  });
});
