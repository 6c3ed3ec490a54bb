import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { errorOf } from '../../../src/loop/verifier/error-budget.ts';

describe('the budget of errors', () => {
  it('never gives out more than the whole to a run that finds nothing, however long it goes on', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0.001, max: 0.5, noNaN: true }), (planned, error) => {
      let spent = 0;
      for (let judged = 0; judged < 3 * planned + 200; judged++) spent += errorOf({ error, planned }, judged, []);
      assert.ok(spent <= error + 1e-9 && spent > 0.9 * error);
    }));
  });

  it('gives each discovery a new capital, and no attempt more than the whole', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fc.integer({ min: 0, max: 299 }), { maxLength: 40 }), (planned, keeps) => {
      const budget = { error: 0.05, planned };
      assert.ok(errorOf(budget, 300, keeps) <= 0.05);
      assert.ok(errorOf(budget, 300, [...keeps, 299]) >= errorOf(budget, 300, keeps));
    }));
  });
});
