import assert from 'node:assert/strict';
import { canarySeen, canaryTexts } from '../../../src/engine/run/canary.ts';
import type { Measurement } from '../../../src/engine/run/measure.ts';
import { readScore } from '../../../src/loop/score.ts';

function run(stdout: string, exitCode = 0, stderr = ''): Measurement {
  const output = { stdout, stderr, exitCode, end: 'exited' } as const;
  const reading = readScore(output, { name: 'ms', direction: 'lower' });
  return { role: 'candidate', seed: 1, reading, output, outcome: reading.outcome, durationMs: 1, altered: [], survivors: [] };
}
const ms = (...values: readonly number[]): Measurement[] => values.map((value) => run(`ms: ${value}`));

describe('the canary', () => {
  it('is seen by another outcome, by its own words, or by a clearly different value', () => {
    assert.equal(canarySeen(ms(20), [run('', 1)]), true);
    assert.equal(canarySeen(ms(20), [run('ms: 20\nError: ratchet canary: this file was broken on purpose')]), true);
    assert.equal(canarySeen(ms(20, 21), ms(100, 90)), true);
    assert.equal(canarySeen(ms(20, 21), ms(1, 1)), true, 'an empty file is small');
    assert.equal(canarySeen(ms(60), ms(20)), 'unsure', 'a cold start is slow');
  });

  it('is not seen where nothing changes', () => {
    assert.equal(canarySeen(ms(20), ms(20)), false);
    assert.equal(canarySeen(ms(0), ms(0)), false);
  });

  it('asks for more runs where values differ a little, and then wants them apart', () => {
    assert.equal(canarySeen(ms(20), ms(20.3)), 'unsure');
    assert.equal(canarySeen(ms(20, 20.5), ms(20.3, 20.1)), 'unsure');
    assert.equal(canarySeen(ms(20, 20.5, 20.2), ms(20.3, 20.1, 20.4)), false);
    assert.equal(canarySeen(ms(20, 20.1, 20.05), ms(22, 22.1, 22.05)), true);
    assert.equal(canarySeen(ms(6.7, 39.7, 11.3), ms(0, 0, 0)), true, 'what varies on the real file alone was loaded');
    assert.equal(canarySeen(ms(20, 20.5, 20), ms(20.3, 20.3, 20.3)), false, 'a few steps may be all that there are');
  });

  it('throws in code, and is empty and then garbage elsewhere', () => {
    assert.match(canaryTexts('a.py')[0] ?? '', /^raise /);
    for (const path of ['a.js', 'a.mts', 'a.tsx']) assert.match(canaryTexts(path)[0] ?? '', /^throw /);
    assert.equal(canaryTexts('a.yaml').length, 2);
    assert.equal(canaryTexts('a.yaml')[0], '');
  });
});
