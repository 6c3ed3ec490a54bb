import { foldAll } from '../../../src/loop/ledger.ts';
import type { Proposal, ProposalRequest, Proposer } from '../../../src/engine/proposers/proposer.ts';
import { SAMPLE_PLAN } from '../../loop/sample-plan.ts';

/** Asks as a run would, for the first attempt unless told otherwise. */
export function ask(proposer: Proposer, changes: Partial<ProposalRequest> = {}, signal = new AbortController().signal): Promise<Proposal> {
  const state = foldAll([{ v: 1, run: 'r', seq: 0, at: '2026-01-01T00:00:00.000Z', type: 'run-started', baseline: '', build: '', plan: SAMPLE_PLAN }]);
  if (state === undefined) throw new Error('no state');
  return proposer.propose({
    attempt: 1, parent: 0, parentText: 'A = 1\nB = 2\n', targetPath: 'a.py', state,
    protectedRanges: [], messages: () => Promise.resolve([{ role: 'system', content: 'You edit.' }, { role: 'user', content: 'Improve it.' }]),
    ...changes,
  }, signal);
}
