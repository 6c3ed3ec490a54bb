import * as fc from 'fast-check';
import { LEDGER_VERSION, OUTCOMES, VERDICTS, type LedgerEvent, type Measured, type NewEvent, type RunPlan } from '../../src/records.ts';

/** Makers of ledger events for tests of pure rules. */

export const BLOB = 'a'.repeat(64);

export const plan: RunPlan = {
  target: 'src/f.py',
  scorer: { kind: 'shell', command: 'python3 score.py' },
  cwd: '',
  metric: { name: 'score', direction: 'higher' },
  stop: { attempts: 5 },
  morningMs: Date.parse('2026-12-01T08:00:00Z'),
  proposer: { kind: 'literals' },
  seed: 1,
  context: [],
  protect: [],
  trainPy: false,
};

export const lower: RunPlan = { ...plan, metric: { name: 'val_bpb', direction: 'lower' } };

/** Numbers events from 0, one second apart. */
export function numbered(events: readonly NewEvent[]): LedgerEvent[] {
  return events.map((event, seq) => ({ v: LEDGER_VERSION, run: 'run-1', seq, at: new Date(Date.UTC(2026, 10, 30, 12, 0, seq)).toISOString(), ...event }));
}

export const started = (given: RunPlan = plan): NewEvent => ({ type: 'run-started', plan: given, baseline: BLOB, build: 'test' });

/** One measurement of a candidate. */
export function measured(attempt: number, score: number | undefined, more: Partial<Measured> = {}): Extract<NewEvent, { type: 'measured' }> {
  return {
    type: 'measured', attempt, role: 'candidate', seed: 1, outcome: score === undefined ? 'crashed' : 'scored', why: 'test', values: score === undefined ? 0 : 1, source: 'named-line',
    durationMs: 100, output: BLOB, ...(score === undefined ? {} : { score }), ...more,
  };
}

/** A run's first events, up to a kept baseline of this score. */
export function begun(score: number, given: RunPlan = plan, more: Partial<Measured> = {}): NewEvent[] {
  return [
    started(given), { type: 'attempt-started', attempt: 0 }, measured(0, score, more),
    { type: 'judged', attempt: 0, verdict: 'kept', evidence: { reason: 'start', score } },
  ];
}

/** Any event, sensible or not, of the run `run-1` or another. */
export const anyEvent: fc.Arbitrary<LedgerEvent> = fc
  .record({ run: fc.constantFrom('run-1', 'run-1', 'run-1', 'run-2'), seq: fc.nat(60), attempt: fc.nat(6), pick: fc.nat(11), verdict: fc.constantFrom(...VERDICTS), outcome: fc.constantFrom(...OUTCOMES), score: fc.double({ noNaN: true, noDefaultInfinity: true }), text: fc.string() })
  .map(({ run, seq, attempt, pick, verdict, outcome, score, text }) => {
    const events: NewEvent[] = [
      started(), { type: 'attempt-started', attempt, parent: 0 },
      { type: 'proposed', attempt, request: BLOB, reply: BLOB, durationMs: 1, usage: { totalTokens: 10 } },
      { type: 'proposal-failed', attempt, why: text, usage: { promptTokens: 3 } },
      { type: 'edited', attempt, candidate: BLOB, hypothesis: text, addedLines: 1, removedLines: 1 },
      measured(attempt, outcome === 'scored' ? score : undefined, { outcome }),
      { type: 'judged', attempt, verdict, evidence: { reason: text } },
      { type: 'steered', what: 'program', program: BLOB }, { type: 'reviewed', attempt, action: 'accepted', text: BLOB },
      { type: 'run-ended', reason: 'stopped', sentence: text }, { type: 'run-resumed', build: 'test' },
      { type: 'epoch-started', epoch: 1, why: text, changed: [], inventory: BLOB },
    ];
    return { v: LEDGER_VERSION, run, seq, at: '2026-11-30T12:00:00.000Z', ...(events[pick] ?? started()) };
  });
