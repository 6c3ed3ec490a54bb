import assert from 'node:assert/strict';
import { caseWords } from '../../../src/loop/checks/case-words.ts';
import { caseChanges, casesOf } from '../../../src/loop/checks/cases.ts';
import { attemptOf, foldAll, type RunState } from '../../../src/loop/ledger.ts';
import { begun, BLOB, lower, measured, numbered, plan } from '../events.ts';
import type { CaseScore, RunPlan } from '../../../src/records.ts';

function state(before: readonly CaseScore[], after: readonly CaseScore[], given: RunPlan = plan): RunState {
  const found = foldAll(numbered([
    ...begun(1, given, { cases: before }), { type: 'attempt-started', attempt: 1, parent: 0 },
    { type: 'edited', attempt: 1, candidate: BLOB, hypothesis: '', addedLines: 1, removedLines: 1 }, measured(1, 2, { cases: after }),
  ]));
  assert.ok(found);
  return found;
}

function changes(of: RunState): ReturnType<typeof caseChanges> {
  const attempt = attemptOf(of, 1);
  assert.ok(attempt);
  return caseChanges(of, attempt);
}

const cases = (scores: Readonly<Record<string, number>>): readonly CaseScore[] => Object.entries(scores).map(([name, score]) => ({ name, score }));

describe('cases', () => {
  it('are compared with the parent\'s, those that moved most first', () => {
    const found = changes(state(cases({ a: 1, b: 5, c: 5, d: 5, gone: 1 }), cases({ a: 2, b: 9, c: 1, d: 5, fresh: 1 })));
    assert.deepEqual(found, { better: [{ name: 'b', from: 5, to: 9 }, { name: 'a', from: 1, to: 2 }], worse: [{ name: 'c', from: 5, to: 1 }], same: 1 });
    assert.equal(caseWords(found, 1), 'better: b (5 → 9) and 1 more; worse: c (5 → 1)');
  });

  it('are those of an attempt\'s own text, when it is run later as the parent of others', () => {
    const events = [
      ...begun(1, plan, { cases: cases({ a: 1 }) }), { type: 'attempt-started', attempt: 1, parent: 0 }, { type: 'edited', attempt: 1, candidate: BLOB, hypothesis: '', addedLines: 1, removedLines: 1 },
      measured(1, 2, { cases: cases({ a: 2 }) }), measured(1, 1, { role: 'parent', cases: cases({ a: 1 }) }), { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: '', score: 2 } }, measured(1, 2, { role: 'parent', cases: cases({ a: 4 }) }),
    ] as const;
    assert.deepEqual(changes(foldAll(numbered(events)) ?? assert.fail())?.better, [{ name: 'a', from: 1, to: 3 }]);
  });

  it('follow the direction of the metric', () => {
    assert.equal(changes(state(cases({ a: 1 }), cases({ a: 2 }), lower))?.worse.length, 1);
  });

  it('are nothing where one of the two has none', () => {
    assert.equal(changes(state([], cases({ a: 2 }))), undefined);
    assert.equal(changes(state(cases({ a: 2 }), [])), undefined);
  });

  it('are told with the worst first', () => {
    const of = state(cases({ a: 3, b: 1, c: 2 }), []);
    const start = attemptOf(of, 0);
    assert.ok(start);
    assert.deepEqual(casesOf(of, start).map(({ name }) => name), ['b', 'c', 'a']);
  });
});
