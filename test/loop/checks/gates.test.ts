import assert from 'node:assert/strict';
import type { Measured, Outcome } from '../../../src/records.ts';
import { gateReason, gateStep } from '../../../src/loop/checks/gates.ts';
import { measured, numbered, plan } from '../events.ts';

const GATES = ['types', 'tests'].map((name) => ({ name, spec: plan.scorer, cwd: '' }));

const run = (name: string, outcome: Outcome, more: Partial<Measured> = {}): Measured => {
  const [event] = numbered([measured(1, undefined, { role: 'gate', name, outcome, ...more })]);
  assert.ok(event?.type === 'measured');
  return event;
};

describe('gates', () => {
  it('are run in their order, each once, and the first that fails ends it', () => {
    assert.deepEqual(gateStep(GATES, [], []), { kind: 'run', name: 'types' });
    assert.deepEqual(gateStep(GATES, [run('types', 'scored')], []), { kind: 'run', name: 'tests' });
    assert.deepEqual(gateStep(GATES, [run('types', 'scored'), run('tests', 'scored')], []), { kind: 'passed' });
    assert.equal(gateStep(GATES, [run('types', 'crashed')], []).kind, 'failed');
    assert.equal(gateStep(GATES, [run('types', 'no-score')], []).kind, 'failed');
    assert.deepEqual(gateStep([], [], []), { kind: 'passed' });
  });

  it('that flickered on the start file fail when they fail twice', () => {
    const start = [run('types', 'scored'), run('types', 'crashed')];
    assert.deepEqual(gateStep(GATES, [run('types', 'crashed')], start), { kind: 'run', name: 'types' });
    assert.equal(gateStep(GATES, [run('types', 'crashed'), run('types', 'crashed')], start).kind, 'failed');
    assert.deepEqual(gateStep(GATES, [run('types', 'crashed'), run('types', 'scored')], start), { kind: 'run', name: 'tests' });
  });

  it('name the first checks that failed, and else how they ended', () => {
    assert.equal(gateReason(run('tests', 'crashed', { failed: ['a', 'b', 'c', 'd'] })), 'The gate tests failed: a, b, c and 1 more.');
    assert.equal(gateReason(run('tests', 'crashed', { why: 'It ended with exit code 2.' })), 'The gate tests failed: It ended with exit code 2.');
  });
});
