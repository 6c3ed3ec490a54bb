import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { normalAbove, normalQuantile, studentAbove, studentQuantile } from '../../../src/loop/verifier/student.ts';

const near = (actual: number, expected: number, relative: number): void => assert.ok(Math.abs(actual / expected - 1) < relative, `${actual} is not ${expected}`);

describe('the normal distribution', () => {
  it('has the tails that tables give', () => {
    for (const [z, above] of [[0, 0.5], [1, 0.158655254], [1.959964, 0.025], [3, 0.001349898], [5, 2.866516e-7]] as const) near(normalAbove(z), above, 1e-6);
    near(normalAbove(-1), 0.841344746, 1e-6);
  });

  it('has quantiles that are the other way round', () => {
    fc.assert(fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (chance) => near(normalAbove(normalQuantile(chance)), chance, 1e-5)));
  });
});

describe('Student\'s t', () => {
  it('has the quantiles that tables give', () => {
    const table = [[0.025, 1, 12.7062], [0.025, 2, 4.30265], [0.025, 3, 3.18245], [0.001, 5, 5.89343], [0.025, 9, 2.26216], [0.0005, 9, 4.78091], [0.01, 30, 2.45726], [0.05, 120, 1.65765]] as const;
    for (const [chance, freedom, t] of table) near(studentQuantile(chance, freedom), t, 2e-3);
  });

  it('nears the normal as the freedom grows, and asks for more where there is little', () => {
    fc.assert(fc.property(fc.double({ min: 1e-5, max: 0.3, noNaN: true }), fc.integer({ min: 3, max: 60 }), (chance, freedom) => {
      near(studentQuantile(chance, 1e6), normalQuantile(chance), 1e-3);
      assert.ok(studentQuantile(chance, freedom) > studentQuantile(chance, freedom + 1) - 1e-9);
      assert.ok(studentQuantile(chance, freedom) > normalQuantile(chance));
    }));
  });

  it('has chances that are the other way round', () => {
    fc.assert(fc.property(fc.double({ min: 1e-6, max: 0.49, noNaN: true }), fc.integer({ min: 3, max: 200 }), (chance, freedom) => near(studentAbove(studentQuantile(chance, freedom), freedom), chance, 1e-6)));
    assert.ok(Math.abs(studentAbove(-1, 9) + studentAbove(1, 9) - 1) < 1e-9);
  });
});
