import assert from 'node:assert/strict';
import type { Measured, Metric } from '../../../src/records.ts';
import { holdoutStep, type HoldoutCase, type HoldoutStep } from '../../../src/loop/checks/holdout.ts';
import { fittingNote } from '../../../src/loop/checks/gap.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import { begun, BLOB, measured, numbered, plan } from '../events.ts';

const HOLDOUT = { name: 'held', spec: plan.scorer, cwd: '', metric: plan.metric, files: [] };

function runs(scores: readonly (number | undefined)[], whose: 'candidate' | 'parent' = 'candidate'): readonly Measured[] {
  return numbered(scores.map((score) => measured(1, score, { role: 'holdout', name: 'held', whose }))).filter((event): event is Measured => event.type === 'measured');
}

function step(candidate: readonly (number | undefined)[], parent: readonly number[], start: readonly number[], more: Partial<HoldoutCase> = {}): HoldoutStep {
  return holdoutStep({ holdout: HOLDOUT, own: [...runs(candidate), ...runs(parent, 'parent')], start: runs(start), mostPairs: 10, metric: plan.metric, score: 60, parentScore: 50, ...more });
}

/** Normal values from a seed. */
function noise(seed: number): () => number {
  let state = seed;
  const uniform = (): number => ((state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) + 0.5) / 2_147_483_648;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** How often a candidate of this gain, in standard deviations of one run, passes, and the pairs that it takes. */
function simulated(gain: number, trials = 1000): { readonly passed: number; readonly pairs: number } {
  let passed = 0;
  let pairs = 0;
  for (let trial = 1; trial <= trials; trial++) {
    const draw = noise(trial * 7919);
    const start = Array.from({ length: 5 }, () => 50 + draw());
    const candidate: number[] = [];
    const parent: number[] = [];
    for (let next = step(candidate, parent, start); ; next = step(candidate, parent, start)) {
      if (next.kind !== 'run') {
        if (next.kind !== 'failed') passed++;
        pairs += candidate.length;
        break;
      }
      if (next.whose === 'candidate') candidate.push(50 + gain + draw());
      else parent.push(50 + draw());
    }
  }
  return { passed: passed / trials, pairs: pairs / trials };
}

describe('the holdout', () => {
  it('takes one pair where nothing varies, the candidate first', () => {
    assert.deepEqual(step([], [], [50, 50]), { kind: 'run', whose: 'candidate' });
    assert.deepEqual(step([50], [], [50, 50]), { kind: 'run', whose: 'parent' });
    assert.deepEqual([step([50], [50], [50, 50]).kind, step([51], [50], [50, 50]).kind, step([49.9], [50], [50, 50]).kind], ['passed', 'passed', 'failed']);
  });

  it('fails what gives no score on it', () => {
    assert.equal(step([undefined], [], [50, 50]).kind, 'failed');
  });

  it('runs candidate and parent in turns under noise, and ends', () => {
    assert.deepEqual(step([50.2], [50], [49, 50, 51]), { kind: 'run', whose: 'candidate' });
    assert.equal(step([40, 41], [50, 51], [49, 50, 51]).kind, 'failed');
    assert.equal(step([60, 61], [50, 51], [49, 50, 51]).kind, 'passed');
    assert.equal(step([50.2], [50], [49, 50, 51], { mostPairs: 1 }).kind, 'passed');
  });

  it('passes what loses nothing and fails what loses more than the noise, by simulation', () => {
    const same = simulated(0);
    const worse = simulated(-1);
    assert.ok(same.passed > 0.83, `no loss: ${same.passed}`);
    assert.ok(worse.passed < 0.25, `one standard deviation: ${worse.passed}`);
    assert.ok(simulated(-2).passed < 0.03 && simulated(1).passed > 0.97);
    assert.ok(same.pairs < 8, `pairs: ${same.pairs}`);
  });

  it('flags a leap of the scorer that the holdout shows nothing of, where both measure the same and there is room', () => {
    const leap = { score: 100, parentScore: 0 };
    assert.equal(step([0], [0], [0, 0], leap).kind, 'fitting');
    assert.equal(step([100], [100], [100, 100], leap).kind, 'passed');
    assert.equal(step([60], [0], [0, 0], leap).kind, 'passed');
    assert.equal(step([50], [50], [50, 50], { score: 55, parentScore: 50 }).kind, 'passed');
    const ms: Metric = { name: 'ms', direction: 'lower' };
    assert.equal(step([50], [50], [50, 50], { metric: ms, score: 1, parentScore: 9 }).kind, 'passed');
    assert.equal(step([50], [50], [50, 50], { metric: ms, holdout: { ...HOLDOUT, metric: ms }, score: 1, parentScore: 9 }).kind, 'fitting');
  });

  it('is said to be left behind once the scorer gained more than twice as much', () => {
    const note = (kept: readonly (readonly [score: number, held: number])[]): string | undefined => {
      const state = foldAll(numbered([
        ...begun(50, { ...plan, holdout: HOLDOUT }),
        ...kept.flatMap(([score, held], index) => [
          { type: 'attempt-started', attempt: index + 1, parent: index } as const,
          { type: 'edited', attempt: index + 1, candidate: BLOB, hypothesis: '', addedLines: 1, removedLines: 1 } as const,
          measured(index + 1, score),
          { type: 'judged', attempt: index + 1, verdict: 'kept', evidence: { reason: '', score, parentScore: kept[index - 1]?.[0] ?? 50, holdout: { score: held, parentScore: kept[index - 1]?.[1] ?? 48 } } } as const,
        ]),
      ]));
      assert.ok(state);
      return fittingNote(state);
    };
    assert.equal(note([]), undefined);
    assert.equal(note([[52, 48]]), undefined);
    assert.equal(note([[60, 56], [70, 66]]), undefined);
    assert.equal(note([[60, 49], [70, 50]]), 'May be fitting the scorer: it went 50 → 70, 1.4×, the holdout only 48 → 50, 1.04×.');
    assert.match(note([[60, 48], [70, 48]]) ?? '', /the holdout stayed where it was\.$/);
  });
});
