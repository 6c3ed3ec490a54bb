import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { attemptOf, fold, foldAll, ownRuns, scoreOf, standingScores, textOf } from '../../src/loop/ledger.ts';
import { ledgerLine, parseLedger } from '../../src/loop/ledger-text.ts';
import type { Metric, NewEvent } from '../../src/records.ts';
import { anyEvent, begun, BLOB, measured, numbered, plan, started } from './events.ts';

const other = 'b'.repeat(64);

describe('the fold of a ledger', () => {
  it('tells a run from its events', () => {
    const state = foldAll(numbered([
      ...begun(40),
      { type: 'attempt-started', attempt: 1, parent: 0 },
      { type: 'proposed', attempt: 1, request: BLOB, reply: BLOB, durationMs: 5, usage: { promptTokens: 10, completionTokens: 4 } },
      { type: 'proposal-failed', attempt: 1, why: 'cut off', usage: { totalTokens: 6 } },
      { type: 'edited', attempt: 1, candidate: other, hypothesis: 'wider', addedLines: 2, removedLines: 1, tokens: 9 },
      measured(1, 55),
      { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'better', score: 55, parentScore: 40 } },
      { type: 'attempt-started', attempt: 2, parent: 1 },
      { type: 'judged', attempt: 2, verdict: 'refused', evidence: { reason: 'not found' }, hypothesis: 'try b' },
      { type: 'run-ended', reason: 'attempts', sentence: 'Ended.' },
    ]));
    assert.ok(state);
    assert.equal(state.champion, 1);
    assert.equal(state.sinceKeep, 1);
    assert.equal(state.tokensUsed, 20, 'those of a request without a usable reply too');
    assert.equal(scoreOf(attemptOf(state, 1)), 55);
    assert.equal(textOf(state, 1), other);
    assert.equal(textOf(state, 2), BLOB, 'an attempt without an edit has the start file\'s text');
    assert.equal(attemptOf(state, 2)?.hypothesis, 'try b');
    assert.equal(state.end?.reason, 'attempts');
  });

  it('goes on where a run was resumed, and counts the time in which nothing ran like a pause', () => {
    const at = (minute: number): string => new Date(Date.UTC(2026, 10, 30, 12, minute)).toISOString();
    const told = (aliveAt: { readonly aliveAt?: string }, paused: boolean): readonly unknown[] => {
      const events: NewEvent[] = [...begun(40), ...(paused ? [{ type: 'steered' as const, what: 'paused' as const }] : []), { type: 'run-ended', reason: 'engine-died', sentence: 'Ended.', ...aliveAt }, { type: 'run-resumed', build: 'test' }];
      // The pause began 5 minutes after noon, the end is written 10 minutes later, and it goes on after 30.
      const state = foldAll(numbered(events).map((event) => (event.type === 'steered' ? { ...event, at: at(5) } : event.type === 'run-ended' ? { ...event, at: at(10) } : event.type === 'run-resumed' ? { ...event, at: at(30) } : event)));
      return [state?.end, state?.paused, state?.pausedAt, (state?.pausedMs ?? 0) / 60_000];
    };
    assert.deepEqual(told({}, false), [undefined, false, undefined, 20], 'from the end');
    assert.deepEqual(told({ aliveAt: at(2) }, false), [undefined, false, undefined, 28], 'from the last moment at which its engine is known to have lived');
    assert.deepEqual(told({ aliveAt: at(7) }, true), [undefined, false, undefined, 25], 'from the pause that it ended in');
  });

  it('keeps the scores of two epochs apart', () => {
    const kept = (attempt: number, parent: number, from: number, to: number): NewEvent[] => [
      { type: 'attempt-started', attempt, parent }, { type: 'edited', attempt, candidate: other, hypothesis: 'wider', addedLines: 1, removedLines: 1 }, measured(attempt, to),
      { type: 'judged', attempt, verdict: 'kept', evidence: { reason: 'better', score: to, parentScore: from } },
    ];
    const events: NewEvent[] = [...begun(40), ...kept(1, 0, 40, 55), ...kept(2, 1, 55, 60), { type: 'epoch-started', epoch: 1, why: 'x changed', changed: ['x'], inventory: BLOB }];
    const folded = (more: readonly NewEvent[]): NonNullable<ReturnType<typeof foldAll>> => foldAll(numbered([...events, ...more])) ?? assert.fail();
    const begins = folded([]);
    assert.equal(begins.known, undefined, 'nothing is known of the noise');
    assert.deepEqual([attemptOf(begins, 0)?.measurements, attemptOf(begins, 0)?.earlier?.length], [[], 1]);
    const start = folded([measured(0, 10)]);
    assert.deepEqual(standingScores(start), { from: 40, best: 60 }, 'both of the one before, while the best is not measured');
    assert.deepEqual([start.known?.judged, start.known?.keeps], [2, [0, 1]], 'what the run may err is used once');
    const both = folded([measured(0, 10), measured(2, 21, { role: 'parent' })]);
    assert.deepEqual(standingScores(both), { from: 10, best: 21 });
    assert.equal(both.known?.parent, 21);
    assert.equal(both.known.level.level, 21);
    const chosen = folded([measured(0, 10), measured(2, 21, { role: 'parent' }), { type: 'reviewed', attempt: 1, action: 'kept', text: other }]);
    assert.equal(chosen.champion, 1);
    assert.equal(chosen.known?.parent, undefined, 'a person can choose one of before: it is measured before it is compared');
    assert.deepEqual(standingScores(chosen), { from: 40, best: 55 }, 'both of the epoch that it is of');
    const again = folded([measured(0, 10), measured(2, 21, { role: 'parent' }), { type: 'reviewed', attempt: 1, action: 'kept', text: other }, measured(1, 19, { role: 'parent' })]);
    assert.deepEqual([standingScores(again), again.known?.parent], [{ from: 10, best: 19 }, 19]);
    const next = folded([measured(0, 10), measured(2, 21, { role: 'parent' }), ...kept(3, 2, 21, 30)]);
    assert.deepEqual([standingScores(next), attemptOf(next, 3)?.epoch], [{ from: 10, best: 30 }, 1]);
  });

  it('tells an attempt\'s own runs from those of its parent by their order, as a clock can be set back', () => {
    const events = numbered([...begun(40), { type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, 39, { role: 'parent' }), measured(1, 50), { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'better', score: 50 } }, measured(1, 51, { role: 'parent' })]);
    const setBack = events.map((event, index) => (index === events.length - 1 ? { ...event, at: new Date(0).toISOString() } : event));
    const attempt = attemptOf(foldAll(setBack) ?? assert.fail(), 1) ?? assert.fail();
    assert.deepEqual(ownRuns(attempt).map(({ score }) => score), [50, 51]);
  });

  it('leaves what doesn\'t count out of all that is judged by', () => {
    const counted = [...begun(40), { type: 'attempt-started', attempt: 1, parent: 0 } as const];
    const spoiled = (role: 'candidate' | 'parent'): NewEvent => measured(1, 99, { role, uncounted: 'While it ran, the machine slept.' });
    const { attempts, nextSeq, ...rest } = foldAll(numbered([...counted, spoiled('candidate'), spoiled('parent')])) ?? assert.fail();
    const { attempts: before, nextSeq: _, ...plain } = foldAll(numbered(counted)) ?? assert.fail();
    assert.deepEqual(rest, plain);
    assert.deepEqual([attempts[0], attempts[1]?.measurements, attempts[1]?.uncounted?.length, nextSeq], [before[0], [], 2, counted.length + 2]);
  });

  it('knows a program that is ignored until it is mended', () => {
    const broken: NewEvent = { type: 'steered', what: 'program-ignored', why: 'program.md:2: There is no option `x`.' };
    assert.equal(foldAll(numbered([...begun(40), broken]))?.programProblem, broken.why);
    const mended = foldAll(numbered([...begun(40), broken, { type: 'steered', what: 'program', program: other, live: { stop: { attempts: 9 }, context: [] } }]));
    assert.equal(mended?.programProblem, undefined);
    assert.equal(mended?.plan.stop.attempts, 9);
  });

  it('takes the first verdict of an attempt as final', () => {
    const state = foldAll(numbered([
      ...begun(40), { type: 'attempt-started', attempt: 1 },
      { type: 'judged', attempt: 1, verdict: 'discarded', evidence: { reason: 'worse' } },
      { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'forged' } },
    ]));
    assert.equal(state?.champion, 0);
    assert.equal(attemptOf(state, 1)?.verdict, 'discarded');
  });

  it('carries of the start file the mean of its runs, in whichever attempt they were made, on the scale on which they are compared', () => {
    const parentRun = (attempt: number, score: number): NewEvent => measured(attempt, score, { role: 'parent' });
    const edited = (attempt: number): NewEvent => ({ type: 'edited', attempt, candidate: other, hypothesis: '', addedLines: 1, removedLines: 0 });
    const kept = (attempt: number, parentScore: number): NewEvent => ({ type: 'judged', attempt, verdict: 'kept', evidence: { reason: '', score: 20, parentScore } });
    const levels = (metric: Metric, ...more: NewEvent[]): number | undefined =>
      scoreOf(attemptOf(foldAll(numbered([...begun(40, { ...plan, metric }), ...more])) ?? assert.fail(), 0));
    const ms = { name: 'ms', direction: 'lower' } as const;
    const loss = { name: 'loss', direction: 'lower' } as const;
    assert.equal(levels(ms), 40, 'one run is all there is');
    const first: NewEvent[] = [{ type: 'attempt-started', attempt: 1, parent: 0 }, edited(1), measured(1, 20), parentRun(1, 27), parentRun(1, 48), kept(1, 36)];
    assert.equal(levels(ms, ...first)?.toFixed(9), '36.000000000', 'the mean of the logarithms, without the cold first run');
    assert.equal(levels(loss, ...first), 37.5);
    const second: NewEvent[] = [parentRun(1, 5), { type: 'attempt-started', attempt: 2, parent: 1 }, edited(2), measured(2, 20), parentRun(2, 5)];
    assert.equal(levels(loss, ...first, ...second), 37.5, 'runs of another parent are not its own');
    assert.equal(levels(loss, parentRun(0, 0.1), parentRun(0, 0.1), parentRun(0, 0.1)), 0.1, 'what is the same each time stays so to the last digit');
  });

  it('passes over an event that was seen, and one of another run', () => {
    const events = numbered(begun(40));
    const twice = foldAll([...events, ...events]);
    assert.deepEqual(twice, foldAll(events));
    const foreign = { ...numbered([started()])[0], run: 'run-9', seq: 99, type: 'run-ended', reason: 'stopped', sentence: '' } as never;
    assert.deepEqual(fold(twice, foreign), twice);
  });

  it('does not change the state that it is given', () => {
    const events = numbered(begun(40));
    const before = foldAll(events);
    const copy = structuredClone(before);
    fold(before, { ...numbered([measured(0, 41)])[0], seq: 50 } as never);
    assert.deepEqual(before, copy);
  });

  it('folds any sequence of events', () => {
    fc.assert(fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const state = foldAll(events);
      assert.equal(state === undefined, !events.some((event) => event.type === 'run-started'));
      if (state !== undefined) assert.equal(new Set(state.attempts.map((attempt) => attempt.number)).size, state.attempts.length);
    }));
  });
});

describe('the text of a ledger', () => {
  it('reads back what was written', () => {
    fc.assert(fc.property(fc.array(anyEvent), (events) => {
      const read = parseLedger(events.map(ledgerLine).join(''));
      assert.deepEqual(read.events, JSON.parse(JSON.stringify(events)));
      assert.deepEqual([read.damagedLines, read.torn], [0, false]);
    }));
  });

  it('reads at any cut, and loses at most the line that was cut', () => {
    fc.assert(fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), fc.nat(), (events, at) => {
      const text = events.map(ledgerLine).join('');
      const cut = text.slice(0, at % (text.length + 1));
      const whole = cut.split('\n').length - 1;
      const read = parseLedger(cut);
      assert.ok(read.events.length >= whole && read.events.length <= whole + 1);
      assert.deepEqual(read.events.slice(0, whole), JSON.parse(JSON.stringify(events.slice(0, whole))));
      assert.equal(read.torn, cut !== '' && !cut.endsWith('\n'));
    }));
  });

  it('never throws, whatever stands there', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseLedger(text)));
    for (const line of ['null', '[]', '1', '{}', '{"v":1}', '{"v":1,"type":"measured","run":"r","seq":0,"at":"","attempt":-1}', '{"v":"1"}'])
      assert.deepEqual(parseLedger(`${line}\n`), { events: [], damagedLines: 1, torn: false });
  });

  it('stops at an event of a newer version, and keeps what came before', () => {
    const text = numbered(begun(40)).map(ledgerLine).join('') + '{"v":2,"type":"new-thing"}\n';
    const read = parseLedger(text);
    assert.equal(read.newerVersion, 2);
    assert.equal(read.events.length, 4);
  });
});
