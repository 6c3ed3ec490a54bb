import assert from 'node:assert/strict';
import type { RunView } from '../../../src/editor/run-source.ts';
import { listed } from '../../../src/editor/tree/order.ts';
import { attemptRow, hunkRow, runRow, type Row, type Speech } from '../../../src/editor/tree/rows.ts';
import { compose, hunksOf } from '../../../src/editor/diff/inline.ts';
import { attemptOf, foldAll, type RunState } from '../../../src/loop/ledger.ts';
import type { RunActivity } from '../../../src/protocol.ts';
import { VERDICTS, type NewEvent, type RunPlan, type Verdict } from '../../../src/records.ts';
import { begun, BLOB, measured, numbered, plan } from '../../loop/events.ts';
import { english } from '../l10n.ts';

const speech: Speech = { ...english, clock: (iso) => iso.slice(11, 16) };
const ms: RunPlan = { ...plan, metric: { name: 'time', direction: 'lower', unit: 'ms' } };

const edited = (attempt: number, hypothesis: string): NewEvent => ({ type: 'edited', attempt, candidate: BLOB, hypothesis, addedLines: 3, removedLines: 2 });
const began = (attempt: number, parent = 0): NewEvent => ({ type: 'attempt-started', attempt, parent });
const proposed = (attempt: number): NewEvent => ({ type: 'proposed', attempt, request: BLOB, reply: BLOB, durationMs: 1 });
const judged = (attempt: number, verdict: Verdict, score?: number, parentScore?: number, reason = 'because'): NewEvent =>
  ({ type: 'judged', attempt, verdict, evidence: { reason, ...(score === undefined ? {} : { score }), ...(parentScore === undefined ? {} : { parentScore }) } });
const scored = (attempt: number, verdict: Verdict, score: number, parentScore: number, parent = 0): NewEvent[] =>
  [began(attempt, parent), proposed(attempt), edited(attempt, `idea ${attempt}`), measured(attempt, score), judged(attempt, verdict, score, parentScore)];

function viewOf(events: readonly NewEvent[], activity: Omit<RunActivity, 'run'> = { doing: 'running' }): RunView & { readonly state: RunState } {
  const state = foldAll(numbered(events));
  assert.ok(state);
  return { run: 'run-1', root: '/w', state, activity: { run: 'run-1', ...activity } };
}

function row(view: RunView & { readonly state: RunState }, attempt: number): Row {
  const found = attemptOf(view.state, attempt);
  assert.ok(found);
  return attemptRow(view, found, speech);
}

describe("an attempt's row", () => {
  const view = viewOf([...begun(18.2, ms), ...scored(1, 'kept', 6.1, 18.2), ...scored(2, 'discarded', 7, 6.1, 1)]);

  it('says verdict, number, change in the unit and as a factor, and the hypothesis; the best so far has a star', () => {
    assert.deepEqual(row(view, 1), {
      label: '#1 kept',
      description: '18.2 → 6.1 ms, 3.0× · ★ best so far · idea 1',
      icon: { id: 'star-full', color: 'charts.yellow' },
      tooltip: '#1 kept · ★ best so far\n18.2 → 6.1 ms, 3.0×, against start file\nbecause\nidea 1\n+3 −2 lines\nstarted 12:00 · took 4 s',
      contextValue: 'attempt;kept;best;hasDiff;hasOutput;hasReply',
      spoken: 'Attempt 1, kept, best so far, 18.2 to 6.1 ms, 3.0 times, idea 1',
    });
    assert.deepEqual([row(view, 2).label, row(view, 2).description, row(view, 2).icon.id], ['#2 not kept', '6.1 → 7 ms, 0.9× · idea 2', 'circle-slash']);
    assert.match(row(view, 2).tooltip, /against #1/);
  });

  it('tells those who ask which cases changed, and what the holdout says', () => {
    const cases = (first: number): readonly { readonly name: string; readonly score: number }[] => [{ name: 'first', score: first }, { name: 'second', score: 10 - first }];
    const held = { ...ms, holdout: { name: 'held', spec: ms.scorer, cwd: '', metric: ms.metric, files: [] } };
    const given = viewOf([...begun(18.2, held, { cases: cases(5) }), began(1), edited(1, 'idea'), measured(1, 6.1, { cases: cases(4) }), { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'because', score: 6.1, parentScore: 18.2, holdout: { score: 19, parentScore: 20 } } }]);
    assert.match(row(given, 1).tooltip, /^because\nCases that got better \(1\): first \(5 → 4\)\nCases that got worse \(1\): second \(5 → 6\)\nHoldout: 20 → 19 ms, 1\.05×\nidea$/m);
    const run = runRow(viewOf([...begun(18.2, held), ...scored(1, 'discarded', 20, 18.2), { type: 'noted', sentence: 'The gate a flickers.' }]), speech);
    assert.match(run.tooltip, /The gate a flickers\.$/);
    assert.match(runRow(given, speech).description, /may be fitting the scorer/);
  });

  it('names the start file, which has no diff', () => {
    const { label, description, icon, contextValue } = row(view, 0);
    assert.deepEqual([label, description, icon.id, contextValue], ['#0 start file', '18.2 ms · 5 attempts in about 600 ms · the file as it was when the run began', 'file', 'attempt;kept;baseline;hasOutput']);
  });

  it('has a word and a shape of its own for each verdict', () => {
    const rows = VERDICTS.map((verdict) => row(viewOf([...begun(1), began(1), judged(1, verdict)].concat(verdict === 'kept' ? scored(2, 'kept', 3, 1) : [])), 1));
    assert.equal(new Set(rows.map(({ label }) => label)).size, VERDICTS.length);
    assert.equal(new Set(rows.map(({ icon }) => icon.id)).size, VERDICTS.length);
  });

  it('says why where there is no score, and where something is suspicious', () => {
    const refused = row(viewOf([...begun(1), began(1), proposed(1), { ...judged(1, 'refused', undefined, undefined, 'The text to replace stands nowhere.'), hypothesis: 'try x' } as NewEvent]), 1);
    assert.equal(refused.description, 'The text to replace stands nowhere. · try x');
    assert.equal(refused.contextValue, 'attempt;refused;hasReply');
    const equal = row(viewOf([...begun(1), began(1), edited(1, 'x'), measured(1, 1), judged(1, 'discarded', 1, 1, 'The same score: no real difference.')]), 1);
    assert.equal(equal.description, '1 → 1 · The same score: no real difference. · x');
    const flagged = row(viewOf([...begun(1), began(1), edited(1, 'x'), measured(1, 9), judged(1, 'flagged', 9, 1, 'It printed 2 values.')]), 1);
    assert.equal(flagged.description, '1 → 9, 9.0× · It printed 2 values. · x');
  });

  it('says what an attempt in flight is doing, with the last line of the scorer', () => {
    const events = [...begun(1), began(1), proposed(1), edited(1, 'wider')];
    const running = row(viewOf(events, { doing: 'running', attempt: 1, note: 'epoch 3\u001b[2K' }), 1);
    assert.deepEqual([running.label, running.description, running.icon.id, running.contextValue], ['#1 running', 'epoch 3 [2K · wider', 'loading~spin', 'attempt;inFlight;hasDiff;hasReply']);
    assert.equal(row(viewOf(events, { doing: 'thinking', attempt: 1 }), 1).label, '#1 thinking');
    assert.equal(row(viewOf(events, { doing: 'running', attempt: 2 }), 1).label, '#1 in progress');
    assert.equal(row(viewOf(events, { doing: 'ended' }), 1).label, '#1 not finished');
  });
});

describe("a run's row", () => {
  const events = [...begun(18.2, ms), ...scored(1, 'kept', 6.1, 18.2), ...scored(2, 'discarded', 7, 6.1, 1), ...scored(3, 'crashed', 7, 6.1, 1)];
  const said = (more: readonly NewEvent[], activity: Omit<RunActivity, 'run'>): string[] => {
    const { label, description, contextValue, icon } = runRow(viewOf([...events, ...more], activity), speech);
    return [label, description, contextValue, icon.id];
  };

  it('says target, best so far, how many were kept, and its state', () => {
    assert.deepEqual(said([], { doing: 'thinking', attempt: 4 }), ['src/f.py', '★ #1 18.2 → 6.1 ms, 3.0× · 1 of 3 kept · running', 'run;active;hasBest', 'sync~spin']);
    assert.deepEqual(said([], { doing: 'running', attempt: 4, pausing: true }), ['src/f.py', '★ #1 18.2 → 6.1 ms, 3.0× · 1 of 3 kept · pauses after this attempt', 'run;active;paused;hasBest', 'debug-pause']);
    assert.deepEqual(said([{ type: 'steered', what: 'paused' }], { doing: 'paused' }), ['src/f.py', '★ #1 18.2 → 6.1 ms, 3.0× · 1 of 3 kept · paused', 'run;active;paused;hasBest', 'debug-pause']);
  });

  it('says why it ended', () => {
    const end: NewEvent = { type: 'run-ended', reason: 'attempts', sentence: 'Ended: all 3 attempts are done.' };
    assert.deepEqual(said([end], { doing: 'ended' }), ['src/f.py', '★ #1 18.2 → 6.1 ms, 3.0× · 1 of 3 kept · Ended: all 3 attempts are done.', 'run;ended;hasBest', 'pass-filled']);
    assert.equal(said([{ type: 'run-ended', reason: 'engine-died', sentence: 'Ended: the engine was killed.' }], { doing: 'ended' })[2], 'run;ended;hasBest;resumable', 'it was broken off, and can go on');
    assert.match(said([], { doing: 'ended' })[1] ?? '', /stopped without an end/);
  });

  it('counts what waits for a word among the attempts, and what a person kept among the kept', () => {
    const waiting = (attempt: number, how: 'one-draw' | 'night'): NewEvent[] => [began(attempt), edited(attempt, 'x'), measured(attempt, 6), { type: 'waiting', attempt, evidence: { reason: 'It looks better.', how, score: 6, parentScore: 18.2 } }];
    const end: NewEvent = { type: 'run-ended', reason: 'attempts', sentence: 'Ended.' };
    const open = [...begun(18.2, ms), ...waiting(1, 'one-draw'), ...waiting(2, 'night')];
    assert.equal(runRow(viewOf(open), speech).description, '18.2 ms · 0 of 2 kept · 1 to be settled · 1 waits for your word · running');
    const ended = viewOf([...open, end], { doing: 'ended' });
    assert.deepEqual([runRow(ended, speech).description, runRow(ended, speech).icon.id], ['18.2 ms · 0 of 2 kept · 1 waits for your word · 1 not settled · Ended.', 'bell-dot']);
    assert.deepEqual([row(ended, 1).label, row(ended, 2).label], ['#1 waits for you', '#2 looked better: not settled']);
    assert.match(row(ended, 2).tooltip, /the night ended before it was settled/);
    assert.doesNotMatch(row(ended, 2).tooltip, /Only you can decide/);
    const kept = viewOf([...begun(18.2, ms), ...scored(1, 'flagged', 6, 18.2), ...scored(2, 'flagged', 5, 18.2), end, ...[1, 2].map((attempt): NewEvent => ({ type: 'reviewed', attempt, action: 'kept', text: BLOB }))], { doing: 'ended' });
    assert.equal(runRow(kept, speech).description, '★ #2 18.2 → 5 ms, 3.6× · 2 of 2 kept · Ended.');
    assert.deepEqual([row(kept, 1).label, row(kept, 1).icon.id], ['#1 kept by you', 'pass']);
    assert.match(row(kept, 1).contextValue, /^attempt;kept;hasDiff/);
  });

  it('speaks in words', () => {
    assert.equal(runRow(viewOf(events), speech).spoken, 'Run on src/f.py, Best so far is attempt 1, 18.2 to 6.1 ms, 3.0 times, 1 of 3 kept, running');
  });

  it('stands in for a run that is not read yet, or cannot be', () => {
    const unread: RunView = { run: 'run-9', root: '/w', activity: { run: 'run-9', doing: 'ended' } };
    assert.equal(runRow(unread, speech).description, 'being read');
    const { description, contextValue } = runRow({ ...unread, problem: 'It was written by a newer Ratchet.' }, speech);
    assert.deepEqual([description, contextValue], ['It was written by a newer Ratchet.', 'run;ended;problem']);
  });
});

describe('the order of attempts', () => {
  it('is the best so far, then the newest first, and the start file last', () => {
    const numbers = (events: readonly NewEvent[]): number[] => listed(viewOf(events).state).map(({ number }) => number);
    const more = [...scored(2, 'discarded', 7, 6.1, 1), ...scored(3, 'discarded', 7, 6.1, 1)];
    assert.deepEqual(numbers([...begun(18.2, ms), ...scored(1, 'kept', 6.1, 18.2), ...more]), [1, 3, 2, 0]);
    assert.deepEqual(numbers([...begun(18.2, ms), ...scored(1, 'discarded', 20, 18.2), ...more]), [3, 2, 1, 0]);
  });
});

describe('a hunk', () => {
  const hunkOf = (before: string, after: string): Row => {
    const [hunk] = hunksOf(compose(before, after));
    assert.ok(hunk);
    return hunkRow(hunk, speech);
  };

  it('says where and how much', () => {
    assert.equal(hunkOf('a\nb\nc\n', 'a\nx\ny\nc\n').label, '@@ lines 2–3: +2 −1');
    assert.equal(hunkOf('a\nb\nc\n', 'a\nc\n').label, '@@ line 2: −1');
    assert.equal(hunkOf('a\nb\nc\n', 'a\nx\ny\nc\n').spoken, 'lines 2–3, 2 lines added, 1 lines removed');
  });
});

describe("a model's text in a row", () => {
  it('reaches no row uncleaned', () => {
    const nasty = 'a\nb\u202e\u0007[click](command:evil)';
    const view = viewOf([...begun(1), began(1), edited(1, nasty), judged(1, 'crashed', undefined, undefined, nasty)]);
    const { label, description, spoken, tooltip } = row(view, 1);
    for (const text of [label, description, spoken]) assert.ok(!/[\n\u202e\u0007]/.test(text), text);
    assert.ok(!/[\u202e\u0007]/.test(tooltip));
    assert.equal(tooltip.split('\n').filter((line) => line.startsWith('b')).length, 0);
  });
});
