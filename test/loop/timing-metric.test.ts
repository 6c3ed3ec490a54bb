import assert from 'node:assert/strict';
import { isTiming } from '../../src/loop/timing-metric.ts';

describe('a score that depends on how fast the machine is', () => {
  const of = (name: string, unit?: string, more: { readonly trainPy?: boolean; readonly budgetS?: number } = {}): boolean =>
    isTiming({ metric: { name, direction: 'lower', ...(unit === undefined ? {} : { unit }) }, trainPy: false, ...more });

  it('is a time, a rate, or what a script gets to in its time', () => {
    for (const name of ['ms', 'run_time', 'latency_p99', 'total_ms', 'ops', 'throughput', 'duration']) assert.ok(of(name), name);
    assert.ok(of('mean', 'ms') && of('hits', 'req/s') && of('val_bpb', undefined, { trainPy: true }) && of('score', undefined, { budgetS: 60 }));
  });

  it('is no count, size or share', () => {
    for (const name of ['score', 'val_bpb', 'bytes', 'findings', 'items', 'mean']) assert.ok(!of(name), name);
    assert.ok(!of('size', 'kB'));
  });
});
