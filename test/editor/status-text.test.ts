import assert from 'node:assert/strict';
import type { RunView } from '../../src/editor/run-source.ts';
import { statusText } from '../../src/editor/status-text.ts';
import { foldAll } from '../../src/loop/ledger.ts';
import type { RunActivity } from '../../src/protocol.ts';
import type { NewEvent } from '../../src/records.ts';
import { begun, measured, numbered, plan } from '../loop/events.ts';
import { english } from './l10n.ts';

const MS = { ...plan, metric: { name: 'ms', direction: 'lower', unit: 'ms' } } as const;
const BETTER: readonly NewEvent[] = [
  ...begun(18.2, MS), { type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, 6.1),
  { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'faster', score: 6.1, parentScore: 18.2 } },
];

function view(events: readonly NewEvent[], activity: Omit<RunActivity, 'run'>): RunView {
  const state = foldAll(numbered(events));
  return { run: 'run-1', root: '/w', activity: { run: 'run-1', ...activity }, ...(state === undefined ? {} : { state }) };
}

describe('the status bar item', () => {
  it('says the attempt and the best score while a run goes on', () => {
    const got = statusText(view(BETTER, { doing: 'running', attempt: 12, note: 'step 3' }), english);
    assert.equal(got.text, '$(sync~spin) #12 · best 6.1 ms');
    assert.equal(got.tooltip, 'Ratchet: src/f.py\nAttempt 12: running the command.\nBest so far: attempt 1, 18.2 → 6.1 ms, 3.0×\nstep 3');
    assert.equal(got.spoken, 'Ratchet: #12 · best 6.1 ms');
  });

  it('says what happens before the first attempt', () => {
    assert.equal(statusText(view([], { doing: 'queued' }), english).text, '$(clock) queued');
    assert.equal(statusText(view(begun(3).slice(0, 1), { doing: 'baseline' }), english).text, '$(sync~spin) start file');
    assert.equal(statusText(view(begun(3), { doing: 'canary' }), english).text, '$(sync~spin) check · best 3');
  });

  it('says that a model is waited for, and that a pause is asked for', () => {
    const waits = statusText(view(BETTER, { doing: 'retrying', attempt: 2, note: 'The server is overloaded.' }), english);
    assert.match(waits.text, /^\$\(clock\) waits for the model/);
    assert.match(waits.tooltip, /no proposal came.*\n[^]*The server is overloaded\.$/);
    assert.match(statusText(view(BETTER, { doing: 'running', attempt: 2, pausing: true }), english).tooltip, /Pauses after this attempt/);
  });

  it('tells paused and ended by icon and word, and an end by its sentence', () => {
    assert.equal(statusText(view(BETTER, { doing: 'paused' }), english).text, '$(debug-pause) paused · best 6.1 ms');
    const end: NewEvent = { type: 'run-ended', reason: 'attempts', sentence: 'Ended: all 5 attempts are done.' };
    const improved = statusText(view([...BETTER, end], { doing: 'ended' }), english);
    assert.equal(improved.text, '$(check) best 6.1 ms');
    assert.match(improved.tooltip, /all 5 attempts are done/);
    assert.equal(statusText(view([...begun(3), end], { doing: 'ended' }), english).text, '$(circle-slash) no improvement');
    const waiting: NewEvent = { type: 'waiting', attempt: 1, evidence: { reason: 'one draw', score: 6.1 } };
    const open = statusText(view([...BETTER.slice(0, -1), waiting, end], { doing: 'ended' }), english);
    assert.equal(open.text, '$(bell-dot) 1 waits for your word');
    assert.match(open.tooltip, /\n1 waits for your word$/);
  });
});
