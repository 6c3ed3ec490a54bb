import type { BlobId, EndReason } from '../../records.ts';
import type { RunState } from '../../loop/ledger.ts';
import { HumanError } from '../../errors.ts';

/** Ends by a rule of the run's own: going on would end it again. */
const DONE: ReadonlySet<EndReason> = new Set<EndReason>(['attempts', 'hours', 'until', 'settled', 'target-score', 'patience', 'tokens', 'nothing-left', 'canary']);

/** Throws HumanError where a run can't go on from its ledger. */
export function refuseUnresumable({ id, end, attempts, plan }: RunState): void {
  if (end === undefined) throw new HumanError('busy', `Run ${id} has no end in its ledger: another machine or container works on it. Resume it there.`);
  if (attempts.find(({ number }) => number === 0)?.verdict !== 'kept')
    throw new HumanError('bad-use', `Run ${id} ended before its start file was measured, so there is nothing to go on from. Start a new one: ratchet run ${plan.target}`);
  if (DONE.has(end.reason)) throw new HumanError('bad-use', `Run ${id} is over, it was not broken off. ${end.sentence} Start a new one: ratchet run ${plan.target}`);
}

/** What the scorer printed last on an attempt's text: what the next request would have been told. */
export function lastOutput({ attempts }: RunState): BlobId | undefined {
  const last = attempts.findLast(({ measurements }) => measurements.some(({ role }) => role === 'candidate'));
  return last?.measurements.find(({ role }) => role === 'candidate')?.output;
}

/** Whether the run found that its text doesn't stand another seed: the parent gave no score with one, and then did with its own. */
export function seedIsFixed({ attempts, plan }: RunState): boolean {
  return attempts.some(({ measurements }) => {
    const runs = measurements.filter(({ role }) => role === 'parent');
    return runs.some(({ seed, outcome }, index) => {
      const next = runs[index + 1];
      return seed !== plan.seed && outcome !== 'scored' && outcome !== 'cancelled' && next?.seed === plan.seed && next.outcome === 'scored';
    });
  });
}
