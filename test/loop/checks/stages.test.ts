import assert from 'node:assert/strict';
import type { Measured, StagePlan } from '../../../src/records.ts';
import { stageStep, type StageStep } from '../../../src/loop/checks/stages.ts';
import { measured, numbered, plan } from '../events.ts';

const SMALL: StagePlan = { name: 'small', spec: plan.scorer, cwd: '', metric: plan.metric, when: 'first' };

const runs = (scores: readonly (number | undefined)[], more: Partial<Measured> = {}): readonly Measured[] =>
  numbered(scores.map((score) => measured(1, score, { role: 'stage', name: 'small', whose: 'candidate', ...more }))).filter((event): event is Measured => event.type === 'measured');
const step = (candidate: readonly (number | undefined)[], parent: readonly number[], start: readonly number[], stage: Partial<StagePlan> = {}): StageStep =>
  stageStep([{ ...SMALL, ...stage }], { own: runs(candidate), parent: runs(parent), start: runs(start) });

describe('stages', () => {
  it('ask for the candidate, then for a parent that none has measured', () => {
    assert.deepEqual(step([], [], []), { kind: 'run', name: 'small', whose: 'candidate' });
    assert.deepEqual(step([5], [], []), { kind: 'run', name: 'small', whose: 'parent' });
    assert.equal(stageStep([SMALL], { own: [...runs([5]), ...runs([5], { whose: 'parent' })], parent: [], start: [] }).kind, 'passed');
  });

  it('let pass what is worse than its parent by no more than the noise, or the threshold', () => {
    assert.deepEqual([step([50], [50], [50, 50]).kind, step([49.9], [50], [50, 50]).kind, step([70], [50], [50, 50]).kind], ['passed', 'failed', 'passed']);
    assert.deepEqual([step([48], [50], [49, 50, 51]).kind, step([47], [50], [49, 50, 51]).kind], ['passed', 'failed']);
    assert.deepEqual([step([45], [50], [50], { threshold: 5 }).kind, step([44], [50], [50], { threshold: 5 }).kind], ['passed', 'failed']);
    assert.deepEqual([step([52], [50], [50], { threshold: -2 }).kind, step([51], [50], [50], { threshold: -2 }).kind], ['passed', 'failed']);
    const lower = { metric: { name: 'ms', direction: 'lower' as const, unit: 'ms' } };
    assert.deepEqual([step([4], [5], [5], lower).kind, step([6], [5], [5], lower).kind], ['passed', 'failed']);
  });

  it('say what was missed', () => {
    const failed = step([44], [50], [50], { threshold: 5 });
    assert.ok(failed.kind === 'failed');
    assert.equal(failed.reason, 'It doesn\'t pass the stage small: 44, its parent has 50, and it may be worse by 5.');
    const crashed = step([undefined], [50], [50]);
    assert.ok(crashed.kind === 'failed' && crashed.outcome === 'crashed');
  });
});
