import type { EndReason } from '../records.ts';
import { attemptOf, type RunState } from './ledger.ts';

/** Ends by a rule of the run's own: going on would end it again. */
const DONE: ReadonlySet<EndReason> = new Set<EndReason>(['attempts', 'hours', 'until', 'settled', 'target-score', 'patience', 'tokens', 'nothing-left', 'canary']);

/** Why a run can't go on from its ledger, in a sentence or two; undefined where it was broken off and can. */
export function whyNotResumable(state: RunState): string | undefined {
  const { id, end, plan } = state;
  if (end === undefined) return `Run ${id} has no end in its ledger: another machine or container works on it. Resume it there.`;
  if (attemptOf(state, 0)?.verdict !== 'kept') return `Run ${id} ended before its start file was measured, so there is nothing to go on from. Start a new one: ratchet run ${plan.target}`;
  return DONE.has(end.reason) ? `Run ${id} is over, it was not broken off. ${end.sentence} Start a new one: ratchet run ${plan.target}` : undefined;
}
