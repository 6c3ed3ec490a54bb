import assert from 'node:assert/strict';
import { bothChanges } from '../../../src/engine/run/surroundings.ts';

describe('what changed around a run', () => {
  it('begins one epoch, also where it was two things', () => {
    const [files, power] = [{ why: 'x changed.', changed: ['x'] }, { why: 'The machine runs on its battery now.', changed: [] }];
    assert.equal(bothChanges(undefined, undefined), undefined);
    assert.deepEqual([bothChanges(files, undefined), bothChanges(undefined, power)], [files, power]);
    assert.deepEqual(bothChanges(files, power), { why: 'x changed. The machine runs on its battery now.', changed: ['x'] });
  });
});
