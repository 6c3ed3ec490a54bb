import assert from 'node:assert/strict';
import type { NewEvent } from '../../src/records.ts';
import { leftOutBy, whyNotKeepable, whyNotKept } from '../../src/loop/choice.ts';
import { foldAll, type RunState } from '../../src/loop/ledger.ts';
import { begun, BLOB, measured, numbered } from './events.ts';

const attempt = (number: number, parent: number, verdict: 'kept' | 'discarded' | 'flagged', score: number): NewEvent[] => [
  { type: 'attempt-started', attempt: number, parent },
  { type: 'edited', attempt: number, candidate: String(number).padStart(64, '0'), hypothesis: '', addedLines: 1, removedLines: 0 },
  measured(number, score), { type: 'judged', attempt: number, verdict, evidence: { reason: 'because', score } },
];

function state(...events: readonly NewEvent[][]): RunState {
  return foldAll(numbered([...begun(40), ...events.flat()])) ?? assert.fail();
}

describe('a person\'s choice of the best so far', () => {
  const night = state(attempt(1, 0, 'kept', 50), attempt(2, 1, 'flagged', 90), attempt(3, 1, 'kept', 60), attempt(4, 3, 'discarded', 55));

  it('may fall on what is flagged or was not kept, and on the start file', () => {
    for (const number of [0, 1, 2, 4]) assert.equal(whyNotKeepable(night, number), undefined, String(number));
  });

  it('may not fall on what is the best already, has no score, is not decided, or isn\'t there', () => {
    assert.match(whyNotKeepable(night, 3) ?? '', /is the best so far already/);
    assert.match(whyNotKeepable(night, 9) ?? '', /has no attempt 9/);
    const open = state([{ type: 'attempt-started', attempt: 1, parent: 0 }]);
    assert.match(whyNotKeepable(open, 1) ?? '', /not decided yet/);
    const crashed = state([{ type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, undefined), { type: 'judged', attempt: 1, verdict: 'crashed', evidence: { reason: '' } }]);
    assert.match(whyNotKeepable(crashed, 1) ?? '', /has no score/);
  });

  it('says why the verifier did not keep what it decided, and nothing of what a person is to decide', () => {
    assert.deepEqual([0, 1, 2, 3, 4].map((number) => whyNotKept(night, number)), [undefined, undefined, undefined, undefined, 'because']);
    const own = state(attempt(1, 0, 'discarded', 30), [{ type: 'reviewed', attempt: 1, action: 'kept', text: BLOB }], attempt(2, 1, 'kept', 60));
    assert.equal(whyNotKept(own, 1), undefined, 'a person said so before');
    const stopped = state([...attempt(1, 0, 'kept', 50).slice(0, 3), { type: 'judged', attempt: 1, verdict: 'cancelled', evidence: { reason: 'The run ended.' } }]);
    assert.equal(whyNotKept(stopped, 1), undefined);
  });

  it('names what was kept and would be left out', () => {
    assert.deepEqual(leftOutBy(night, 2), [3]);
    assert.deepEqual(leftOutBy(night, 4), []);
    assert.deepEqual(leftOutBy(night, 0), [1, 3]);
  });

  it('makes it the champion in the fold, whatever its verdict, and what runs next is compared with it', () => {
    const after = state(attempt(1, 0, 'kept', 50), attempt(2, 1, 'flagged', 90), [{ type: 'reviewed', attempt: 2, action: 'kept', text: BLOB }]);
    assert.equal(after.champion, 2);
    assert.equal(after.sinceKeep, 0);
    assert.equal(after.attempts[2]?.verdict, 'flagged', 'a verdict is final');
    assert.equal(after.known?.parent, 90);
  });

  it('knows a text that is chosen by its own runs: all of the start file, of others those after the lucky first', () => {
    const parentOf = (number: number, score: number): NewEvent[] => [measured(number, score, { role: 'parent' })];
    const choose = (number: number): NewEvent[] => [{ type: 'reviewed', attempt: number, action: 'kept', text: BLOB }];
    const [started, edited, first, flagged] = attempt(1, 0, 'flagged', 90);
    assert.ok(started !== undefined && edited !== undefined && first !== undefined && flagged !== undefined);
    const other = state(parentOf(0, 42), [started, edited, first, measured(1, 50), flagged], choose(1));
    assert.deepEqual([other.known?.parentRuns, other.known?.parent], [1, 50]);
    const back = state(parentOf(0, 42), attempt(1, 0, 'kept', 50), parentOf(1, 52), choose(0));
    assert.deepEqual([back.known?.parentRuns, back.known?.parent], [2, 42]);
  });

  it('gives an attempt that waits its verdict', () => {
    const waiting = state([...attempt(1, 0, 'kept', 50).slice(0, 3), { type: 'waiting', attempt: 1, evidence: { reason: 'one draw', score: 50 } }]);
    assert.deepEqual([waiting.attempts[1]?.verdict, waiting.attempts[1]?.waits, waiting.champion, waiting.sinceKeep], [undefined, true, 0, 1]);
    const kept = foldAll([...numbered([...begun(40), ...attempt(1, 0, 'kept', 50).slice(0, 3), { type: 'waiting', attempt: 1, evidence: { reason: 'one draw', score: 50 } }, { type: 'reviewed', attempt: 1, action: 'kept', text: BLOB }])]);
    assert.deepEqual([kept?.attempts[1]?.verdict, kept?.attempts[1]?.waits, kept?.champion], ['kept', false, 1]);
  });
});
