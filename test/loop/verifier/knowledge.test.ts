import assert from 'node:assert/strict';
import { normal, seeded } from '../../../bench/verifier/noises.ts';
import { learnCandidate, learnParent, learnVerdict, nothingKnown, parentIsStale } from '../../../src/loop/verifier/knowledge.ts';
import { nextStep } from '../../../src/loop/verifier/next-step.ts';
import { deviation } from '../../../src/loop/verifier/spread.ts';

/** Forty attempts on a scorer that moves by `slope` a run, in units of its noise; what was asked for and said, in order. */
function night(seed: number, slope: number, unit: number): string {
  const random = seeded(seed);
  let runs = 0;
  const score = (effect: number): number => unit * (effect + slope * runs++ + normal(random));
  let said = '';
  let known = nothingKnown({ sign: 1, logarithmic: false, least: 0 }, { error: 0.05, planned: 40 }, 20);
  for (let run = 0; run < 10; run++) known = learnParent(known, score(0));
  let champion = 0;
  for (let attempt = 0; attempt < 40; attempt++) {
    const effect = champion + (attempt % 8 === 7 ? 2 : 0);
    if (parentIsStale(known)) {
      said += '^';
      known = learnParent(known, score(champion));
    }
    for (;;) {
      const step = nextStep(known, { confirm: 'each', baselineRuns: 10, seededInside: false }, 0);
      said += step.kind === 'decided' ? `${step.as} ` : step.whom === 'candidate' ? 'c' : 'p';
      if (step.kind === 'decided') {
        if (step.as === 'kept') champion = effect;
        known = learnVerdict(known, step.as === 'kept' ? 'kept' : 'other');
        break;
      }
      known = step.whom === 'candidate' ? learnCandidate(known, score(effect)) : learnParent(known, score(champion));
    }
  }
  return said;
}

describe('what a run has learned', () => {
  for (const slope of [0, 0.03, -0.03]) it(`decides the same in any unit: noise 0.004 of val_bpb or 250 ms, slope ${slope}`, () => {
    for (let seed = 1; seed <= 8; seed++) {
      const plain = night(seed, slope, 1);
      assert.ok(plain.includes('kept') && plain.includes('discarded'), plain);
      // Powers of two: the last digits are the same too.
      for (const unit of [2 ** -8, 2 ** 8]) assert.equal(night(seed, slope, unit), plain);
    }
  });

  it('measures the parent more often while the scorer drifts', () => {
    const looks = (slope: number): number => [1, 2, 3, 4, 5, 6, 7, 8].reduce((sum, seed) => sum + night(seed, slope, 1).split('^').length - 1, 0);
    assert.ok(looks(-0.06) > 1.8 * looks(0), `${looks(-0.06)} ${looks(0)}`);
  });

  it('measures what follows a loud change by its own noise, and tells that of the start by the start', () => {
    const random = seeded(11);
    let known = nothingKnown({ sign: 1, logarithmic: false, least: 0 }, { error: 0.05, planned: 30 }, 20);
    for (let i = 0; i < 10; i++) known = learnParent(known, 1 + 0.004 * normal(random));
    for (let i = 0; i < 5; i++) known = learnCandidate(known, 15 + 6 * normal(random));
    const quiet = deviation(known.spread);
    known = learnVerdict(known, 'kept');
    assert.ok(quiet < 0.01 && deviation(known.spread) > 2, `${quiet} ${deviation(known.spread)}`);
    assert.ok(known.start !== undefined && deviation(known.start) < 0.01);
  });
});
