import assert from 'node:assert/strict';
import { evidenceLines, reasonWords } from '../../src/loop/evidence-words.ts';
import { attemptOf, foldAll, type RunState } from '../../src/loop/ledger.ts';
import { tallyOf } from '../../src/loop/tally.ts';
import type { Grounds, NewEvent, Verdict } from '../../src/records.ts';
import { begun, BLOB, measured, numbered } from './events.ts';

const made = (attempt: number): NewEvent[] => [
  { type: 'attempt-started', attempt, parent: 0 }, { type: 'edited', attempt, candidate: BLOB, hypothesis: '', addedLines: 1, removedLines: 1 }, measured(attempt, 50),
];
const judged = (attempt: number, verdict: Verdict): NewEvent[] => [...made(attempt), { type: 'judged', attempt, verdict, evidence: { reason: 'because', score: 50 } }];
const waiting = (attempt: number, how: Grounds): NewEvent[] => [...made(attempt), { type: 'waiting', attempt, evidence: { reason: 'It looks better.', how, score: 50 } }];
const END: NewEvent = { type: 'run-ended', reason: 'attempts', sentence: 'Ended.' };
const state = (...events: readonly NewEvent[][]): RunState => foldAll(numbered([...begun(40), ...events.flat()])) ?? assert.fail();

describe('the count of a run', () => {
  const night = [judged(1, 'kept'), judged(2, 'discarded'), judged(3, 'flagged'), waiting(4, 'one-draw'), waiting(5, 'night'), made(6)];

  it('has all attempts that are decided or wait, and tells whose word they wait for', () => {
    assert.deepEqual(tallyOf(state(...night)), { tried: 5, kept: 1, waits: 1, settlesLater: 1, unsettled: 0 });
    assert.deepEqual(tallyOf(state(...night, [END])), { tried: 5, kept: 1, waits: 1, settlesLater: 0, unsettled: 1 });
  });

  it('has what a person kept among the kept', () => {
    const keep = (attempt: number): NewEvent[] => [{ type: 'reviewed', attempt, action: 'kept', text: BLOB }];
    assert.deepEqual(tallyOf(state(...night, [END], keep(3), keep(4))), { tried: 5, kept: 3, waits: 0, settlesLater: 0, unsettled: 1 });
  });

  it('goes with words that say who decides', () => {
    const words = (number: number, of: RunState): readonly string[] => {
      const attempt = attemptOf(of, number) ?? assert.fail();
      return [reasonWords(attempt, of), ...evidenceLines(attempt, of)];
    };
    assert.deepEqual(words(4, state(...night, [END])), ['It looks better.', 'Only you can decide: keep it by your word, or leave it.']);
    assert.deepEqual(words(5, state(...night)), ['It looks better.']);
    assert.deepEqual(words(5, state(...night, [END])), ['It looks better in one run, and the night ended before it was settled.', 'Keep it by your word, or leave it to another run.']);
    assert.deepEqual(words(3, state(...night, [{ type: 'reviewed', attempt: 3, action: 'kept', text: BLOB }])), ['because', 'You kept it, by your word.']);
  });
});
