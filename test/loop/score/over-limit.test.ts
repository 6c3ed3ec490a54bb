import assert from 'node:assert/strict';
import { readGate, readScore } from '../../../src/loop/score.ts';
import { overLimit } from '../../../src/loop/score/over-limit.ts';

describe('a run that reached a limit', () => {
  const limits = { memoryBytes: 2 ** 31, processes: 500, cpuS: 60, fileBytes: 2 ** 20 };

  it('is told in one sentence', () => {
    assert.deepEqual((['memory', 'processes', 'cpu', 'file-size'] as const).map((exceeded) => overLimit(exceeded, limits)), [
      'It used more than 2 GB of memory, the limit.',
      'It started more than 500 processes, the limit.',
      'One of its processes used more than 60 s of processor time, the limit.',
      'It wrote a file of more than 1 MB, the limit.',
    ]);
  });

  it('has crashed, whatever it printed', () => {
    const output = { stdout: 'score: 99\n', stderr: '', exitCode: 0, end: 'over-limit', overLimit: overLimit('memory', limits), result: '{"score":99}' } as const;
    const { outcome, why, score } = readScore(output, { name: 'score', direction: 'higher' });
    assert.deepEqual([outcome, why, score], ['crashed', 'It used more than 2 GB of memory, the limit.', undefined]);
    assert.deepEqual([readGate(output).outcome, readGate(output).why], ['crashed', 'It used more than 2 GB of memory, the limit.']);
  });
});
