import assert from 'node:assert/strict';
import type { Evidence, NewEvent } from '../../../src/records.ts';
import type { RunContext } from '../../../src/engine/run/context.ts';
import { propose } from '../../../src/engine/run/propose.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import { begun, BLOB, measured, numbered, plan } from '../../loop/events.ts';

const edited = (attempt: number, hypothesis: string): NewEvent[] => [
  { type: 'attempt-started', attempt, parent: 0 }, { type: 'edited', attempt, candidate: BLOB, hypothesis, addedLines: 1, removedLines: 1 }, measured(attempt, 50),
];

/** What a model is told after these events. */
async function told(...events: readonly NewEvent[]): Promise<string> {
  const state = foldAll(numbered([...begun(40, { ...plan, target: 'f.txt' }), ...events])) ?? assert.fail();
  let content = '';
  // As much of a run as a proposal looks at.
  const context = {
    parsers: { parse: () => assert.fail('there is no parser for a text') }, projectModules: new Set<string>(), signal: new AbortController().signal,
    proposer: { propose: async ({ messages }) => ({ request: '', reply: (content = (await messages()).map((message) => message.content).join()) }) },
  } satisfies Pick<RunContext, 'parsers' | 'projectModules' | 'signal' | 'proposer'> as unknown as RunContext;
  await propose(context, state, state.attempts.length, 'A = 1\n', { lastOutput: '' });
  return content;
}

describe('what a model is told of earlier attempts', () => {
  it('names what waits for the end of the night, so that it isn\'t tried again', async () => {
    const text = await told(
      { type: 'attempt-started', attempt: 1, parent: 0 }, { type: 'judged', attempt: 1, verdict: 'refused', evidence: { reason: 'No such line.' }, hypothesis: 'Guess.' },
      ...edited(2, 'Use a map.'), { type: 'waiting', attempt: 2, evidence: { reason: 'It looks better in one run.', how: 'night', score: 50, parentScore: 40 } },
    );
    assert.match(text, /- 2: Use a map\. \| waiting: It looks better in one run\./);
    assert.ok(!text.includes('Your last edit was refused'), 'that was the one before');
  });

  it('says of the holdout that it decided, and no number', async () => {
    const evidence: Evidence = { reason: 'The holdout is worse: 71 → 12.', code: 'holdout', score: 50, parentScore: 40, holdout: { score: 12, parentScore: 71 } };
    const text = await told(...edited(1, 'Use a map.'), { type: 'judged', attempt: 1, verdict: 'discarded', evidence });
    assert.match(text, /- 1: Use a map\. \| discarded: not kept: holdout/);
    assert.ok(!/71|\b12\b/.test(text.slice(text.indexOf('Tried and not kept'))));
  });
});
