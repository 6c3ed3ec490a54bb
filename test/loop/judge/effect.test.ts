import assert from 'node:assert/strict';
import { effectOf } from '../../../src/loop/judge/effect.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import type { Effect } from '../../../src/records.ts';
import { begun, measured, numbered } from '../events.ts';

/** A start file that scored 40 and then these, and a candidate that ran so often. */
function effect(parents: readonly number[], own: readonly number[]): Effect {
  const state = foldAll(numbered([
    ...begun(40), ...parents.map((score) => measured(0, score, { role: 'parent' })),
    { type: 'attempt-started', attempt: 1, parent: 0 }, ...own.map((score) => measured(1, score)),
  ]));
  return effectOf(state?.known ?? assert.fail()) ?? assert.fail();
}

describe('how far a candidate lies from its parent', () => {
  it('is rough while one of them ran once and the noise is known from fewer than four runs', () => {
    assert.equal(effect([41], [39]).rough, true);
    assert.equal(effect([41, 40.5], [39]).rough, true);
    assert.equal(effect([41, 40.5, 40.2], [39]).rough, undefined);
    assert.equal(effect([41], [39, 39.5]).rough, undefined);
  });
});
