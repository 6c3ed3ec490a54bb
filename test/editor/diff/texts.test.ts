import assert from 'node:assert/strict';
import { outputPage, replyPage } from '../../../src/editor/diff/pages.ts';
import { recall, Recent } from '../../../src/editor/diff/recent.ts';
import { Texts } from '../../../src/editor/diff/texts.ts';
import { attemptOf, type AttemptState } from '../../../src/loop/ledger.ts';
import { blobOf, FakeRuns } from '../fake-runs.ts';
import { english } from '../l10n.ts';

function attemptIn(runs: FakeRuns, number: number): AttemptState {
  const state = runs.view('r1')?.state;
  const attempt = state === undefined ? undefined : attemptOf(state, number);
  assert.ok(attempt);
  return attempt;
}

describe('the texts of attempts', () => {
  it('wait for a run that is not known yet', async () => {
    const runs = new FakeRuns();
    let missed = 0;
    const texts = new Texts(runs, english, () => { missed++; });
    const early = texts.text('r1', blobOf('a\n'));
    assert.equal(missed, 1, 'whoever can read the history is told');
    runs.begin('r1', '/w', 'a\n', 1);
    assert.equal(await early, 'a\n');
  });

  it('are asked for once, and again after a failure', async () => {
    const runs = new FakeRuns();
    runs.begin('r1', '/w', 'a\n', 1);
    const texts = new Texts(runs, english, () => assert.fail('the run is known'));
    await assert.rejects(texts.text('r1', blobOf('late\n')), /no longer there/);
    runs.keep('late\n');
    assert.equal(await texts.text('r1', blobOf('late\n')), 'late\n');
    assert.equal(texts.text('r1', blobOf('late\n')), texts.text('r1', blobOf('late\n')));
  });

  it('include what a file held, under the id of its text', async () => {
    const runs = new FakeRuns();
    runs.begin('r1', '/w', 'a\n', 1);
    const texts = new Texts(runs, english, () => assert.fail('the run is known'));
    const mine = texts.snapshot('mine\n');
    assert.equal(mine, blobOf('mine\n'));
    assert.equal((await texts.inline('r1', mine, blobOf('a\n'))).text, 'mine\na\n');
  });

  it('are forgotten when others were used since', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.get('a');
    recent.set('c', 3);
    assert.deepEqual(['a', 'b', 'c'].map((key) => recent.get(key)), [1, undefined, 3]);
  });

  it('are made once while the making goes on', async () => {
    let made = 0;
    const recent = new Recent<Promise<number>>(2);
    const make = (): Promise<number> => Promise.resolve(++made);
    assert.deepEqual(await Promise.all([recall(recent, 'a', make), recall(recent, 'a', make)]), [1, 1]);
  });
});

describe('the page of a reply', () => {
  it('has the reason on top, then the reply, then the request', () => {
    const runs = new FakeRuns();
    runs.begin('r1', '/w', 'a\n', 1);
    runs.attempt('r1', { number: 1, verdict: 'refused', reason: 'The text to replace stands nowhere.' });
    assert.equal(replyPage(attemptIn(runs, 1), true, 'I would\0 try x', 'Improve it.\n', english),
      'Attempt 1: edit refused\nThe text to replace stands nowhere.\n\n----- the reply -----\n\nI would␀ try x\n\n----- the request -----\n\nImprove it.\n');
  });

  it('says nothing of a verdict that came after its address', () => {
    const runs = new FakeRuns();
    runs.begin('r1', '/w', 'a\n', 1);
    runs.attempt('r1', { number: 1, verdict: 'refused', reason: 'Later.' });
    assert.doesNotMatch(replyPage(attemptIn(runs, 1), false, 'x', 'y', english), /refused|Later/);
  });
});

describe('the page of an output', () => {
  it('has a part for each run of the scorer, without terminal codes', () => {
    const runs = new FakeRuns();
    runs.begin('r1', '/w', 'a\n', 1);
    const [measured] = attemptIn(runs, 0).measurements;
    assert.ok(measured);
    assert.equal(outputPage([{ measured, text: '\u001b[32mscore: 1\u001b[0m\n' }, { measured, text: '' }], english),
      '----- Measured, seed 1: scored after 100 ms -----\n\ntest\n\nscore: 1\n\n----- Measured, seed 1: scored after 100 ms -----\n\ntest\n\n(It printed nothing.)\n');
  });
});
