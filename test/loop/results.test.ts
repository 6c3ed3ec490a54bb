import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { VERDICTS } from '../../src/records.ts';
import { appendResult, readResults, resultHeader, resultLine, resultStatus } from '../../src/loop/results.ts';
import cases from '../cases/handed.json' with { type: 'json' };
import { lower, plan } from './events.ts';

const metric = plan.metric;

describe('results.tsv', () => {
  it('has the columns that autoresearch writes, with the metric\'s name', () => {
    assert.equal(resultHeader(lower.metric), 'commit\tval_bpb\tmemory_gb\tstatus\tdescription\n');
    const row = { commit: 'abc1234', score: 0.9979, memoryGb: 44, status: 'keep', description: 'baseline' } as const;
    assert.equal(appendResult('', row, lower.metric), 'commit\tval_bpb\tmemory_gb\tstatus\tdescription\nabc1234\t0.9979\t44.0\tkeep\tbaseline\n');
  });

  it('leaves the score of a crash empty', () => {
    const text = appendResult('', { commit: 'abc1234', status: 'crash', description: 'x' }, metric);
    assert.equal(text.split('\n')[1], 'abc1234\t\t\tcrash\tx');
    assert.equal(readResults(text).rows[0]?.score, undefined);
  });

  it('has a status for every verdict', () => {
    const by = Object.fromEntries(VERDICTS.map((verdict) => [verdict, resultStatus(verdict)]));
    assert.deepEqual(by, {
      kept: 'keep', discarded: 'discard', flagged: 'discard', cancelled: 'discard', crashed: 'crash', 'timed-out': 'crash',
      'no-score': 'crash', 'invalid-score': 'crash', refused: 'crash',
    });
  });

  it('U07: uses the whole rows of a torn file, says so, and puts the next row on a line of its own', () => {
    const { input, expected } = cases.find((one) => one.id === 'U07') as unknown as { input: { resultsTsv: string }; expected: { rowsUsed: number; bestOnResume: number; bestAfter: number } };
    const table = readResults(input.resultsTsv);
    assert.equal(table.rows.length, expected.rowsUsed);
    assert.equal(Math.max(...table.rows.map((row) => row.score ?? 0)), expected.bestOnResume);
    assert.equal(table.warnings.length, 1);
    const after = input.resultsTsv + appendResult(input.resultsTsv, { commit: '4', score: 45, status: 'keep', description: 'n' }, metric);
    assert.ok(after.endsWith('\n4\t45\tkeep\tn\n'));
    assert.equal(Math.max(...readResults(after).rows.map((row) => row.score ?? 0)), expected.bestAfter);
  });

  it('U08: takes tabs and line breaks out of a description', () => {
    const { input, expected } = cases.find((one) => one.id === 'U08') as unknown as {
      input: { header: string[]; row: { attempt: number; score: number; status: 'keep'; note: string } };
      expected: { linesAdded: number; columnsInNewLine: number; scoreReadBack: number; noteWordsReadBack: string };
    };
    const { row } = input;
    const line = resultLine({ commit: String(row.attempt), score: row.score, status: row.status, description: row.note }, input.header);
    assert.equal(line.split('\n').length - 1, expected.linesAdded);
    assert.equal(line.split('\t').length, expected.columnsInNewLine);
    const back = readResults(`${input.header.join('\t')}\n${line}`).rows[0];
    assert.equal(back?.score, expected.scoreReadBack);
    assert.equal(back?.description, expected.noteWordsReadBack);
  });

  it('reads other orders, extra columns and CRLF', () => {
    const table = readResults('status\textra\tval_bpb\tcommit\tdescription\r\nkeep\tz\t0.9\tabc\ta b\r\n');
    assert.deepEqual(table.rows.map(({ status, commit, description }) => [status, commit, description]), [['keep', 'abc', 'a b']]);
  });

  it('never throws, and any description stays one row that is read back', () => {
    fc.assert(fc.property(fc.string(), (text) => void readResults(text)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }), (description, score) => {
      const { rows } = readResults(appendResult('', { commit: 'abc', score, status: 'discard', description }, metric));
      assert.equal(rows.length, 1);
      assert.equal(rows[0]?.score, score === 0 ? 0 : score);
    }));
  });
});
