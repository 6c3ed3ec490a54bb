import assert from 'node:assert/strict';
import { foldAll, type RunState } from '../../src/loop/ledger.ts';
import { unsettledReason } from '../../src/loop/night.ts';
import type { NewEvent } from '../../src/records.ts';
import { begun, measured, numbered } from './events.ts';

/** A run whose start file scored so. */
function scoring(...scores: readonly number[]): RunState {
  const [first = 0, ...rest] = scores;
  const runs = rest.map((score): NewEvent => measured(0, score, { role: 'parent' }));
  const state = foldAll(numbered([...begun(first), ...runs]));
  assert.ok(state);
  return state;
}

describe('an attempt of the night that meets what was kept before it', () => {
  const told = (state: RunState, score: number, isContained = false): string => {
    const { reason, code = '' } = unsettledReason({ evidence: { reason: 'night', score, parentScore: 50 } }, 3, isContained, state.known);
    return `${code}: ${reason}`;
  };
  const noisy = scoring(50, 51, 49, 50.5, 49.5, 50);

  it('made no real difference where it was better by noise, and changes the same lines where by more', () => {
    assert.equal(told(noisy, 51), ': No real difference: in its one run it was better by no more than two runs of the same file differ. It changes the same lines as what was kept before it (attempt 3).');
    assert.equal(told(noisy, 60), 'conflict: It changes the same lines as what was kept before it (attempt 3).');
    assert.equal(told(noisy, 60, true), 'conflict: Attempt 3, which was kept before it, holds all that it changes.');
  });

  it('of a scorer that is exact made a real one, however small', () => {
    assert.match(told(scoring(50, 50, 50), 50.001), /^conflict: It changes the same lines/);
  });
});
