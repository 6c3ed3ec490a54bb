import type { BlobId } from '../../records.ts';
import { lastRun, type RunState } from '../../loop/ledger.ts';
import { whyNotResumable } from '../../loop/resumable.ts';
import { HumanError } from '../../errors.ts';

/** Throws HumanError where a run can't go on from its ledger. */
export function refuseUnresumable(state: RunState): void {
  const why = whyNotResumable(state);
  if (why !== undefined) throw new HumanError(state.end === undefined ? 'busy' : 'bad-use', why);
}

/** What the scorer printed last on an attempt's text: what the next request would have been told. */
export function lastOutput(state: RunState): BlobId | undefined {
  return lastRun(state)?.measurements.find(({ role }) => role === 'candidate')?.output;
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
