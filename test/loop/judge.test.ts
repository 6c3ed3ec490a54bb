import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Measured } from '../../src/records.ts';
import { decide, improvement, type Decision } from '../../src/loop/judge.ts';
import { lower, measured, numbered, plan } from './events.ts';

const of = (attempt: number, score: number | undefined, more: Partial<Measured> = {}): Measured => numbered([measured(attempt, score, more)])[0] as Measured;

function verdictOf(decision: Decision): string {
  return decision.kind === 'verdict' ? decision.verdict : 'measure';
}

function judge(parent: number, candidate: Measured, more: { readonly plan?: typeof plan; readonly tokens?: number; readonly parentTokens?: number; readonly baseline?: Measured } = {}): Decision {
  return decide({
    plan: more.plan ?? plan,
    candidate: { measurements: [candidate], ...(more.tokens === undefined ? {} : { tokens: more.tokens }) },
    parent: { measurements: [of(0, parent)], ...(more.parentTokens === undefined ? {} : { tokens: more.parentTokens }) },
    baseline: more.baseline ?? of(0, parent),
  });
}

describe('the judge', () => {
  it('asks for a measurement while there is none', () => {
    const decision = decide({ plan, candidate: { measurements: [] }, parent: { measurements: [of(0, 40)] }, baseline: of(0, 40) });
    assert.deepEqual(decision, { kind: 'measure', role: 'candidate' });
  });

  it('keeps what is better and discards what is worse or equal, whatever the direction', () => {
    fc.assert(fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.boolean(), (parent, score, low) => {
      const decision = judge(parent, of(1, score), { plan: low ? lower : plan });
      const better = low ? score < parent : score > parent;
      assert.equal(verdictOf(decision), better ? 'kept' : 'discarded');
    }));
  });

  it('keeps an equal score only with fewer code tokens', () => {
    assert.equal(verdictOf(judge(40, of(1, 40), { tokens: 90, parentTokens: 100 })), 'kept');
    assert.equal(verdictOf(judge(40, of(1, 40), { tokens: 100, parentTokens: 100 })), 'discarded');
    assert.equal(verdictOf(judge(40, of(1, 40), { tokens: 110, parentTokens: 100 })), 'discarded');
    assert.equal(verdictOf(judge(40, of(1, 40), { parentTokens: 100 })), 'discarded', 'without a parser there is no simpler');
    assert.equal(verdictOf(judge(40, of(1, 39), { tokens: 1, parentTokens: 100 })), 'discarded', 'shorter and worse is worse');
  });

  it('gives a run without a score its outcome as verdict, and never a number', () => {
    for (const outcome of ['crashed', 'timed-out', 'no-score', 'invalid-score', 'cancelled'] as const) {
      const decision = judge(40, of(1, undefined, { outcome, why: 'because' }));
      assert.equal(verdictOf(decision), outcome);
      assert.ok(decision.kind === 'verdict' && decision.evidence.score === undefined && decision.evidence.reason === 'because');
    }
  });

  it('flags what looks better and printed more values than the start file', () => {
    assert.equal(verdictOf(judge(40, of(1, 100, { values: 2 }))), 'flagged');
    assert.equal(verdictOf(judge(40, of(1, 30, { values: 2 }))), 'discarded');
    assert.equal(verdictOf(judge(40, of(1, 100, { values: 2 }), { baseline: of(0, 40, { values: 2 }) })), 'kept', 'the start file does so too');
  });

  it('flags a conflict, and files that only the candidate changed', () => {
    assert.equal(verdictOf(judge(40, of(1, 100, { conflict: 'two values' }))), 'flagged');
    const decision = judge(40, of(1, 100, { altered: ['score.py'] }));
    assert.ok(decision.kind === 'verdict' && decision.verdict === 'flagged' && decision.evidence.reason.includes('score.py'));
    assert.equal(verdictOf(judge(40, of(1, 40, { altered: ['score.py'] }))), 'flagged', 'void, whatever it scored');
    assert.equal(verdictOf(judge(40, of(1, 100, { altered: ['cache.db'] }), { baseline: of(0, 40, { altered: ['cache.db'] }) })), 'kept');
  });

  it('flags fewer checks than the start file ran', () => {
    for (const name of ['checks', 'tests']) {
      const run = (count: number): string => verdictOf(judge(70, of(1, 100, { metrics: { [name]: count } }), { baseline: of(0, 70, { metrics: { [name]: 5 } }) }));
      assert.deepEqual([run(0), run(4), run(5), run(6)], ['flagged', 'flagged', 'kept', 'kept']);
    }
  });

  it('flags a result file where the start file wrote none', () => {
    assert.equal(verdictOf(judge(40, of(1, 100, { source: 'result-file' }))), 'flagged');
    assert.equal(verdictOf(judge(40, of(1, 100, { source: 'result-file' }), { baseline: of(0, 40, { source: 'result-file' }) })), 'kept');
  });

  it('flags a train.py that trained longer, and keeps none that takes much more memory', () => {
    const train = { ...lower, trainPy: true };
    const baseline = of(0, 1, { metrics: { training_seconds: 300, peak_vram_mb: 1000 } });
    const run = (metrics: Record<string, number>): string => verdictOf(judge(1, of(1, 0.9, { metrics }), { plan: train, baseline }));
    assert.equal(run({ training_seconds: 331, peak_vram_mb: 1000 }), 'flagged');
    assert.equal(run({ training_seconds: 329, peak_vram_mb: 1000 }), 'kept');
    assert.equal(run({ training_seconds: 300, peak_vram_mb: 1101 }), 'discarded');
    assert.equal(run({ training_seconds: 300, peak_vram_mb: 1100 }), 'kept');
  });

  it('measures improvement in the direction of the metric', () => {
    assert.equal(improvement(plan.metric, 40, 42), 2);
    assert.equal(improvement(lower.metric, 40, 42), -2);
  });
});
