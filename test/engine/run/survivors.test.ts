import assert from 'node:assert/strict';
import { survivorsSentence } from '../../../src/engine/run/survivors.ts';

describe('processes that could not be ended', () => {
  it('are told by their numbers, a few of them', () => {
    assert.equal(survivorsSentence([], 3), undefined);
    assert.equal(survivorsSentence([41, 42], 3), 'Attempt 3 left processes that could not be ended (41, 42): what is measured from here on shares the machine with them.');
    assert.match(survivorsSentence(Array.from({ length: 400 }, (_, index) => index), 0) ?? '', /\(0, 1, .*, 9 and 390 more\)/);
  });
});
