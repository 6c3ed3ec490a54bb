import type { Measured } from '../records.ts';

/** The runs of the scorer itself among all that were made for an attempt: no gate, stage, holdout or canary. */
export function scorerRuns(runs: readonly Measured[]): readonly Measured[] {
  return runs.filter(({ role }) => role === 'candidate' || role === 'parent');
}
