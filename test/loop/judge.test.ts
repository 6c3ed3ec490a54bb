import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { Measured, NewEvent, RunPlan } from '../../src/records.ts';
import { decide, type Case, type Decision } from '../../src/loop/judge.ts';
import { attemptOf, foldAll } from '../../src/loop/ledger.ts';
import { improvement } from '../../src/loop/metric.ts';
import { begun, lower, measured, numbered, plan } from './events.ts';

interface Series {
  readonly id: string;
  readonly input: { readonly metric: string; readonly direction: 'higher' | 'lower'; readonly baselineRuns: readonly number[]; readonly candidateRuns: readonly number[] };
}

const GAMING = JSON.parse(readFileSync(new URL('../cases/handed.json', import.meta.url), 'utf8')) as readonly Series[];

/** One attempt against a start file with these runs; `runs` are the candidate's. */
interface Dispute {
  readonly plan?: RunPlan;
  readonly start: readonly number[];
  readonly runs: readonly (number | Partial<Measured>)[];
  /** Runs of the parent since the candidate's first. */
  readonly parent?: readonly number[];
  readonly baseline?: Partial<Measured>;
  readonly tokens?: number;
  readonly parentTokens?: number;
  readonly care?: Partial<Case['care']>;
  readonly signals?: Case['signals'];
}

function judge({ plan: given = plan, start, runs, parent = [], baseline = {}, tokens, parentTokens, care = {}, signals = [] }: Dispute): Decision {
  const [first = 0, ...others] = start;
  const events: NewEvent[] = [
    ...begun(first, { ...given, verifier: { confirm: 'each', confidence: 0.95, maxRepeats: 20 } }, baseline),
    ...others.map((score) => measured(0, score, { role: 'parent' })),
    { type: 'attempt-started', attempt: 1, parent: 0 },
    ...runs.slice(0, 1).map(run), ...parent.map((score) => measured(1, score, { role: 'parent' })), ...runs.slice(1).map(run),
  ];
  const state = foldAll(numbered(events));
  const known = state?.known;
  const measurements = state === undefined ? undefined : attemptOf(state, 1)?.measurements.filter(({ role }) => role === 'candidate');
  const of = state === undefined ? undefined : attemptOf(state, 0)?.measurements[0];
  assert.ok(known !== undefined && measurements !== undefined && of !== undefined);
  return decide({
    plan: given, known, measurements, baseline: of, signals,
    care: { confirm: 'each', baselineRuns: start.length, seededInside: false, ...care },
    ...(tokens === undefined ? {} : { tokens }), ...(parentTokens === undefined ? {} : { parentTokens }),
  });

  function run(value: number | Partial<Measured>): NewEvent {
    return typeof value === 'number' ? measured(1, value) : measured(1, value.score, value);
  }
}

function word(decision: Decision): string {
  return decision.kind === 'verdict' ? decision.verdict : decision.kind === 'measure' ? decision.role : decision.kind;
}

/** A score that never varies, and a candidate that has done what is asked of it. */
function exact(parent: number, score: number, more: Partial<Dispute> = {}): string {
  return word(judge({ start: [parent, parent, parent], runs: [score, score, score], parent: [parent], ...more }));
}

const NOISY = [40, 41, 39.5, 40.4, 39, 40.8, 40.2, 39.7, 40.6, 39.4];

describe('the judge of a score that doesn\'t vary', () => {
  it('asks for a run of the candidate while there is none', () => {
    assert.deepEqual(judge({ start: [40, 40], runs: [] }), { kind: 'measure', role: 'candidate' });
  });

  it('keeps what is better in three runs and discards what is worse or equal, whatever the direction', () => {
    fc.assert(fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.boolean(), (parent, score, low) => {
      const better = low ? score < parent : score > parent;
      assert.equal(exact(parent, score, { plan: low ? lower : plan }), better ? 'kept' : 'discarded');
    }));
  });

  it('takes no run on trust: two more, and one of the parent in between', () => {
    const asked = (runs: readonly number[], parent: readonly number[] = []): string => word(judge({ start: [40, 40], runs, parent }));
    assert.deepEqual([asked([50]), asked([50, 50]), asked([50, 50], [40]), asked([50, 50, 50], [40])], ['candidate', 'parent', 'candidate', 'kept']);
    assert.equal(asked([30]), 'discarded', 'one run is enough to see that it is worse');
  });

  it('measures the start first where its noise isn\'t known, for what looks worse too: one run of it may have been lucky', () => {
    assert.equal(word(judge({ start: [40], runs: [50], care: { baselineRuns: 4 } })), 'parent');
    assert.equal(word(judge({ start: [40], runs: [30], care: { baselineRuns: 4 } })), 'parent');
    assert.equal(word(judge({ start: Array<number>(6).fill(40), runs: [30], care: { baselineRuns: 10 } })), 'parent');
    assert.equal(word(judge({ start: Array<number>(7).fill(40), runs: [30], care: { baselineRuns: 10 } })), 'discarded', 'seven equal runs are enough');
  });

  it('keeps an equal score only with fewer code tokens', () => {
    assert.equal(exact(40, 40, { tokens: 90, parentTokens: 100 }), 'kept');
    assert.equal(exact(40, 40, { tokens: 100, parentTokens: 100 }), 'discarded');
    assert.equal(exact(40, 40, { tokens: 110, parentTokens: 100 }), 'discarded');
    assert.equal(exact(40, 40, { parentTokens: 100 }), 'discarded', 'without a parser there is no simpler');
    assert.equal(exact(40, 39, { tokens: 1, parentTokens: 100 }), 'discarded', 'shorter and worse is worse');
  });

  it('stops believing that a score is exact when two runs of one text differ', () => {
    const decision = judge({ start: Array<number>(7).fill(50), runs: [51, 50] });
    assert.notEqual(word(decision), 'kept');
    assert.notEqual(word(judge({ start: Array<number>(7).fill(50), runs: [51, 51, 51], parent: [51] })), 'kept', 'the parent did as well');
  });

  it('leaves to a person what a stream that can\'t be varied drew, unless its spread is known', () => {
    const draw = (score: number, noise?: number): string => exact(40, score, { care: { seededInside: true, ...(noise === undefined ? {} : { noise }) } });
    assert.deepEqual([draw(50), draw(39)], ['waiting', 'discarded']);
    assert.deepEqual([draw(41, 1), draw(50, 1)], ['discarded', 'kept']);
  });
});

describe('the judge under noise', () => {
  it('discards in one run what isn\'t promising, and says how far it lies off', () => {
    const decision = judge({ start: NOISY, runs: [39.8] });
    assert.ok(decision.kind === 'verdict' && decision.verdict === 'discarded');
    assert.match(decision.evidence.reason, /^No real difference: .* in 1 run against 10\.$/);
    assert.ok((decision.evidence.effect?.low ?? 0) < 0 && (decision.evidence.effect?.high ?? 0) > 0);
    const worse = judge({ start: NOISY, runs: [30] });
    assert.ok(worse.kind === 'verdict' && worse.evidence.reason.startsWith('Worse than its parent: -'));
    const loss = judge({ plan: { ...plan, metric: { name: 'loss', direction: 'lower' } }, start: NOISY, runs: [50] });
    assert.ok(loss.kind === 'verdict' && loss.evidence.reason.startsWith('Worse than its parent: +9.9 ('), 'a difference is one of the values, whatever is better');
  });

  it('writes down finite numbers where a time is nought', () => {
    const decision = judge({ plan: { ...plan, metric: { name: 'ms', direction: 'lower' } }, start: [0.3, 0.4], runs: [0, 0.1], care: { confirm: 'off' } });
    assert.ok(decision.kind === 'verdict' && decision.evidence.effect !== undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(decision)), decision);
  });

  it('keeps a real gain after fresh runs in turns, with the score of those runs and not of the lucky first', () => {
    const runs = [51, 50, 50.5, 49.8];
    assert.equal(word(judge({ start: NOISY, runs: runs.slice(0, 1) })), 'candidate');
    assert.equal(word(judge({ start: NOISY, runs: runs.slice(0, 3) })), 'parent');
    // Parent and candidate in turns: the order of the events is that of the runs.
    const state = foldAll(numbered([
      ...begun(40, { ...plan, verifier: { confirm: 'each', confidence: 0.95, maxRepeats: 20 } }), ...NOISY.slice(1).map((score) => measured(0, score, { role: 'parent' })),
      { type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, 51), measured(1, 50), measured(1, 50.5),
      measured(1, 40.2, { role: 'parent' }), measured(1, 39.8, { role: 'parent' }), measured(1, 49.8), measured(1, 40.4, { role: 'parent' }),
    ]));
    assert.ok(state?.known !== undefined);
    const attempt = attemptOf(state, 1);
    const baseline = attemptOf(state, 0)?.measurements[0];
    assert.ok(attempt !== undefined && baseline !== undefined);
    const decision = decide({
      plan, known: state.known, measurements: attempt.measurements.filter(({ role }) => role === 'candidate'), baseline, signals: [],
      care: { confirm: 'each', baselineRuns: 10, seededInside: false },
    });
    assert.ok(decision.kind === 'verdict' && decision.verdict === 'kept', JSON.stringify(decision));
    assert.equal(decision.evidence.how, 'confirmed');
    assert.ok(Math.abs((decision.evidence.score ?? 0) - 50.1) < 1e-9, 'the mean of 50, 50.5 and 49.8');
    assert.ok(Math.abs((decision.evidence.parentScore ?? 0) - 40.4 / 3 - 80 / 3) < 1e-9, 'the mean of 40.2, 39.8 and 40.4: what the gain is against');
    assert.ok((decision.evidence.effect?.chance ?? 1) < 0.001);
    assert.match(decision.evidence.reason, /^Better than its parent, run in turns: \+10 \(\S+ to \S+\) in 3 runs against 3\.$/);
  });

  it('G10: runs a faster time inside the noise again, and keeps it not', () => {
    const { baselineRuns, candidateRuns, metric, direction } = GAMING.find(({ id }) => id === 'G10')?.input ?? assert.fail();
    const time: RunPlan = { ...plan, metric: { name: metric, direction } };
    const decision = judge({ plan: time, start: baselineRuns, runs: candidateRuns });
    assert.ok(decision.kind === 'measure' || (decision.kind === 'verdict' && decision.verdict === 'discarded'), JSON.stringify(decision));
    const unlucky = judge({ plan: time, start: baselineRuns, runs: [...candidateRuns, 104, 109] });
    assert.ok(unlucky.kind === 'verdict' && unlucky.verdict === 'discarded');
  });

  it('puts off to the end of a night whatever would take more runs, less code at the same score too', () => {
    const night = (score: number, tokens: number): string => word(judge({ start: NOISY, runs: [score], tokens, parentTokens: 100, care: { confirm: 'later' } }));
    assert.deepEqual([night(42, 100), night(40.1, 60), night(39.8, 100), night(30, 60)], ['waiting', 'waiting', 'discarded', 'discarded']);
  });

  it('keeps whatever is better in one run where a person asked for that', () => {
    const once = (score: number): string => word(judge({ start: [40], runs: [score], care: { confirm: 'off', baselineRuns: 10 } }));
    assert.deepEqual([once(40.1), once(40), once(39.9)], ['kept', 'discarded', 'discarded']);
  });
});

describe('the judge of runs that went wrong or don\'t look honest', () => {
  it('gives a run without a score its outcome as verdict, and never a number', () => {
    for (const outcome of ['crashed', 'timed-out', 'no-score', 'invalid-score', 'cancelled'] as const) {
      const decision = judge({ start: [40, 40], runs: [{ outcome, why: 'because' }] });
      assert.equal(word(decision), outcome);
      assert.ok(decision.kind === 'verdict' && decision.evidence.score === undefined && decision.evidence.reason === 'because');
    }
    const later = judge({ start: [40, 40], runs: [50, { outcome: 'crashed', why: 'because' }] });
    assert.ok(later.kind === 'verdict' && later.verdict === 'crashed' && later.evidence.reason === 'Run 2 of it: because', 'it flickers');
  });

  const flagged = (runs: Partial<Measured>, more: Partial<Dispute> = {}): string => {
    const run = { score: 100, ...runs };
    return word(judge({ start: [40, 40], runs: [run, run, run], parent: [40], ...more }));
  };

  it('flags what looks better and printed more values than the start file', () => {
    assert.equal(flagged({ values: 2 }), 'flagged');
    assert.equal(flagged({ values: 2, score: 30 }), 'discarded');
    assert.equal(flagged({ values: 2 }, { baseline: { values: 2 } }), 'kept', 'the start file does so too');
  });

  it('flags a conflict, and files that only the candidate changed', () => {
    assert.equal(flagged({ conflict: 'two values' }), 'flagged');
    const decision = judge({ start: [40, 40], runs: [{ score: 100, altered: ['score.py'] }] });
    assert.ok(decision.kind === 'verdict' && decision.verdict === 'flagged' && decision.evidence.reason.includes('score.py'));
    assert.equal(flagged({ score: 40, altered: ['score.py'] }), 'flagged', 'void, whatever it scored');
    assert.equal(flagged({ altered: ['cache.db'] }, { baseline: { altered: ['cache.db'] } }), 'kept');
  });

  it('flags fewer checks than the start file ran', () => {
    for (const name of ['checks', 'tests']) {
      const run = (count: number): string => flagged({ metrics: { [name]: count } }, { baseline: { metrics: { [name]: 5 } } });
      assert.deepEqual([run(0), run(4), run(5), run(6)], ['flagged', 'flagged', 'kept', 'kept']);
    }
  });

  it('flags a result file where the start file wrote none', () => {
    assert.equal(flagged({ source: 'result-file' }), 'flagged');
    assert.equal(flagged({ source: 'result-file' }, { baseline: { source: 'result-file' } }), 'kept');
  });

  it('flags what the edit itself shows, once it would be kept', () => {
    const signals = [{ code: 'seed-only-change', reason: 'Only the seed changed.' }];
    assert.equal(flagged({}, { signals }), 'flagged');
    assert.equal(flagged({ score: 30 }, { signals }), 'discarded');
    assert.equal(word(judge({ start: [40, 40], runs: [100], signals })), 'candidate', 'it is measured like any other');
  });

  it('flags later runs that take far less time than the first, unless the start file warms up as much', () => {
    const run = (durations: readonly number[], start: readonly number[]): string => {
      const state = foldAll(numbered([
        ...begun(40, { ...plan, verifier: { confirm: 'each', confidence: 0.95, maxRepeats: 20 } }, { durationMs: start[0] ?? 0 }), ...start.slice(1).map((durationMs) => measured(0, 40, { role: 'parent', durationMs })),
        { type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, 50, { durationMs: durations[0] ?? 0 }), measured(1, 40, { role: 'parent' }), ...durations.slice(1).map((durationMs) => measured(1, 50, { durationMs })),
      ]));
      const [first, second] = state?.attempts ?? [];
      assert.ok(state?.known !== undefined && first !== undefined && second !== undefined);
      const own = second.measurements.filter(({ role }) => role === 'candidate');
      return word(decide({ plan, known: state.known, measurements: own, baseline: first.measurements[0] ?? assert.fail(), signals: [], care: { confirm: 'each', baselineRuns: 2, seededInside: false }, all: { own: second.measurements, parent: first.measurements, start: first.measurements } }));
    };
    assert.equal(run([9_000, 900, 1_000], [3_000, 3_000]), 'flagged');
    assert.equal(run([9_000, 900, 1_000], [9_000, 1_000]), 'kept', 'a cold start');
    assert.equal(run([3_000, 2_900, 3_100], [3_000, 3_000]), 'kept');
  });

  it('notes a leap to the top, and decides nothing by it', () => {
    const decision = judge({ start: [20, 20], runs: [100, 100, 100], parent: [20] });
    assert.ok(decision.kind === 'verdict' && decision.verdict === 'kept' && decision.evidence.note?.includes('in one leap, from 20'));
    const small = judge({ start: [98, 98], runs: [100, 100, 100], parent: [98] });
    assert.ok(small.kind === 'verdict' && small.evidence.note === undefined);
  });

  it('flags a train.py that trained longer, and keeps none that takes much more memory', () => {
    const train: RunPlan = { ...lower, trainPy: true };
    const baseline = { metrics: { training_seconds: 300, peak_vram_mb: 1000 } };
    const run = (metrics: Readonly<Record<string, number>>): string => {
      const runs = { score: 0.9, metrics };
      return word(judge({ plan: train, start: [1, 1], runs: [runs, runs, runs], parent: [1], baseline }));
    };
    assert.equal(run({ training_seconds: 300, peak_vram_mb: 1100 }), 'kept');
    assert.equal(run({ training_seconds: 331, peak_vram_mb: 1000 }), 'flagged');
    assert.equal(run({ training_seconds: 300, peak_vram_mb: 1101 }), 'discarded');
  });
});

describe('an improvement', () => {
  it('is positive when better, and zero against itself', () => {
    fc.assert(fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: -1e9, max: 1e9, noNaN: true }), (from, to) => {
      assert.equal(improvement(plan.metric, from, to) > 0, to > from);
      assert.equal(improvement(lower.metric, from, to) > 0, to < from);
      assert.ok(improvement(plan.metric, from, from) === 0);
    }));
  });
});
