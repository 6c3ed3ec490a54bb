import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { explain, type ExplainOptions, type Explanation } from '../../src/loop/explain.ts';
import type { ResultTable } from '../../src/loop/results.ts';
import { TOGETHER } from '../../src/loop/explain/stretches.ts';
import { rowsOf, strictLog, tableOf, type KnownLog } from './explain/logs.ts';

function explained(table: ResultTable, options?: ExplainOptions): Explanation {
  const told = explain(table, options);
  assert.ok(typeof told !== 'string', JSON.stringify(told));
  return told;
}

/** Of the keeps of 500 logs whose true effect passes the test: how many there are, and how many are called likely real. */
function called(log: (seed: number) => KnownLog, test: (effect: number) => boolean): { readonly kept: number; readonly share: number; readonly expectedFalse: number } {
  let kept = 0;
  let real = 0;
  let expectedFalse = 0;
  for (let seed = 0; seed < 500; seed++) {
    const { table, effects } = log(1000 + seed * 7919);
    const told = explain(table);
    if (typeof told === 'string') continue;
    expectedFalse += told.expectedFalse;
    for (const { row, verdict } of told.keeps) {
      if (!test(effects[row - 1] ?? 0)) continue;
      kept++;
      if (verdict === 'likely real') real++;
    }
  }
  return { kept, share: real / kept, expectedFalse };
}

describe('an old log explained', () => {
  for (const attempts of [12, 30, 100, 300])
    it(`calls few of the keeps of ${attempts} attempts that change nothing likely real, and knows how many are false`, () => {
      const { kept, share, expectedFalse } = called((seed) => strictLog(seed, attempts, () => 0), () => true);
      assert.ok(kept > 1000);
      assert.ok(share < 0.1, `${share}`);
      assert.ok(expectedFalse > 0.7 * kept && expectedFalse < kept, `${expectedFalse} of ${kept}`);
    });

  it('calls gains of 4 σ likely real, and few of the others among them', () => {
    const log = (seed: number): KnownLog => strictLog(seed, 100, (random) => (random() < 0.04 ? 4 : 0));
    assert.ok(called(log, (effect) => effect > 0).share >= 0.8);
    assert.ok(called(log, (effect) => effect === 0).share < 0.15);
  });

  it('is not deceived by attempts that do harm', () => {
    const log = (seed: number): KnownLog => strictLog(seed, 60, (random) => (random() < 0.7 ? -10 * random() : 0));
    assert.ok(called(log, () => true).share < 0.1);
  });

  it('takes a later gain for no smaller chance of being real', () => {
    const order = ['not better', 'within noise', "can't be told", 'likely real'];
    fc.assert(fc.property(fc.nat(500), fc.double({ min: 0, max: 8, noNaN: true }), fc.double({ min: 0, max: 8, noNaN: true }), (seed, one, other) => {
      const { table } = strictLog(seed, 20, () => 0);
      const top = Math.max(...table.rows.map(({ score = 0 }) => score));
      const verdict = (gain: number): number => {
        const rows = [...table.rows, { commit: '', score: top + gain, status: 'keep' as const, description: 'last' }];
        return order.indexOf(explained(tableOf(rows)).keeps.at(-1)?.verdict ?? '');
      };
      assert.ok(verdict(Math.max(one, other)) >= verdict(Math.min(one, other)));
    }), { numRuns: 100 });
  });

  it('says the same in any unit and in either direction', () => {
    fc.assert(fc.property(fc.nat(500), fc.integer({ min: -6, max: 6 }), fc.integer({ min: -5, max: 5 }), fc.boolean(), (seed, power, shift, flip) => {
      const { table } = strictLog(seed, 40, (random) => (random() < 0.1 ? 3 : 0));
      const told = explained(table);
      const scale = (flip ? -1 : 1) * 2 ** power;
      const rows = table.rows.map((row) => ({ ...row, score: ((row.score ?? 0) + shift) * scale }));
      const other = explained(tableOf(rows, 'anything'), { direction: flip ? 'lower' : 'higher' });
      assert.deepEqual(other.keeps.map(({ verdict }) => verdict), told.keeps.map(({ verdict }) => verdict));
      assert.ok(Math.abs((other.noise?.sd ?? 0) / Math.abs(scale) - (told.noise?.sd ?? 0)) < 1e-6);
    }), { numRuns: 100 });
  });

  it('prefers runs of one text, and what a person knows', () => {
    const rows = [
      ...rowsOf('k 10', 'd 9', 'k 13'),
      { commit: 'abcdef1', score: 14, status: 'keep' as const, description: 'wider' },
      { commit: 'abcdef1', score: 14.4, status: 'discard' as const, description: 'wider, again' },
      { commit: '', score: 10.4, status: 'discard' as const, description: 'Baseline again' },
      { commit: '', score: 10.2, status: 'discard' as const, description: 'baseline' },
    ];
    const told = explained(tableOf(rows));
    assert.equal(told.noise?.source, 'repeats');
    assert.equal(told.noise.values, 3);
    assert.ok(Math.abs(told.noise.sd - 0.2) < 0.01);
    // A run that only repeats is no attempt.
    assert.equal(told.keeps.length, 2);
    const given = explained(tableOf(rows), { noise: 5 });
    assert.deepEqual([given.noise?.source, given.noise?.sd], ['given', 5]);
    assert.deepEqual(given.keeps.map(({ verdict }) => verdict), ['within noise', 'within noise']);
  });

  it('says what would settle a keep, and that an exact scorer needs nothing', () => {
    const told = explained(tableOf(rowsOf('k 0', 'd -1', 'k 1')), { noise: 1 });
    assert.equal(told.keeps[0]?.verdict, 'within noise');
    assert.equal(told.keeps[0].runsToSettle, 13);
    const exact = explained(tableOf(rowsOf('k 0', 'd -1', 'k 0.001')), { noise: 0 });
    assert.equal(exact.keeps[0]?.verdict, 'likely real');
    assert.equal(exact.expectedFalse, 0);
  });

  it('says what it can\'t know', () => {
    assert.equal(explained(tableOf(rowsOf('k 1', 'k 2'))).noiseUnknown, 'few');
    assert.equal(explained(tableOf(rowsOf('k 1', 'd 1', 'd 1', 'd 1', 'd 1', 'd 1', 'd 0', 'k 2'))).noiseUnknown, 'ties');
    const repeated = ['baseline', 'baseline', 'baseline'].map((description) => ({ commit: '', score: 5, status: 'keep' as const, description }));
    assert.equal(explained(tableOf([...repeated, ...rowsOf('k 1', 'k 6').slice(1)])).noiseUnknown, 'exact');
    assert.deepEqual(explained(tableOf(rowsOf('k 1', 'k 2'))).keeps.map(({ verdict }) => verdict), ["can't be told"]);
  });

  it('sees small gains together that none shows by itself, and seldom where there are none', () => {
    const together = (log: (seed: number) => KnownLog): number => {
      let logs = 0;
      for (let seed = 0; seed < 200; seed++) {
        const told = explain(log(500 + seed * 7919).table);
        if (typeof told !== 'string' && told.stretches.some(({ chance }) => chance <= TOGETHER)) logs++;
      }
      return logs / 200;
    };
    assert.ok(together((seed) => strictLog(seed, 80, (random) => (random() < 0.3 ? 1 : 0))) > 0.4);
    assert.ok(together((seed) => strictLog(seed, 80, () => 0)) < 0.08);
  });

  it('does not judge what was kept without a better score', () => {
    const told = explained(tableOf(rowsOf('k 5', 'd 4', 'd 4.5', 'k 2', 'd 1', 'k 3')), { noise: 0.1 });
    assert.deepEqual(told.keeps.map(({ verdict }) => verdict), ['not better', 'likely real']);
    assert.equal(told.total, undefined);
  });

  it('finds which way is better', () => {
    const down = rowsOf('k 9', 'd 9.5', 'k 8', 'd 8.2');
    assert.deepEqual([explained(tableOf(down, 'loss')).direction, explained(tableOf(down, 'loss')).by], ['lower', 'keeps']);
    assert.deepEqual([explained(tableOf(down, 'val_bpb')).direction, explained(tableOf(down, 'val_bpb')).by], ['lower', 'name']);
    assert.deepEqual([explained(tableOf(down, 'score'), { direction: 'lower' }).by], ['given']);
    assert.equal(explain(tableOf(rowsOf('k 9', 'k 8', 'k 9'), 'loss')), 'no-direction');
  });

  it('says why a table can\'t be explained, and never throws', () => {
    assert.equal(explain({ columns: ['a'], rows: [], warnings: [] }), 'no-table');
    assert.equal(explain(tableOf([])), 'no-scores');
    assert.equal(explain(tableOf(rowsOf('k 1'))), 'one-row');
    assert.equal(explain(tableOf(rowsOf('d 1', 'd 2'))), 'no-keeps');
    assert.equal(explain(tableOf(rowsOf('k 1', 'k 1.7e308', 'k -2.9e293'))), 'one-row', 'values that can\'t be squared are none');
    const row = fc.record({ commit: fc.constantFrom('', 'abcdef1', '0000000'), score: fc.double({ noNaN: true, noDefaultInfinity: true }), status: fc.constantFrom('keep' as const, 'discard' as const), description: fc.constantFrom('', 'baseline', 'x again') });
    fc.assert(fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
      const told = explain(tableOf(rows));
      if (typeof told === 'string') return;
      for (const { chance } of told.keeps) assert.ok(chance === undefined || (chance >= 0 && chance <= 1), `${chance}`);
    }));
  });

  it('explains a hundred thousand rows', () => {
    const { table } = strictLog(7, 100_000, () => 0);
    assert.ok(Math.abs((explained(table).noise?.sd ?? 0) - 1) < 0.1);
  });
});
