import assert from 'node:assert/strict';
import { formatChange, formatScore, named } from '../../src/loop/format.ts';

const ms = { name: 'ms', direction: 'lower', unit: 'ms' } as const;
const score = { name: 'score', direction: 'higher' } as const;

describe('numbers on screens', () => {
  it('stand in the metric\'s unit and as a factor', () => {
    assert.equal(formatChange(18.2, 6.1, ms), '18.2 → 6.1 ms, 3.0×');
    assert.equal(formatChange(6.1, 18.2, ms), '6.1 → 18.2 ms, 0.3×');
    assert.equal(formatChange(40, 60, score), '40 → 60, 1.5×');
    assert.equal(formatChange(2.41, 2.3, { name: 'val_bpb', direction: 'lower' }), '2.41 → 2.3, 1.05×');
  });

  it('leave out a factor that means nothing', () => {
    for (const [from, to] of [[0, 5], [-1, 5], [5, 0], [100, 100.1]] as const) assert.ok(!formatChange(from, to, score).includes('×'));
  });

  it('show as many digits as it takes to see a difference', () => {
    assert.equal(formatChange(2.390701, 2.390688, { name: 'val_bpb', direction: 'lower' }), '2.3907 → 2.39069');
    assert.equal(formatChange(2.5, 2.5, score), '2.5 → 2.5');
  });

  it('name a metric whose name is its unit once', () => {
    assert.equal(named(ms, formatChange(34.1, 20.3, ms)), '34.1 → 20.3 ms, 1.7×');
    assert.equal(named({ ...ms, name: 'time' }, '3 ms'), 'time 3 ms');
    assert.equal(named(score, '95', ': '), 'score: 95');
  });

  it('keep five digits', () => {
    assert.equal(formatScore(0.997912345, score), '0.99791');
    assert.equal(formatScore(1234567, score), '1234567');
    assert.equal(formatScore(1e-7, score), '1e-7');
  });
});
